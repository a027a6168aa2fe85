import { type Kysely, PostgresAdapter } from 'kysely'

/** What the store itself refuses: a row change for which `when` holds over `new` and `old`. */
export interface StoreRule {
  readonly name: string
  readonly on: string
  readonly event: 'insert' | 'update' | 'delete'
  /** An SQL condition in the words that every dialect shares. */
  readonly when: string
  readonly message: string
}

/** What differs between databases, and nothing else: queries are shared. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  refuseWhen(db: Kysely<unknown>, rule: StoreRule): Promise<void>
  /** Takes a rule back, to put another in its place. */
  withdraw(db: Kysely<unknown>, rule: Pick<StoreRule, 'name' | 'on'>): Promise<void>
}

/** Whether transactions of others run at the same time; in the embedded store one writes at a time. `db` may be one. */
export function isShared<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
