import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** A trigger that rejects a row change if `when` holds for `new` and `old`. */
export interface GuardTrigger {
  readonly name: string
  readonly on: string
  readonly event: 'insert' | 'update' | 'delete'
  /** An SQL condition that is valid in every dialect. */
  readonly when: string
  readonly message: string
}

/** A trigger that keeps a value of another row up to date after a change, if `when` holds. */
export interface CountTrigger {
  readonly name: string
  readonly on: string
  readonly event: 'insert' | 'update'
  readonly when: string
  readonly update: string
}

/** The only differences between databases. Queries are shared. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** A table or index of the definitions, in this dialect. */
  definition(text: string): string
  createCount(db: Kysely<unknown>, trigger: CountTrigger): Promise<void>
  createGuard(db: Kysely<unknown>, trigger: GuardTrigger): Promise<void>
  dropGuard(db: Kysely<unknown>, trigger: Pick<GuardTrigger, 'name' | 'on'>): Promise<void>
}

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
