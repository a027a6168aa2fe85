import {
  type JsonValue,
  parseJwks,
  parsePolicy,
  type PinnedLog,
  sameOrigin,
  utf8,
  webHost,
} from '@kitseal/kit/internal'
import { type SiteKeySet, siteKeySet } from '@kitseal/kit/in-browser'
import type { ServiceInfo } from '../core/console-types.generated.ts'
import { fetchHere, fetchJson } from '../core/fetch-json.ts'
import { t } from '../core/texts.ts'

export const fetchServiceInfo = (): Promise<ServiceInfo> => fetchJson('/console/api/public')

/** The keys of this service, and its log. */
export interface PublishedKeys {
  readonly keys: SiteKeySet
  readonly logs: readonly PinnedLog[]
}

/** The keys and the log that this service publishes, never those in a kit. They count only for kits that name this site as issuer. */
export async function publishedKeys(): Promise<PublishedKeys> {
  const [jwks, { issuer }, policy] = await Promise.all([
    // A revocation counts at once.
    fetchJson<JsonValue>('/.well-known/jwks.json', { cache: 'no-cache' }),
    fetchServiceInfo(),
    fetchPolicy(),
  ])
  const parsed = parseJwks(jwks)
  if (!parsed.ok) throw new Error(t('problem.unexpected'))
  // Any number of the witnesses that the issuer names is enough: the words say how many there are.
  const logs =
    policy === undefined || !sameOrigin(issuer, location.origin)
      ? []
      : [{ issuer, policy: { ...policy, quorum: undefined }, isIssuers: true }]
  return { keys: siteKeySet(parsed.value, issuer, location.origin), logs }
}

/** Undefined if the log cannot be read: a kit is then verified without it. */
async function fetchPolicy(): Promise<PinnedLog['policy'] | undefined> {
  try {
    return parsePolicy(utf8(await (await fetchHere('/log/policy')).text()), webHost.digest)
  } catch {
    return undefined
  }
}
