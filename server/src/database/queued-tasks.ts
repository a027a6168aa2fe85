import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** What to do once tasks of these kinds are queued, and committed. */
export type OnQueued = (kinds: ReadonlySet<string>) => void

const queuedIn = new WeakMap<object, Set<string>>()
const listeners = new WeakMap<object, OnQueued>()

/** On this node. */
export const onQueued = (db: Kysely<Database>, listener: OnQueued): void => void listeners.set(db, listener)

/** A transaction has queued a task; or it is done already, outside of any. */
export function noteQueued(db: Kysely<Database>, kind: string): void {
  if (!db.isTransaction) return listeners.get(db)?.(new Set([kind]))
  const kinds = queuedIn.get(db) ?? new Set()
  queuedIn.set(db, kinds.add(kind))
}

/** After the commit. */
export function tellQueued(db: Kysely<Database>, trx: object): void {
  const kinds = queuedIn.get(trx)
  if (kinds !== undefined) listeners.get(db)?.(kinds)
}
