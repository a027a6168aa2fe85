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
