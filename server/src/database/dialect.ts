import { type Kysely, PostgresAdapter } from 'kysely'

/** A trigger that rejects a row change if `when` holds for `new` and `old`. */
export interface GuardTrigger {
  readonly name: string
  readonly on: string
  readonly event: 'insert' | 'update' | 'delete'
  /** An SQL condition that is valid in every dialect. */
  readonly when: string
  readonly message: string
}

/** The only differences between databases. Queries are shared. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  createGuard(db: Kysely<unknown>, trigger: GuardTrigger): Promise<void>
  dropGuard(db: Kysely<unknown>, trigger: Pick<GuardTrigger, 'name' | 'on'>): Promise<void>
}

/** Whether the database runs transactions concurrently (PostgreSQL). SQLite has one writer at a time. */
export function isShared<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
