import type { Jwks, PublicJwk, RevokedKey } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import { type SigningKeyRow, allSigningKeys } from './signing-key-queries.ts'

/** The public key set: every key that is not revoked, the active one first. */
export function publishedKeys(rows: readonly SigningKeyRow[]): Jwks {
  return { keys: rows.filter((row) => row.state !== 'revoked').map(publicJwk) }
}

/** The keys that verifiers must reject. */
export function revokedKeys(rows: readonly SigningKeyRow[]): readonly RevokedKey[] {
  return rows.flatMap(({ kid, revoked_at, compromised_since }) => {
    if (revoked_at === null) return []
    return [compromised_since === null ? { kid, revoked_at } : { kid, revoked_at, compromised_since }]
  })
}

/** `iat` and `exp` are rounded outwards to whole seconds, to cover the time of every receipt. */
function publicJwk(row: SigningKeyRow): PublicJwk {
  const iat = Math.floor(Date.parse(row.created_at) / 1000)
  const key = { kty: 'OKP', crv: 'Ed25519', x: row.x, kid: row.kid, use: 'sig', alg: 'EdDSA', iat } as const
  return row.retired_at === null ? key : { ...key, exp: Math.floor(Date.parse(row.retired_at) / 1000) + 1 }
}

/** Whether a receipt with this key and time verifies. */
type MaySign = (kid: string, issuedAt: string) => boolean

/**
 * Call it in the transaction that issues kits: keys may have been retired or revoked meanwhile, and are locked until the
 * transaction ends.
 */
async function keysThatMaySign(db: Db, kids: readonly string[]): Promise<MaySign> {
  const rows = await db.selectFrom('signing_keys').selectAll().where('kid', 'in', kids).forShare().execute()
  const keys = new Map(rows.flatMap((row) => (row.state === 'revoked' ? [] : [[row.kid, publicJwk(row)]])))
  return (kid, issuedAt) => {
    const key = keys.get(kid)
    if (key === undefined) return false
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = key
    const at = Date.parse(issuedAt)
    return iat * 1000 <= at && at < exp * 1000
  }
}

/** The same for one key. */
export async function keyMaySign(db: Db, kid: string, issuedAt: string): Promise<boolean> {
  return (await keysThatMaySign(db, [kid]))(kid, issuedAt)
}

/** Treats revoked keys as retired, to check whether kits are intact, not whether their keys are trusted. */
export async function keysOfAllKits(db: Db): Promise<Jwks> {
  return publishedKeys((await allSigningKeys(db)).map(asRetired))
}

function asRetired(row: SigningKeyRow): SigningKeyRow {
  return { ...row, state: 'retired', retired_at: row.retired_at ?? row.revoked_at }
}
