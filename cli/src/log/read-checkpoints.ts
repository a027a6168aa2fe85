import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Cosigner,
  hex,
  isQuorumMet,
  LogFormatError,
  type LogPolicy,
  noteBytes,
  parseCheckpoint,
  type Quorum,
  type SignedCheckpoint,
  utf8,
  verifyCheckpoint,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/internal/node'
import { fetchBody } from '../fetch-document.ts'
import { describeError } from '../input-error.ts'
import { LogAlert } from './log-alert.ts'

/** A log, and what its reader trusts about it. */
export interface FollowedLog {
  /** The address of checkpoint and tiles. */
  readonly url: string
  /** With this log only. */
  readonly policy: LogPolicy
}

/** A checkpoint whose signatures are verified. */
interface VerifiedCheckpoint {
  readonly checkpoint: SignedCheckpoint
  readonly note: Uint8Array
  readonly cosigned: readonly Cosigner[]
}

/** The checkpoint of the log, and what the witnesses know. */
export interface Checkpoints {
  readonly served: VerifiedCheckpoint
  readonly witnesses: readonly (VerifiedCheckpoint & { readonly witness: string })[]
  /** Witnesses that could not be read, with the reason. */
  readonly unread: readonly string[]
  /** Who cosigned the served checkpoint, by the log and by the witnesses themselves. */
  readonly cosigned: readonly Cosigner[]
  readonly quorumMet: boolean
}

const NOTE_LIMIT_BYTES = 64 * 1024
const ATTEMPTS = 3
const WAIT_MS = 500
const TIMEOUT_MS = 20_000
/** A log that limits its rate is obeyed for about ten minutes. */
const PAUSES = 10
const LONGEST_PAUSE_MS = 60_000

/**
 * Reads the checkpoint of the log after those of its witnesses. Tries again while it is smaller than a known one or lacks
 * cosignatures: caches and witnesses may be some moments behind.
 */
export async function readCheckpoints(
  log: FollowedLog,
  seenSize: number,
  signal: AbortSignal,
): Promise<Checkpoints> {
  const { policy, url } = log
  const views = await Promise.all(policy.witnesses.map((witness) => viewOf(witness, log, signal)))
  const witnesses = views.filter((view) => typeof view === 'object')
  const unread = views.filter((view) => typeof view === 'string')
  const known = Math.max(seenSize, ...witnesses.map(({ checkpoint }) => checkpoint.size))
  for (let attempt = 1; ; attempt++) {
    const served = await readCheckpoint(`${url}/checkpoint`, policy, signal)
    const same = witnesses.filter(({ checkpoint }) => checkpoint.text === served.checkpoint.text)
    const cosigned = [...served.cosigned, ...same.flatMap((view) => view.cosigned)]
    const quorumMet = isQuorumMet(policy.quorum, new Set(cosigned.map(({ name }) => name)))
    if ((quorumMet && served.checkpoint.size >= known) || attempt === ATTEMPTS)
      return { served, witnesses, unread, cosigned, quorumMet }
    await sleep(WAIT_MS, undefined, { signal })
  }
}

/** The latest time, in seconds, at which a quorum still vouched for a checkpoint; undefined without one. */
export function quorumTime(quorum: Quorum, cosigned: readonly Cosigner[]): number | undefined {
  const names = new Set<string>()
  return cosigned.toSorted((a, b) => b.time - a.time).find(({ name }) => isQuorumMet(quorum, names.add(name)))
    ?.time
}

async function readCheckpoint(
  url: string,
  policy: LogPolicy,
  signal: AbortSignal,
): Promise<VerifiedCheckpoint> {
  const bytes = await fetchFromIssuer(url, NOTE_LIMIT_BYTES, signal)
  const invalid = (text: string) =>
    new LogAlert('log_invalid', `${url} ${text}`, { 'served.checkpoint': bytes })
  try {
    const checkpoint = parseCheckpoint(bytes)
    const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
    if (status.is === 'forged') throw invalid(`has a signature of ${status.signer} that is not valid`)
    if (status.is !== 'unknown_log')
      return { checkpoint, note: noteBytes(checkpoint), cosigned: status.cosigned }
    const names = policy.logs.map(({ key }) => `${key.name}+${key.keyId}`).join(', ')
    throw invalid(
      `is a checkpoint of ${checkpoint.origin}, not signed with the key of the followed log, ${names}`,
    )
  } catch (error) {
    throw error instanceof LogFormatError
      ? new LogAlert('log_invalid', `${url} is not a checkpoint: ${error.message}`)
      : error
  }
}

/** What a witness has seen; undefined if it publishes nothing, and a text if that cannot be read. */
async function viewOf(
  { name, url }: LogPolicy['witnesses'][number],
  { policy }: FollowedLog,
  signal: AbortSignal,
) {
  if (url === undefined) return undefined
  const folder = hex(nodeHost.digest(utf8(policy.logs[0]?.key.name ?? '')))
  const address = `${url.replace(/\/+$/, '')}/${folder}/checkpoint`
  try {
    const view = await readCheckpoint(address, policy, signal)
    const isCosigned = view.cosigned.some((cosigner) => cosigner.name === name)
    return isCosigned ? { ...view, witness: name } : `${name}: ${address} is not cosigned by it`
  } catch (error) {
    // A witness cannot end the run. If too many fail, the quorum is lost.
    if (error instanceof LogAlert) return `${name}: ${error.message}`
    throw error
  }
}

/** A file that must be there. */
export async function fetchFromIssuer(
  url: string,
  limitBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await fetchLimited(url, limitBytes, signal)
  if (bytes !== undefined) return bytes
  throw new LogAlert('log_unreachable', `${url} returned 404. Is this a kitseal service? Check the address.`)
}

/** Downloads at most `limitBytes`, with retries. Undefined for 404. Throws LogAlert. */
export async function fetchLimited(url: string, limitBytes: number, signal: AbortSignal) {
  for (let attempt = 1, pauses = 0; ; attempt++) {
    let pauseMs: number | undefined
    try {
      return await fetchBody(url, {
        limitBytes,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: { 'cache-control': 'no-cache' },
        tooLarge: () => new LogAlert('log_invalid', `${url} returned more than ${limitBytes} bytes`),
        refused: ({ status, headers }) => {
          const seconds = Number(status === 429 ? (headers.get('retry-after') ?? '-') : '-')
          if (seconds >= 0) pauseMs = Math.min(seconds * 1000, LONGEST_PAUSE_MS)
          return new Error(`status ${status}`)
        },
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LogAlert) throw error
      if (pauseMs !== undefined && pauses++ < PAUSES) attempt--
      else if (attempt === ATTEMPTS)
        throw new LogAlert('log_unreachable', `cannot read ${url}: ${describeError(error)}`)
    }
    await sleep(pauseMs ?? WAIT_MS * attempt, undefined, { signal })
  }
}
