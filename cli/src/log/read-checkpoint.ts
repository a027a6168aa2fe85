import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Cosigner,
  isQuorumMet,
  type LogPolicy,
  noteBytes,
  parseCheckpoint,
  type Quorum,
  type SignedCheckpoint,
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
export interface VerifiedCheckpoint {
  readonly checkpoint: SignedCheckpoint
  readonly note: Uint8Array
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
 * Reads the checkpoint of a log. Tries again while it is smaller than a known one or lacks cosignatures: caches and witnesses may be
 * some moments behind.
 */
export async function readCheckpoint(
  { url, policy }: FollowedLog,
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

async function verify(
  checkpoint: SignedCheckpoint,
  url: string,
  policy: LogPolicy,
): Promise<VerifiedCheckpoint> {
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
  try {
    return parse(bytes)
  } catch (error) {
    throw new LogAlert('log_invalid', `${url} is malformed: ${describeError(error)}`)
  }
}

/** Downloads at most `limitBytes`, with retries. Undefined for 404. Throws LogAlert. */
export async function fetchLimited(url: string, limitBytes: number, signal: AbortSignal) {
  for (let failures = 0, pauses = 0; ;) {
    let waitMs = WAIT_MS * (failures + 1)
    try {
      return await fetchBody(url, {
        limitBytes,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: { 'cache-control': 'no-cache' },
        tooLarge: () => new LogAlert('log_invalid', `${url} returned more than ${limitBytes} bytes`),
        refused: ({ status, headers }) => {
          const seconds = Number(headers.get('retry-after') ?? '-')
          if (status === 429 && seconds >= 0 && pauses++ < PAUSES) {
            waitMs = Math.min(seconds * 1000, LONGEST_PAUSE_MS)
            failures--
          }
          return new Error(`status ${status}`)
        },
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LogAlert) throw error
      if (++failures === ATTEMPTS)
        throw new LogAlert('log_unreachable', `cannot read ${url}: ${describeError(error)}`)
    }
    await sleep(waitMs, undefined, { signal })
  }
}
