import { parseJwks, parseStrictJson } from '@kitseal/kit'
import { LogAlert } from './alert.ts'
import { fetchLimited, type FetchSettings } from './fetch-limited.ts'

const LIMIT_BYTES = 4 * 1024 * 1024

/** The IDs of all keys in the key set of an issuer, also of revoked ones. Throws LogAlert. */
export async function publishedKids(issuer: string, settings: FetchSettings): Promise<ReadonlySet<string>> {
  const url = `${issuer}/.well-known/jwks.json`
  const bytes = await fetchLimited(url, LIMIT_BYTES, settings)
  if (bytes === undefined) throw new LogAlert('log_unreachable', `${url} returned 404`)
  try {
    const parsed = parseJwks(parseStrictJson(bytes))
    if (parsed.ok) return new Set([...parsed.value.keys, ...parsed.value.revoked].map(({ kid }) => kid))
  } catch {
    // Not JSON.
  }
  throw new LogAlert('log_invalid', `${url} is not a key set`)
}
