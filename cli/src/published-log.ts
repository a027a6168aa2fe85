import type { LogPolicy, NoteKey } from '@kitseal/kit/internal'
import { fetchDocument } from './fetch-document.ts'
import { InputError } from './input-error.ts'
import { parsePolicyOf } from './read-policy.ts'

/** The log that an issuer publishes, with the witnesses that it names. */
export interface PublishedLog {
  readonly key: NoteKey
  readonly policy: LogPolicy
}

/** Undefined if the issuer publishes no log. */
export async function fetchLog(issuer: string): Promise<PublishedLog | undefined> {
  const url = `${issuer}/log/policy`
  const bytes = await fetchDocument(url, { what: 'a policy', limitMiB: 1 })
  if (bytes === undefined) return undefined
  const policy = parsePolicyOf(url, bytes)
  const key = logOf(issuer, policy)
  if (key === undefined) throw new InputError(`${url} names no log of ${issuer}`)
  return { key, policy }
}

/** The log of an issuer in a policy: the only one, or the one that is named after the issuer. */
export function logOf(issuer: string, { logs }: LogPolicy): NoteKey | undefined {
  const origin = `${issuer.replace(/^https?:\/\//, '')}/log`
  const [only, ...others] = logs
  if (others.length === 0) return only?.key
  return logs.find(({ key, url }) => url?.replace(/\/+$/, '') === `${issuer}/log` || key.name === origin)?.key
}
