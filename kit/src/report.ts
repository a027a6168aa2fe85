import { BOUNDARY } from './contract.ts'
import { type Finding, finding } from './errors.ts'

export interface CheckResult {
  readonly check: string
  readonly guarantee: string
  readonly result: 'pass' | 'fail' | 'not_run'
  readonly why?: string
}

export interface SignerReport {
  readonly kid: string | null
  readonly trust: 'pinned' | 'jwks' | 'kit' | 'none'
}

/** The contract's VerificationResult, with each guarantee on its own and the signer beside it. */
export interface VerificationReport {
  readonly status: 'PASS' | 'FAIL'
  readonly manifest_hash_valid: boolean
  readonly artifact_hashes_valid: boolean
  readonly receipt_canonical_hash_valid: boolean
  readonly ed25519_signature_valid: boolean
  readonly kid_matched: boolean
  readonly errors: readonly string[]
  readonly checks: readonly CheckResult[]
  readonly signer: SignerReport
  readonly boundary: string
}

export type Outcome =
  | { readonly is: 'held' }
  | { readonly is: 'broken'; readonly findings: readonly Finding[] }
  | { readonly is: 'not run'; readonly why: string }

export interface Check<Facts> {
  readonly check: string
  readonly guarantee: string
  run(facts: Facts): Outcome | Promise<Outcome>
}

/** Held where nothing was found. */
export function outcome(findings: readonly Finding[]): Outcome {
  return findings.length === 0 ? { is: 'held' } : { is: 'broken', findings }
}

export function notRun(why: string): Outcome {
  return { is: 'not run', why }
}

/** Which checks stand behind each boolean of the contract: it is true only where all of them ran to the end and held. */
export interface Booleans {
  readonly manifest_hash_valid: readonly string[]
  readonly artifact_hashes_valid: readonly string[]
  readonly receipt_canonical_hash_valid: readonly string[]
  readonly ed25519_signature_valid: readonly string[]
  readonly kid_matched: readonly string[]
}

/** What one check may say, in characters: a hostile archive can hold millions of names, each of 64 KiB. */
const MAX_TEXT = 8 * 1024 * 1024

/** Runs every check, also after one has failed. PASS only where every check ran and held, save the one that the user waived. */
export async function runChecks<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  booleans: Booleans,
  signer: SignerReport,
  waived?: string,
): Promise<VerificationReport> {
  const results: CheckResult[] = []
  const errors: string[] = []
  for (const check of checks) {
    const { check: name, guarantee } = check
    const result = await runOne(check, facts)
    // One by one: as arguments of one call, a hundred thousand of them would exhaust the stack.
    if (result.is === 'broken') for (const line of errorLines(result.findings)) errors.push(line)
    results.push(
      result.is === 'held'
        ? { check: name, guarantee, result: 'pass' }
        : result.is === 'broken'
          ? { check: name, guarantee, result: 'fail', why: summary(result.findings) }
          : { check: name, guarantee, result: 'not_run', why: result.why },
    )
  }
  const held = new Set(results.filter(({ result }) => result === 'pass').map(({ check }) => check))
  const holds = (names: readonly string[]): boolean => names.every((name) => held.has(name))
  return {
    status: results.every(
      ({ check, result }) => result === 'pass' || (result === 'not_run' && check === waived),
    )
      ? 'PASS'
      : 'FAIL',
    manifest_hash_valid: holds(booleans.manifest_hash_valid),
    artifact_hashes_valid: holds(booleans.artifact_hashes_valid),
    receipt_canonical_hash_valid: holds(booleans.receipt_canonical_hash_valid),
    ed25519_signature_valid: holds(booleans.ed25519_signature_valid),
    kid_matched: holds(booleans.kid_matched),
    errors,
    checks: results,
    signer,
    boundary: BOUNDARY,
  }
}

async function runOne<Facts>(check: Check<Facts>, facts: Facts): Promise<Outcome> {
  try {
    return await check.run(facts)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return outcome([
      finding('kit_unreadable', `the check "${check.guarantee}" could not be completed: ${text}`),
    ])
  }
}

function summary(findings: readonly Finding[]): string {
  const [first] = findings
  return findings.length > 1 ? `${first?.text} (and ${findings.length - 1} more)` : (first?.text ?? '')
}

function* errorLines(findings: readonly Finding[]): Generator<string> {
  let room = MAX_TEXT
  for (const [index, { code, text }] of findings.entries()) {
    const line = `${code}: ${text}`
    room -= line.length
    if (room < 0) {
      yield `${code}: and ${findings.length - index} more`
      return
    }
    yield line
  }
}
