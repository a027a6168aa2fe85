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
import { nodeHost } from '@kitseal/kit/node'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogAlert } from './alert.ts'
import { fetchLimited, type FetchSettings } from './fetch-limited.ts'
import type { FollowedLog } from './followed-log.ts'

const NOTE_LIMIT_BYTES = 64 * 1024
const ATTEMPTS = 3
const WAIT_MS = 700

/** A checkpoint whose signatures are verified. */
export interface VerifiedCheckpoint {
  readonly checkpoint: SignedCheckpoint
  readonly note: Uint8Array
  readonly cosigned: readonly Cosigner[]
}

export interface WitnessView extends VerifiedCheckpoint {
  readonly witness: string
}

/** The checkpoint of the log, and what the witnesses know. */
export interface Checkpoints {
  readonly served: VerifiedCheckpoint
  readonly witnesses: readonly WitnessView[]
  /** Witnesses that could not be read, with the reason. */
  readonly unread: readonly string[]
  /** Who cosigned the served checkpoint, by the log and by the witnesses themselves. */
  readonly cosigned: readonly Cosigner[]
  readonly quorumMet: boolean
}

/**
 * Reads the checkpoint of the log after those of its witnesses. Tries again while it is smaller than a known one or lacks
 * cosignatures: caches and witnesses may be some moments behind.
 */
export async function readCheckpoints(
  log: FollowedLog,
  seenSize: number,
  settings: FetchSettings,
): Promise<Checkpoints> {
  const { witnesses, unread } = await readWitnesses(log, settings)
  const known = Math.max(seenSize, ...witnesses.map(({ checkpoint }) => checkpoint.size))
  for (let attempt = 1; ; attempt++) {
    const served = await readServed(log, settings)
    const same = witnesses.filter(({ checkpoint }) => checkpoint.text === served.checkpoint.text)
    const cosigned = [...served.cosigned, ...same.flatMap((view) => view.cosigned)]
    const quorumMet = isQuorumMet(log.policy.quorum, new Set(cosigned.map(({ name }) => name)))
    if ((quorumMet && served.checkpoint.size >= known) || attempt === ATTEMPTS)
      return { served, witnesses, unread, cosigned, quorumMet }
    await sleep(WAIT_MS, undefined, { signal: settings.signal })
  }
}

/** The latest time, in seconds, at which a quorum still vouched for a checkpoint; undefined without one. */
export function quorumTime(quorum: Quorum, cosigned: readonly Cosigner[]): number | undefined {
  const names = new Set<string>()
  return cosigned.toSorted((a, b) => b.time - a.time).find(({ name }) => isQuorumMet(quorum, names.add(name)))
    ?.time
}

async function readServed(log: FollowedLog, settings: FetchSettings): Promise<VerifiedCheckpoint> {
  const url = `${log.url}/checkpoint`
  const bytes = await fetchLimited(url, NOTE_LIMIT_BYTES, settings)
  if (bytes === undefined)
    throw new LogAlert(
      'log_unreachable',
      `${url} returned 404. Is this a kitseal service? Check the address.`,
    )
  return verifiedNote(bytes, log.policy, url)
}

async function verifiedNote(bytes: Uint8Array, policy: LogPolicy, url: string): Promise<VerifiedCheckpoint> {
  const checkpoint = parse(bytes, url)
  const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
  if (status.is === 'forged')
    throw new LogAlert('log_invalid', `${url}: the signature of ${status.signer} is not valid`, {
      'served.checkpoint': bytes,
    })
  if (status.is === 'unknown_log') {
    const names = policy.logs.map(({ key }) => `${key.name}+${key.keyId}`).join(', ')
    const message = `${url} is a checkpoint of ${checkpoint.origin}, not signed with the key of the followed log, ${names}`
    throw new LogAlert('log_invalid', message, { 'served.checkpoint': bytes })
  }
  return { checkpoint, note: noteBytes(checkpoint), cosigned: status.cosigned }
}

function parse(bytes: Uint8Array, url: string): SignedCheckpoint {
  try {
    return parseCheckpoint(bytes)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new LogAlert('log_invalid', `${url} is not a checkpoint: ${error.message}`)
  }
}

async function readWitnesses(
  log: FollowedLog,
  settings: FetchSettings,
): Promise<Pick<Checkpoints, 'witnesses' | 'unread'>> {
  const [own] = log.policy.logs
  const folder = hex(nodeHost.digest(utf8(own?.key.name ?? '')))
  const views = await Promise.all(
    log.policy.witnesses.map(async ({ name, url }) => {
      if (url === undefined) return undefined
      const address = `${url.replace(/\/+$/, '')}/${folder}/checkpoint`
      try {
        const bytes = await fetchLimited(address, NOTE_LIMIT_BYTES, settings)
        if (bytes === undefined) return `${name}: ${address} returned 404`
        const view = await verifiedNote(bytes, log.policy, address)
        const isCosigned = view.cosigned.some((cosigner) => cosigner.name === name)
        return isCosigned ? { ...view, witness: name } : `${name}: ${address} is not cosigned by it`
      } catch (error) {
        // A witness cannot end the run. If too many fail, the quorum is lost.
        if (error instanceof LogAlert) return `${name}: ${error.message}`
        throw error
      }
    }),
  )
  return {
    witnesses: views.filter((view) => typeof view === 'object'),
    unread: views.filter((view) => typeof view === 'string'),
  }
}
