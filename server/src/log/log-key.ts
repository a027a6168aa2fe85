import { ED25519, fromBase64url, type NoteKey, noteKey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { takeLock } from '../database/dialect.ts'
import type { LogTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { KeyProvider } from '../keys/signer.ts'

/** SHA-256 of nothing, in base64: the root of the empty tree. */
export const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

const UNMARKED = { frozen_at: null, frozen_reason: null, marked: 0 } as const

/** The address of an issuer as the origin of its log: host and path, without a scheme. */
export function originOf(issuer: string): string {
  const { host, pathname } = new URL(issuer)
  return `${host}${pathname.replace(/\/+$/, '')}/log`
}

export function readLog(db: Db): Promise<Readonly<LogTable> | undefined> {
  return db.selectFrom('log').selectAll().executeTakeFirst()
}

/** Creates the log and its key, unless it exists. Origin and key are fixed from then on. */
export async function ensureLog(
  db: Db,
  [provider]: readonly [KeyProvider, ...KeyProvider[]],
  origin: string,
  clock: Clock,
): Promise<void> {
  if ((await readLog(db)) !== undefined) return
  const key = await provider.create()
  const created = await transact(db, async (trx) => {
    await takeLock(trx, 'log')
    if ((await readLog(trx)) !== undefined) return false
    const empty = { size: 0, root: EMPTY_ROOT, updated_at: timestamp(clock.now()) }
    await trx
      .insertInto('log')
      .values({ id: 1, origin, ...key, provider: provider.name, ...empty, ...UNMARKED })
      .execute()
    return true
  })
  if (!created) await provider.destroy(key.reference)
}

/** The public key, as checkpoints and policies name it. */
export function logNoteKey({ origin, x }: Pick<LogTable, 'origin' | 'x'>): NoteKey {
  return noteKey(origin, ED25519, fromBase64url(x) ?? new Uint8Array(0), nodeHost.digest)
}
