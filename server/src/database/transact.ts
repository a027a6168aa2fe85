import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema.ts'

const MOST_TRIES = 5

/** Of a transaction that was chosen to end so that others can go on: nothing of it was done. */
const ASKED_TO_REPEAT = new Set(['40001', '40P01'])

/** A transaction; where the database asks for it to be repeated, it is. */
export async function transact<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const code = (error as { readonly code?: unknown } | undefined)?.code
      if (tries === MOST_TRIES || typeof code !== 'string' || !ASKED_TO_REPEAT.has(code)) throw error
    }
  }
}
