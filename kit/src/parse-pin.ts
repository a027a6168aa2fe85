import type { JsonObject, JsonValue } from './encoding/strict-json.ts'
import { parseJwks, type PublicJwk } from './jwks.ts'
import type { Pin } from './trust.ts'

/**
 * Reads a pinned key as trust stores hold it: `kid`, `issuer` and optionally `key`, which must have that ID.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parsePin } from '@kitseal/kit'
 *
 * const kid = 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo'
 * assert.deepEqual(parsePin({ kid, issuer: 'https://issuer.example' }), { kid, issuer: 'https://issuer.example' })
 * ```
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
