import { type JsonValue, parseJwks, type TrustedKeySet } from '@kitseal/kit'
import { type Fetched, fetchJson } from '../fetch-json.ts'
import { fetchServiceInfo } from '../public/service-info.ts'
import { texts } from '../texts/index.ts'

/** The keys that this service publishes, never those in a kit. They verify only kits that name this service as issuer. */
export async function publishedKeys(): Promise<Fetched<TrustedKeySet>> {
  const [fetched, info] = await Promise.all([
    fetchJson<JsonValue>('/.well-known/jwks.json'),
    fetchServiceInfo(),
  ])
  if (!fetched.ok) return fetched
  if (!info.ok) return info
  const parsed = parseJwks(fetched.value)
  if (parsed.ok) return { ok: true, value: { ...parsed.value, source: 'url', issuer: info.value.issuer } }
  return { ok: false, status: 200, code: 'unexpected', message: texts.problem.unexpected }
}
