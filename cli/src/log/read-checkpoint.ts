import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Cosigner,
  hex,
  isQuorumMet,
  type LogPolicy,
  noteBytes,
  parseCheckpoint,
  type Quorum,
  type SignedCheckpoint,
  verifyCheckpoint,
} from '@kitseal/kit/internal'
import { makeFolder, nodeHost } from '@kitseal/kit/internal/node'
import { fetchBody, RefusedFetch, TooLarge } from '../fetch-document.ts'
import { describeError, orInputError } from '../input-error.ts'

/** What a monitor reports, as its help describes it. */
export const ALERTS = {
  fork: 'the log signed two trees that contradict each other. Both checkpoints are kept in FILE.evidence',
  rollback: 'the log is smaller than it was',
  log_invalid: 'a checkpoint, tile or entry is malformed, or its signature or hash is wrong',
  leaf_invalid: 'a leaf is of an unknown version or kind',
  job_twice: 'two receipts for one job',
  unknown_kid:
    'a receipt is signed with a key that was not logged before, or that the issuer does not publish',
  quorum_lost: 'too few witnesses of the policy cosigned',
  stale: '--max-age is exceeded',
  log_unreachable: 'the log cannot be read',
} as const

type AlertCode = keyof typeof ALERTS

export interface Alert {
  readonly code: AlertCode
  readonly message: string
  /** The leaf that it is about. */
  readonly index?: number
  /** Files that were kept as evidence. */
  readonly evidence?: readonly string[]
}

/** Ends a run: nothing after it could be verified. */
export class LogAlert extends Error {
  readonly code: AlertCode
  /** Files that prove it, by name. */
  readonly notes: Readonly<Record<string, Uint8Array>>

  constructor(code: AlertCode, message: string, notes: Readonly<Record<string, Uint8Array>> = {}) {
    super(message)
    this.code = code
    this.notes = notes
  }
}

/** Stores the signed notes that prove an alert, once, in a folder that their content names. */
export async function keepEvidence({ code, message, notes }: LogAlert, folder: string): Promise<Alert> {
  if (Object.keys(notes).length === 0) return { code, message }
  const hashes = Object.values(notes).map((note) => hex(nodeHost.digest(note)).slice(0, 12))
  const own = join(folder, [code, ...hashes].join('-'))
  const files = Object.entries(notes).map(([name, note]) => [join(own, name), note] as const)
  // The alert is said too.
  await orInputError(`${code}: ${message}\ncannot store the evidence in ${own}`, async () => {
    await makeFolder(own)
    for (const [path, note] of files)
      if (!existsSync(path)) writeFileSync(path, note, { flag: 'wx', flush: true })
  })
  return { code, message, evidence: files.map(([path]) => path) }
}

/** A checkpoint whose signatures are verified. */
export type VerifiedCheckpoint = Awaited<ReturnType<typeof verify>>

const NOTE_LIMIT_BYTES = 64 * 1024
const ATTEMPTS = 3
const WAIT_MS = 500
const PAUSES = 10
const LONGEST_PAUSE_MS = 60_000

/**
 * Reads the checkpoint of the log at this address, the only one in the policy. Tries again while it is smaller than a known one or
 * lacks cosignatures: caches and witnesses may be some moments behind.
 */
export async function readCheckpoint(
  url: string,
  policy: LogPolicy,
  knownSize: number,
  signal: AbortSignal,
): Promise<VerifiedCheckpoint> {
  const address = `${url}/checkpoint`
  for (let attempt = 1; ; attempt++) {
    const served = await readFromIssuer(address, NOTE_LIMIT_BYTES, signal, parseCheckpoint)
    const verified = await verify(served, address, policy)
    if ((verified.quorumMet && served.size >= knownSize) || attempt === ATTEMPTS) return verified
    await sleep(WAIT_MS, undefined, { signal })
  }
}

async function verify(checkpoint: SignedCheckpoint, url: string, policy: LogPolicy) {
  const note = noteBytes(checkpoint)
  const invalid = (text: string) =>
    new LogAlert('log_invalid', `${url} ${text}`, { 'served.checkpoint': note })
  const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
  if (status.is === 'forged') throw invalid(`has a signature of ${status.signer} that is not valid`)
  if (status.is === 'signed')
    return { checkpoint, note, cosigned: status.cosigned, quorumMet: status.quorumMet }
  const names = policy.logs.map(({ key }) => `${key.name}+${key.keyId}`).join(', ')
  throw invalid(
    `is a checkpoint of ${checkpoint.origin}, not signed with the key of the followed log, ${names}`,
  )
}

/** The latest time, in seconds, at which a quorum still vouched for a checkpoint; undefined without one. */
export function quorumTime(quorum: Quorum, cosigned: readonly Cosigner[]): number | undefined {
  const names = new Set<string>()
  return cosigned.toSorted((a, b) => b.time - a.time).find(({ name }) => isQuorumMet(quorum, names.add(name)))
    ?.time
}

/** A file that must be there, and that can be parsed. */
export async function readFromIssuer<Value>(
  url: string,
  limitBytes: number,
  signal: AbortSignal,
  parse: (bytes: Uint8Array) => Value,
): Promise<Value> {
  const bytes = await fetchLimited(url, limitBytes, signal)
  if (bytes === undefined)
    throw new LogAlert(
      'log_unreachable',
      `${url} returned 404. Is this a kitseal service? Check the address.`,
    )
  return parseServed(url, () => parse(bytes))
}

/** Throws LogAlert for what cannot be parsed. */
export function parseServed<Value>(path: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new LogAlert('log_invalid', `${path} is malformed: ${describeError(error)}`)
  }
}

/** Downloads at most `limitBytes`, with retries. Undefined for 404. Throws LogAlert. */
export async function fetchLimited(url: string, limitBytes: number, signal: AbortSignal) {
  for (let failures = 1; ; failures++) {
    try {
      return await fetchBody(url, limitBytes, { 'cache-control': 'no-cache' }, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TooLarge)
        throw new LogAlert('log_invalid', `${url} returned more than ${limitBytes} bytes`)
      // A log that limits its rate is obeyed for about ten minutes.
      const askedMs = error instanceof RefusedFetch ? error.waitMs : undefined
      if (failures >= (askedMs === undefined ? ATTEMPTS : PAUSES))
        throw new LogAlert('log_unreachable', `cannot read ${url}: ${describeError(error)}`)
      const waitMs = askedMs === undefined ? WAIT_MS * failures : Math.min(askedMs, LONGEST_PAUSE_MS)
      await sleep(waitMs, undefined, { signal })
    }
  }
}
