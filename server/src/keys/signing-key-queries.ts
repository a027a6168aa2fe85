import { appendKeyEvent } from '../database/append-leaf.ts'
import type { SigningKeysTable, Db } from '../database/schema.ts'
import { timestamp } from '../runtime/clock.ts'
import type { CreatedKey, KeyProviderName } from './signer.ts'

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

export async function countKitsSignedBy(db: Db, kid: string): Promise<number> {
  const counted = await db
    .selectFrom('kits')
    .select((eb) => eb.fn.countAll<number | string>().as('kits'))
    .where('public_key_kid', '=', kid)
    .executeTakeFirst()
  return Number(counted?.kits ?? 0)
}

export async function insertActiveKey(
  db: Db,
  key: CreatedKey,
  provider: KeyProviderName,
  nowMs: number,
): Promise<void> {
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

/** Locks the key until the transaction ends, so that no kit is issued with it meanwhile. */
export async function lockKey(trx: Db, kid: string): Promise<void> {
  await trx.selectFrom('signing_keys').select('kid').where('kid', '=', kid).forUpdate().execute()
}

/** Never before the key's last receipt, even if the clock was set back. */
export async function retireKey(db: Db, key: SigningKeyRow, nowMs: number): Promise<void> {
  await lockKey(db, key.kid)
  const last = await db
    .selectFrom('kits')
    .select((eb) => eb.fn.max('issued_at').as('at'))
    .where('public_key_kid', '=', key.kid)
    .executeTakeFirst()
  const retiredAt = [timestamp(nowMs), key.created_at, last?.at ?? ''].reduce((a, b) => (a > b ? a : b))
  await db
    .updateTable('signing_keys')
    .set({ state: 'retired', retired_at: retiredAt })
    .where('kid', '=', key.kid)
    .execute()
  await appendKeyEvent(db, key.kid, 'retired', retiredAt)
}

/** Returns false if it was already revoked. With `since`, it is compromised, and kits that are shown to be older stay valid. */
export async function revokeKey(db: Db, kid: string, revokedAt: string, since?: string): Promise<boolean> {
  const result = await db
    .updateTable('signing_keys')
    .set({ state: 'revoked', revoked_at: revokedAt, compromised_since: since ?? null })
    .where('kid', '=', kid)
    .where('state', '<>', 'revoked')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  await appendKeyEvent(db, kid, since === undefined ? 'revoked' : 'compromised', revokedAt, since)
  return true
}

/** States an earlier compromise of a compromised key. Returns false if it is not earlier. */
export async function moveCompromiseBack(db: Db, kid: string, since: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('signing_keys')
    .set({ compromised_since: since })
    .where('kid', '=', kid)
    .where('compromised_since', '>', since)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  await appendKeyEvent(db, kid, 'compromised', at, since)
  return true
}
