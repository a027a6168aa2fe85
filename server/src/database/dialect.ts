import type { Kysely } from 'kysely'

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
}
