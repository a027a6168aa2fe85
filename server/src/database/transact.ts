import type { Kysely, Transaction } from 'kysely'
import { queueingIn } from './queued-tasks.ts'
import type { Database } from './schema.ts'

const MAX_ATTEMPTS = 5

/** PostgreSQL's codes for serialization failure and deadlock: the transaction was rolled back. */
const RETRYABLE = new Set(['40001', '40P01'])

/** Runs a transaction, and retries it after a deadlock or serialization failure. */
export async function transact<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await committed(db, work)
    } catch (error) {
      const code = (error as { readonly code?: unknown } | undefined)?.code
      if (attempt === MAX_ATTEMPTS || typeof code !== 'string' || !RETRYABLE.has(code)) throw error
    }
  }
}

/** Runs a transaction once. Tasks that it has queued begin after its commit. */
export async function committed<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  let queued: ReturnType<typeof queueingIn> | undefined
  try {
    const result = await db.transaction().execute((trx) => {
      queued = queueingIn(db, trx)
      return work(trx)
    })
    queued?.committed()
    return result
  } catch (error) {
    queued?.rolledBack()
    throw error
  }
}
