import { readdirSync, statSync, createReadStream } from 'node:fs'
import {
  ENVELOPE,
  type KitFiles,
  LOG_PROOF_PATH,
  NO_TRUST,
  readClaims,
  TIME_STAMP_PATH,
  type Trust,
  VERDICTS,
  verifyKit,
  type Claims,
  claimsOf,
  jsonOrNull,
  parseJwks,
  readProof,
  verdictHeading,
  type VerificationReport,
  verifyParsedProof,
} from '@kitseal/kit/internal'
import { nodeHost, openKit, readSmallFile } from '@kitseal/kit/internal/node'
import { kidProblems, durationProblems, parseDuration } from '../arguments.ts'
import { command } from '../command-line.ts'
import { errorValue, readOrFail, InputError } from '../input-error.ts'
import { issuerUrl } from '../fetch-document.ts'
import { readTrustedKeys } from '../trust-store.ts'
import { reportText, statusWord } from '../report-text.ts'
import { colors, EXIT, pluralize, printable, type Terminal, writeLines } from '../terminal.ts'
import { transferProgress } from '../progress.ts'
import { createHash } from 'node:crypto'

const HELP = `usage: kitseal verify KIT… [--issuer URL | --jwks FILE|URL … | --kid KID …] [--policy FILE] [--tsa-roots FILE]
                          [--max-delay TIME] [--log-proof FILE] [--use-kit-keys] [--json]
       kitseal verify FILE PROOF [the same options, but not those for logs and time-stamps]

Verifies kits (ZIPs or unpacked folders), or a file with its proof. Works offline: the network is used only with
--issuer, or if --jwks is a URL. For several kits, it prints one line for each and a summary.

OPTIONS

By default, the keys that you pinned with "kitseal trust add" are trusted, and a kit must be in the log pinned for its issuer.

examples:
  kitseal verify kit.zip --issuer https://issuer.example
  kitseal verify kit.zip --kid AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo
  kitseal verify kit.zip --jwks jwks.json --policy issuer.policy --tsa-roots tsa.pem --max-delay 48h
  kitseal verify report.pdf report.pdf.proof.json --jwks jwks.json

exit codes: 0 PASS; 1 FAIL; 2 wrong usage or unreadable input; 3 files intact, but sender not confirmed. For several kits, the
worst: 1 if any is FAIL, else 2 if any cannot be read, else 3, else 0`

/** `kitseal verify`. */
export const run = command('verify', HELP, {
  options: {
    jwks: 'FILE|URL…  trust the keys in this public key set (repeatable)',
    kid: 'KID…  trust the key with this ID (repeatable)',
    issuer:
      'URL  require this issuer, fetch its keys from URL/.well-known/jwks.json and pin them. Use an address that you know, not one from the kit',
    policy:
      "FILE  require that the kit's receipt is in a log of this policy (C2SP tlog-policy), cosigned by its witnesses",
    'tsa-roots': 'FILE  require a time-stamp (RFC 3161) that leads to one of these certificates (PEM)',
    'max-delay':
      'TIME  with a policy or roots: how long before the time that witnesses and authority confirm the kit may have been issued, such as 30d, 24h or 90m (default 24h)',
    'log-proof':
      'FILE  use this log proof instead of the one in the kit, such as a newer one from the issuer. The time-stamp in the kit does not count then',
    'use-kit-keys':
      'check integrity only, with the key in the kit. Never a PASS: anyone could have made that key',
    json: 'print the result as JSON; for several kits, one line of JSON for each, with its path',
  },
  read: ({ positionals, value, values, has, json, reject }) => {
    const [path = '', second] = positionals
    const proof = positionals.length === 2 && !positionals.every(isNamedAsKit) ? second : undefined
    const isSeveral = positionals.length > 1 && proof === undefined
    const hasKeys = has('jwks') || has('kid')
    const issuer = value('issuer')
    const url = issuer === undefined ? undefined : issuerUrl(issuer)
    const [policy, tsaRoots, maxDelay] = [value('policy'), value('tsa-roots'), value('max-delay')]
    const logProof = value('log-proof')
    const isProof = proof !== undefined
    reject(
      path === '' && 'no kit given. Pass a kit.zip or an unpacked kit folder',
      ...kidProblems(values('kid')),
      has('use-kit-keys') && hasKeys && '--use-kit-keys cannot be combined with --jwks or --kid',
      has('issuer') &&
        (has('use-kit-keys') || hasKeys) &&
        '--issuer cannot be combined with --jwks, --kid or --use-kit-keys',
      has('issuer') &&
        url === undefined &&
        `--issuer must be an https URL, such as https://issuer.example, not ${JSON.stringify(issuer)}`,
      has('policy') && isProof && '--policy is for kits: the proof of a file contains no log proof',
      has('tsa-roots') && isProof && '--tsa-roots is for kits: the proof of a file contains no time-stamp',
      has('tsa-roots') &&
        has('log-proof') &&
        '--tsa-roots cannot be combined with --log-proof: the time-stamp is for the log proof in the kit',
      ...durationProblems('--max-delay', maxDelay),
      has('log-proof') && isProof && '--log-proof is for kits',
      has('log-proof') && isSeveral && '--log-proof is for one kit',
    )
    return async (terminal) => {
      const readTrust = async (): Promise<Trust> => {
        if (has('use-kit-keys')) return { ...NO_TRUST, useKitKeys: true }
        if (url !== undefined) return (await import('../pin-issuer.ts')).pinIssuer(url, terminal)
        return { ...NO_TRUST, ...(await readTrustedKeys(values('jwks'), values('kid'), terminal)) }
      }
      // The policy is read first: nothing is pinned if it is malformed. Loaded here: most verifications need neither.
      const needed = policy ?? tsaRoots
      const read = needed === undefined ? undefined : await import('../read-policy.ts')
      const logPolicy = policy === undefined ? undefined : (await read?.readPolicy(policy))?.policy
      const timePolicy = {
        roots: tsaRoots === undefined ? undefined : (await read?.readTsaRoots(tsaRoots))?.roots,
        maxDelaySeconds: maxDelay === undefined ? undefined : parseDuration(maxDelay),
      }
      const trust = { ...(await readTrust()), logPolicy, timePolicy }
      if (isSeveral) {
        const verify = (each: string): Promise<Checked> => checkKit(each, trust, undefined, terminal)
        return verifySeveral(positionals, verify, json, terminal)
      }
      const checked =
        proof === undefined
          ? await checkKit(path, trust, logProof, terminal)
          : await checkProof(path, proof, trust)
      return {
        json: jsonOf(checked),
        out: reportText(checked.report, checked.claims, terminal),
        exitCode: VERDICTS[checked.report.verdict].exitCode,
      }
    }
  },
})

/** Of two arguments, the second is a proof of the first unless both are named as kits. */
function isNamedAsKit(path: string): boolean {
  return /\.zip$/i.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Smaller kits are verified at once. */
const LARGE_BYTES = 64 * 1024 * 1024

export async function checkKit(
  path: string,
  trust: Trust,
  logProof: string | undefined,
  terminal: Terminal,
): Promise<Checked> {
  const isKit = await readOrFail(path, () => !statSync(path).isDirectory() || mayBeKit(path))
  if (!isKit)
    throw new InputError(
      `${path} is not a kit: it contains neither manifest.json nor receipt.json. Pass kit.zip, or the folder that contains them.`,
    )
  const progress = transferProgress(terminal, 'hashing')
  let totalBytes = 0
  const onProgress = (doneBytes: number): void => {
    if (totalBytes >= LARGE_BYTES) progress.at({ doneBytes, totalBytes })
  }
  using kit = await readOrFail(path, () => openKit(path, { onProgress }))
  totalBytes = kit.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const claims = await readClaims(kit)
  const files = logProof === undefined ? kit : await withLogProof(kit, logProof)
  const report = await verifyKit(files, trust, nodeHost)
  progress.clear()
  return { report, claims }
}

/** The kit with another log proof, as if it had been issued with it. */
async function withLogProof(kit: KitFiles, path: string): Promise<KitFiles> {
  if (kit.files.length === 0) return kit
  const bytes = await readOrFail(path, () => readSmallFile(path, { what: 'a log proof', limitMiB: 1 }))
  // The time-stamp is for the checkpoint in the kit's own log proof.
  const others = kit.files.filter((file) => file.path !== LOG_PROOF_PATH && file.path !== TIME_STAMP_PATH)
  return {
    folderName: kit.folderName,
    problems: kit.problems,
    files: [...others, { path: LOG_PROOF_PATH, sizeBytes: bytes.length }],
    read: async (name, limitBytes) => (name === LOG_PROOF_PATH ? bytes : kit.read(name, limitBytes)),
    measure: (request) => kit.measure(request),
  }
}

function mayBeKit(folder: string): boolean {
  return readdirSync(folder).some((name) => name === ENVELOPE.manifest || name === ENVELOPE.receipt)
}

/** Verifies a file with its file proof. */
async function checkProof(path: string, proofPath: string, trust: Trust): Promise<Checked> {
  if (await readOrFail(path, () => statSync(path).isDirectory()))
    throw new InputError(`${path} is a folder. A proof is for a single file.`)
  const bytes = await readOrFail(proofPath, () => readSmallFile(proofPath, PROOF))
  const proof = readProof(bytes)
  if (!proof.ok && parseJwks(jsonOrNull(bytes)).ok)
    throw new InputError(`${proofPath} is a key set, not a proof. Pass it with --jwks.`)
  const report = await verifyParsedProof(proof, await readOrFail(path, () => measure(path)), trust, nodeHost)
  return { report, claims: proof.ok ? claimsOf(proof.value.receipt) : undefined }
}

/** A proof contains a receipt, a key set and one hash per tree level. */
const PROOF = { what: 'a proof', limitMiB: 16 }

async function measure(path: string): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

interface Checked {
  readonly report: VerificationReport
  readonly claims: Claims | undefined
}

/** Verifies kits one after the other: one line for each, and a summary. Returns the worst exit code. */
async function verifySeveral(
  paths: readonly string[],
  verify: (path: string) => Promise<Checked>,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const codes: number[] = []
  let boundary: string | undefined
  for (const path of paths) {
    const result = await verify(path).catch((error: unknown) => {
      if (error instanceof InputError) return error
      throw error
    })
    const isRead = !(result instanceof InputError)
    writeLines(terminal.stdout, [
      json
        ? printable(JSON.stringify({ path, ...jsonOf(result) }))
        : lineOf(result, printable(path), terminal),
    ])
    codes.push(isRead ? VERDICTS[result.report.verdict].exitCode : EXIT.usage)
    if (isRead) boundary ??= result.report.boundary
  }
  if (!json) writeLines(terminal.stdout, summaryOf(codes, boundary))
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.ok
}

/** A FAIL is a finding about evidence, so it counts more than a file that cannot be read. */
const WORST_FIRST: readonly number[] = [EXIT.fail, EXIT.usage, VERDICTS.sender_unconfirmed.exitCode]

const jsonOf = (result: Checked | InputError): object =>
  result instanceof InputError
    ? errorValue({ code: 'input_unreadable', message: result.message })
    : { ...result.report, kit: result.claims ?? null }

function lineOf(result: Checked | InputError, path: string, terminal: Terminal): string {
  const style = colors(terminal)
  if (result instanceof InputError) return `${style.bad('ERROR')}  ${path}: ${printable(result.message)}`
  const { report } = result
  const [error] = report.errors
  const why = error === undefined || report.verdict === 'sender_unconfirmed' ? '' : ` (${printable(error)})`
  return `${statusWord(report, style)}   ${path}: ${verdictHeading(report)}${why}`
}

function summaryOf(codes: readonly number[], boundary: string | undefined): readonly string[] {
  const count = (code: number): number => codes.filter((each) => each === code).length
  const parts = [
    [count(EXIT.ok), 'verified'],
    [count(EXIT.fail), 'failed'],
    [count(VERDICTS.sender_unconfirmed.exitCode), 'intact, but the sender is not confirmed'],
    [count(EXIT.usage), 'not readable'],
  ] as const
  const text = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  return [
    '',
    `${pluralize(codes.length, 'kit')}: ${text.join(', ')}.`,
    ...(boundary === undefined ? [] : [boundary]),
  ]
}
