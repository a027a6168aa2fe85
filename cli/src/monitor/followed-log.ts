import {
  LogFormatError,
  type LogPolicy,
  type NoteKey,
  parsePolicy,
  parseVkey,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { InputError } from '../input-error.ts'
import { logOf } from '../published-log.ts'
import { LogAlert } from './alert.ts'
import { fetchLimited, type FetchSettings } from './fetch-limited.ts'
import type { Seen } from './monitor-state.ts'

const POLICY_LIMIT_BYTES = 1_000_000

/** A log and what the user trusts about it. */
export interface FollowedLog {
  readonly issuer: string
  /** The address of checkpoint and tiles. */
  readonly url: string
  readonly vkey: string
  /** With this log only. */
  readonly policy: LogPolicy
  /** Whether the key was taken from the issuer itself, in this run. */
  readonly firstUse: boolean
}

export interface KeySource {
  readonly policy: LogPolicy | undefined
  readonly vkey: string | undefined
}

/** The key of the log: from the user, from the state, or, on first use, from the issuer. */
export async function followLog(
  issuer: string,
  given: KeySource,
  seen: Seen | undefined,
  statePath: string,
  settings: FetchSettings,
): Promise<FollowedLog> {
  if (seen !== undefined && seen.issuer !== issuer)
    throw new InputError(`the state ${statePath} is of ${seen.issuer}. Use another --state for ${issuer}.`)
  const chosen = givenKey(issuer, given)
  if (chosen !== undefined && seen !== undefined && vkey(chosen) !== seen.vkey)
    throw new InputError(
      `the state ${statePath} follows the log key ${seen.vkey}, and you gave ${vkey(chosen)}.`,
      'The key of a log never changes. If the issuer started another log, follow it with another --state.',
    )
  const key =
    chosen ??
    (seen === undefined ? await publishedKey(issuer, settings) : parseVkey(seen.vkey, nodeHost.digest))
  return {
    issuer,
    url: `${issuer}/log`,
    vkey: vkey(key),
    policy: { logs: [{ key }], witnesses: given.policy?.witnesses ?? [], quorum: given.policy?.quorum },
    firstUse: chosen === undefined && seen === undefined,
  }
}

function givenKey(issuer: string, { policy, vkey: text }: KeySource): NoteKey | undefined {
  if (text !== undefined) return parseKey(text)
  if (policy === undefined) return undefined
  const found = logOf(issuer, policy)
  if (found === undefined) throw new InputError(`the policy names no log of ${issuer}`)
  return found
}

function parseKey(text: string): NoteKey {
  try {
    return parseVkey(text, nodeHost.digest)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new InputError(`--vkey: ${error.message}`)
  }
}

async function publishedKey(issuer: string, settings: FetchSettings): Promise<NoteKey> {
  const url = `${issuer}/log/policy`
  const bytes = await fetchLimited(url, POLICY_LIMIT_BYTES, settings)
  if (bytes === undefined)
    throw new LogAlert(
      'log_unreachable',
      `${url} returned 404. Is this a kitseal service? Check the address.`,
    )
  try {
    const [log] = parsePolicy(bytes, nodeHost.digest).logs
    if (log === undefined) throw new LogAlert('log_invalid', `${url} names no log`)
    return log.key
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    throw new LogAlert('log_invalid', `${url} is not a policy: ${error.message}`)
  }
}
