import { appendKeyEvent } from '../database/append-leaf.ts'
import type { SigningKeysTable, Db } from '../database/schema.ts'
import { timestamp, type Clock } from '../runtime/clock.ts'
import type { CreatedKey, KeyProviderName } from './signer.ts'
import {
  type Jwks,
  type PublicJwk,
  type RevokedKey,
  type LogLeaf,
  parseLeaf,
  thumbprint,
  utf8,
} from '@kitseal/kit/internal'
import { takeLock } from '../database/dialect.ts'
import { transact } from '../database/transact.ts'

export type SigningKeyRow = Readonly<SigningKeysTable>

/** The active key first, then the newest. State names sort in that order. */
export function allSigningKeys(db: Db): Promise<readonly SigningKeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('state')
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute()
}

export function findSigningKey(db: Db, kid: string): Promise<SigningKeyRow | undefined> {
  return db.selectFrom('signing_keys').selectAll().where('kid', '=', kid).executeTakeFirst()
}

export function findActiveKey(db: Db): Promise<SigningKeyRow | undefined> {
  return db.selectFrom('signing_keys').selectAll().where('state', '=', 'active').executeTakeFirst()
}

export async function insertActiveKey(db: Db, key: CreatedKey, provider: KeyProviderName, nowMs: number) {
  await db
    .insertInto('signing_keys')
    .values({
      ...key,
      provider,
      state: 'active',
      created_at: timestamp(nowMs),
      retired_at: null,
      revoked_at: null,
      compromised_since: null,
    })
    .execute()
  await appendKeyEvent(db, key.kid, 'added', timestamp(nowMs))
}

/** Never before the key's last receipt, even if the clock was set back. */
export async function setRetired(
  db: Db,
  { kid, created_at }: Pick<SigningKeyRow, 'kid' | 'created_at'>,
  at: string,
): Promise<string> {
  const last = await db
    .selectFrom('kits')
    .select((eb) => eb.fn.max('issued_at').as('at'))
    .where('public_key_kid', '=', kid)
    .executeTakeFirst()
  const retired_at = [at, created_at, last?.at ?? ''].reduce((a, b) => (a > b ? a : b))
  await db.updateTable('signing_keys').set({ state: 'retired', retired_at }).where('kid', '=', kid).execute()
  return retired_at
}

export async function retireKey(db: Db, key: SigningKeyRow, nowMs: number): Promise<void> {
  // Until the transaction ends, no kit is issued with it.
  await db.selectFrom('signing_keys').select('kid').where('kid', '=', key.kid).forUpdate().execute()
  await appendKeyEvent(db, key.kid, 'retired', await setRetired(db, key, timestamp(nowMs)))
}

/** Returns false if it was already revoked. With `since`, it is compromised, and kits that are shown to be older stay valid. */
export async function setRevoked(db: Db, kid: string, revoked_at: string, since?: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signing_keys')
    .set({ state: 'revoked', revoked_at, compromised_since: since ?? null })
    .where('kid', '=', kid)
    .where('state', '<>', 'revoked')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function revokeKey(db: Db, kid: string, revokedAt: string, since?: string): Promise<boolean> {
  if (!(await setRevoked(db, kid, revokedAt, since))) return false
  await appendKeyEvent(db, kid, since === undefined ? 'revoked' : 'compromised', revokedAt, since)
  return true
}

/** States an earlier compromise of a compromised key. Returns false if it is not earlier. */
export async function setCompromisedSince(db: Db, kid: string, since: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signing_keys')
    .set({ compromised_since: since })
    .where('kid', '=', kid)
    .where('compromised_since', '>', since)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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

/**
 * Whether a receipt with this key and time verifies. Call it in the transaction that issues kits: the key may have been retired or
 * revoked meanwhile, and is locked until the transaction ends.
 */
export async function keyMaySign(db: Db, kid: string, issuedAt: string): Promise<boolean> {
  const row = await db
    .selectFrom('signing_keys')
    .selectAll()
    .where('kid', '=', kid)
    .forShare()
    .executeTakeFirst()
  if (row === undefined || row.state === 'revoked') return false
  const { iat = 0, exp = Number.POSITIVE_INFINITY } = publicJwk(row)
  const at = Date.parse(issuedAt)
  return iat * 1000 <= at && at < exp * 1000
}

/** Treats revoked keys as retired, to check whether kits are intact, not whether their keys are trusted. */
export async function keysOfAllKits(db: Db): Promise<Jwks> {
  const rows = await allSigningKeys(db)
  return publishedKeys(
    rows.map((row) => Object.assign(row, { state: 'retired', retired_at: row.retired_at ?? row.revoked_at })),
  )
}

/** `not_logged`: the log of this service does not say that the key was ever one of its keys. */
export type ImportedKey = 'imported' | 'known' | 'not_logged'

/**
 * Takes back the public half of a key that signed kits, and that a restored database does not know. Its times are those in the
 * log, which also says whether it was revoked. It never signs again.
 */
export async function importKey(db: Db, clock: Clock, { x }: Pick<PublicJwk, 'x'>): Promise<ImportedKey> {
  const kid = thumbprint(x)
  return transact(db, async (trx) => {
    await takeLock(trx, 'signingKeys')
    if ((await findSigningKey(trx, kid)) !== undefined) return 'known'
    const events = await eventsOf(trx, kid)
    const added = events.find(({ event }) => event === 'added')
    if (added === undefined) return 'not_logged'
    const ended = events.find(({ event }) => event !== 'added')
    const retired_at = ended?.at ?? timestamp(clock.now())
    const key = { kid, x, provider: 'imported', reference: kid, created_at: added.at } as const
    await trx
      .insertInto('signing_keys')
      .values({ ...key, state: 'retired', retired_at, revoked_at: null, compromised_since: null })
      .execute()
    const revoked = events.findLast(({ event }) => event === 'revoked' || event === 'compromised')
    if (revoked !== undefined) await setRevoked(trx, kid, revoked.at, revoked.since)
    return 'imported'
  })
}

async function eventsOf(db: Db, kid: string) {
  const rows = await db
    .selectFrom('log_leaves')
    .select('leaf')
    .where('leaf', 'like', `%"kid":"${kid}"%`)
    .where('leaf_index', 'is not', null)
    .orderBy('leaf_index')
    .execute()
  const leaves: readonly LogLeaf[] = rows.map(({ leaf }) => parseLeaf(utf8(leaf)))
  return leaves.flatMap((leaf) => (leaf.kind === 'key' && leaf.kid === kid ? [leaf] : []))
}
