import { type JsonValue, type KeySet, parseJwks } from '@kitseal/kit'
import { type Fetched, fetchJson } from '../fetch-json.ts'
import { texts } from '../texts/index.ts'

/** The keys that this service publishes, never those in a kit. */
export async function publishedKeys(): Promise<Fetched<KeySet>> {
  const fetched = await fetchJson<JsonValue>('/.well-known/jwks.json')
  if (!fetched.ok) return fetched
  const parsed = parseJwks(fetched.value)
  if (parsed.ok) return parsed
  return { ok: false, status: 200, code: 'unexpected', message: texts.problem.unexpected }
}
