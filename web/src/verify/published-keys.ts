import {
  type JsonValue,
  parseJwks,
  parsePolicy,
  type PinnedLog,
  type TrustedKeySet,
  utf8,
  webHost,
} from '@kitseal/kit'
import { type Fetched, fetchJson } from '../fetch-json.ts'
import { fetchServiceInfo } from '../public/service-info.ts'
import { texts } from '../texts/index.ts'

/** The keys of this service, and its log. */
export interface PublishedKeys {
  readonly keys: TrustedKeySet
  readonly logs: readonly PinnedLog[]
}

/** The keys and the log that this service publishes, never those in a kit. They count only for kits that name this service as issuer. */
export async function publishedKeys(): Promise<Fetched<PublishedKeys>> {
  const [fetched, info, policy] = await Promise.all([
    // A revocation counts at once.
    fetchJson<JsonValue>('/.well-known/jwks.json', { cache: 'no-cache' }),
    fetchServiceInfo(),
    fetchPolicy(),
  ])
  if (!fetched.ok) return fetched
  if (!info.ok) return info
  const { issuer } = info.value
  const parsed = parseJwks(fetched.value)
  if (!parsed.ok) return { ok: false, status: 200, code: 'unexpected', message: texts.problem.unexpected }
  // Any number of the witnesses that the issuer names is enough: the words say how many there are.
  const logs =
    policy === undefined ? [] : [{ issuer, policy: { ...policy, quorum: undefined }, isIssuers: true }]
  return { ok: true, value: { keys: { ...parsed.value, source: 'url', issuer }, logs } }
}

/** Undefined if the log cannot be read: a kit is then verified without it. */
async function fetchPolicy(): Promise<PinnedLog['policy'] | undefined> {
  try {
    const answer = await fetch('/log/policy')
    return answer.ok ? parsePolicy(utf8(await answer.text()), webHost.digest) : undefined
  } catch {
    return undefined
  }
}
