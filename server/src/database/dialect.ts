import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Whether the database runs transactions concurrently (PostgreSQL). SQLite has one writer at a time. */
export function isShared<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** All releases use the same numbers. */
const LOCKS = { schema: 1, signingKeys: 2, firstWorkspace: 3, log: 4, webhooks: 5 } as const

/** 'kits' in ASCII: separates our locks from those of other programs in the same database. */
const NAMESPACE = 0x6b697473

/** Holds a lock until the transaction ends. SQLite needs none: a transaction is exclusive already. */
export async function takeLock<T>(trx: Kysely<T>, lock: keyof typeof LOCKS): Promise<void> {
  if (isShared(trx))
    await sql`select pg_advisory_xact_lock(${NAMESPACE}::int, ${LOCKS[lock]}::int)`.execute(trx)
}
