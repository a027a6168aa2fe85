import { english, type Reason, reason, textOf, type VerifierKey, type Why } from './texts/english.ts'
import type { Message } from './texts/message.ts'
import { BOUNDARY } from './receipt.ts'
import type { ProvenanceReport } from './provenance-text.ts'
import {
  decideVerdict,
  type ErrorCode,
  type Finding,
  finding,
  type KeySource,
  type Sender,
  type Verdict,
  VERDICTS,
} from './verdicts.ts'

export interface CheckResult {
  readonly check: string
  readonly guarantee: string
  readonly result: 'pass' | 'fail' | 'not_run'
  readonly why?: string
  /** The same as a message, for other languages. Not there for what is only said in English. */
  readonly why_message?: Message
}

export interface SignerReport {
  readonly kid: string | null
  readonly trust: 'pinned' | 'jwks' | 'kit' | 'none'
  /** Only if a key from outside the kit matches. */
  readonly key_from?: KeySource
  /** When the issuer revoked the key, if the reader's key set says so. */
  readonly revoked_at?: string
}

/** What the log adds to a verification. */
export interface LogReport {
  /** One line, in the same words everywhere: `in the log of ISSUER since TIME, seen by 2 of 3 witnesses`. */
  readonly text: string
  readonly text_message?: Message
  /** The log that the log proof names; null if there is no valid log proof. */
  readonly origin: string | null
  /** The position of the receipt in the log, from 0. */
  readonly index: number | null
  /** How many entries the log had. */
  readonly size: number | null
  /** When the quorum of the policy had cosigned; null if it asks for none, or is not met. */
  readonly since: string | null
  /** Null if there is no policy, or it does not name the log. */
  readonly witnesses: { readonly cosigned: readonly string[]; readonly total: number } | null
}

/** When a receipt existed, according to others. */
export interface TimeReport {
  /** One line: `existed before TIME (time-stamp by AUTHORITY, seen by 2 of 3 witnesses)`. */
  readonly text: string
  readonly text_message: Required<Message>
  readonly existed_before: string
  /** Who made the time-stamp; null if none was asked for. */
  readonly authority: string | null
}

/** The VerificationResult of the API, with each check and the signer. */
export interface VerificationReport {
  readonly status: 'PASS' | 'FAIL'
  readonly verdict: Verdict
  readonly manifest_hash_valid: boolean
  readonly artifact_hashes_valid: boolean
  readonly receipt_canonical_hash_valid: boolean
  readonly ed25519_signature_valid: boolean
  readonly kid_matched: boolean
  readonly errors: readonly string[]
  /** The reasons in `errors` as messages, by the same index; null for one that is only in English. */
  readonly error_messages: readonly (Message | null)[]
  readonly checks: readonly CheckResult[]
  readonly signer: SignerReport
  /** Only if there is a log proof or a policy. */
  readonly log?: LogReport
  /** Only if witnesses or a time-stamp authority that the reader trusts confirm it. */
  readonly time?: TimeReport
  /** Where the evidence came from. Only if the kit is intact and has such a report. */
  readonly provenance?: ProvenanceReport
  readonly boundary: string
}

export type Outcome =
  | { readonly is: 'pass'; readonly why?: Why }
  | { readonly is: 'fail'; readonly findings: readonly Finding[] }
  | { readonly is: 'not_run'; readonly why: Why }

/** What it guarantees is the message `checks.NAME`. */
export interface Check<Facts> {
  readonly check: CheckName
  run(facts: Facts): Outcome | Promise<Outcome>
}

type CheckName = VerifierKey extends infer Key ? (Key extends `checks.${infer Name}` ? Name : never) : never

/** A pass if there are no findings. */
export function outcome(findings: readonly Finding[]): Outcome {
  return findings.length === 0 ? { is: 'pass' } : { is: 'fail', findings }
}

/** A pass, with what was found. */
export function passWith(why: Why): Outcome {
  return { is: 'pass', why }
}

export function notRun(why: Why): Outcome {
  return { is: 'not_run', why }
}

/** A time in seconds, as text. */
export function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString()
}

/** For sentences: `2026-03-04 05:06:08 UTC`. */
export function readableTime(seconds: number): string {
  return isoTime(seconds).replace(/T(\S+?)(?:\.000)?Z$/, ' $1 UTC')
}

/** The checks behind each boolean of the report. It is true if all of them pass. */
export type Booleans = Readonly<
  Record<
    | 'manifest_hash_valid'
    | 'artifact_hashes_valid'
    | 'receipt_canonical_hash_valid'
    | 'ed25519_signature_valid'
    | 'kid_matched',
    readonly CheckName[]
  >
>

/** Limit for the errors of one check, in characters: an archive can contain millions of names of 64 KiB. */
const MAX_TEXT = 8 * 1024 * 1024

/** What the verdict depends on, besides the checks. */
interface VerdictInput {
  readonly unreadable: boolean
  readonly sender: Sender | undefined
}

/** Runs every check, even after a failure. PASS if all pass. */
export async function runChecks<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  booleans: Booleans,
  signer: SignerReport,
  { unreadable, sender }: VerdictInput,
): Promise<VerificationReport> {
  const results: CheckResult[] = []
  const errors: string[] = []
  const messages: (Message | null)[] = []
  const codes = new Set<ErrorCode>()
  for (const check of checks) {
    const guarantee = english(`checks.${check.check}`)
    const result = await runOne(check, guarantee, facts)
    // Not push(...lines): a hundred thousand arguments overflow the stack.
    if (result.is === 'fail') {
      for (const { code } of result.findings) codes.add(code)
      for (const { code, why } of limited(result.findings)) {
        errors.push(`${code}: ${textOf(why)}`)
        messages.push(messageOf(why) ?? null)
      }
    }
    const why = result.is === 'fail' ? summary(result.findings) : result.why
    results.push({ check: check.check, guarantee, result: result.is, ...because(why) })
  }
  const allPass = (names: readonly string[]): boolean =>
    names.every((name) => results.some(({ check, result }) => check === name && result === 'pass'))
  const verdict = decideVerdict(unreadable, results, codes, sender)
  return {
    status: VERDICTS[verdict].status,
    verdict,
    manifest_hash_valid: allPass(booleans.manifest_hash_valid),
    artifact_hashes_valid: allPass(booleans.artifact_hashes_valid),
    receipt_canonical_hash_valid: allPass(booleans.receipt_canonical_hash_valid),
    ed25519_signature_valid: allPass(booleans.ed25519_signature_valid),
    kid_matched: allPass(booleans.kid_matched),
    errors,
    error_messages: messages,
    checks: results,
    signer,
    boundary: BOUNDARY,
  }
}

async function runOne<Facts>(check: Check<Facts>, guarantee: string, facts: Facts): Promise<Outcome> {
  try {
    return await check.run(facts)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return outcome([finding('kit_unreadable', `the check "${guarantee}" could not be completed: ${text}`)])
  }
}

function summary(findings: readonly Finding[]): Why {
  const why = findings[0]?.why ?? ''
  return findings.length > 1 ? reason('reason.andMore', { reason: why, count: findings.length - 1 }) : why
}

function* limited(findings: readonly Finding[]): Generator<Finding> {
  let remaining = MAX_TEXT
  for (const [index, found] of findings.entries()) {
    remaining -= found.code.length + 2 + textOf(found.why).length
    if (remaining < 0) {
      yield { ...found, why: reason('reason.more', { count: findings.length - index }) }
      return
    }
    yield found
  }
}

const because = (why: Why | undefined): Pick<CheckResult, 'why' | 'why_message'> =>
  why === undefined
    ? {}
    : typeof why === 'string'
      ? { why }
      : { why: why.text, why_message: withoutText(why) }

const messageOf = (why: Why): Message | undefined => (typeof why === 'string' ? undefined : withoutText(why))

/** The English sentence is beside it. In what a reason contains, it is left out too. */
function withoutText({ key, args }: Reason): Message {
  const bare = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'object' && 'text' in value ? withoutText(value as Reason) : value,
  ])
  return { key, args: Object.fromEntries(bare) }
}
