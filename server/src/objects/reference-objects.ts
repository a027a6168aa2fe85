import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { ObjectsUnavailable } from './object-store.ts'

/** Raised by a trigger of the database (migration 0005) when a record refers to an object that is condemned. */
const OBJECT_CONDEMNED = /the object is about to be removed/

/**
 * Runs a transaction whose records refer to these objects. If the orphan sweep has condemned one of them, cancels the
 * removal and runs the transaction again; if the removal has begun, throws `ObjectsUnavailable`.
 */
export async function referenceObjects<T>(
  db: Kysely<Database>,
  objects: readonly string[],
  transaction: () => Promise<T>,
): Promise<T> {
  try {
    return await transaction()
  } catch (error) {
    if (!(error instanceof Error) || !OBJECT_CONDEMNED.test(error.message)) throw error
    await cancelRemoval(db, objects)
    const left = await db
      .selectFrom('condemned_objects')
      .select('sha256')
      .where('sha256', 'in', objects)
      .execute()
    if (left.length > 0) throw new ObjectsUnavailable('is removing an object of the same content', error)
    return await transaction()
  }
}

/** Keeps condemned objects whose removal has not begun. */
export async function cancelRemoval(db: Kysely<Database>, objects: readonly string[]): Promise<void> {
  await db
    .deleteFrom('condemned_objects')
    .where('sha256', 'in', objects)
    .where('removing_at', 'is', null)
    .execute()
}
