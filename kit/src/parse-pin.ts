import type { JsonObject, JsonValue } from './encoding/strict-json.ts'
import { parseJwks, type PublicJwk } from './jwks.ts'
import type { Pin } from './trust.ts'

/**
 * Reads a pinned key as trust stores hold it: `kid`, `issuer` and optionally `key`, which must have that ID.
 */
export function parsePin({ kid, issuer, key }: JsonObject): Pin | undefined {
  if (typeof kid !== 'string' || typeof issuer !== 'string') return undefined
  if (key === undefined) return { kid, issuer }
  const parsed = storedKey(key)
  return parsed?.kid === kid ? { kid, issuer, key: parsed } : undefined
}

function storedKey(value: JsonValue): PublicJwk | undefined {
  const parsed = parseJwks({ keys: [value] })
  return parsed.ok ? parsed.value.keys[0] : undefined
}
