import { type Expression, type Kysely, type OperationNodeSource, sql } from 'kysely'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

/** A statement that changes rows, and whose result nobody needs. */
export interface Change extends OperationNodeSource {
  execute(): Promise<unknown>
}

/**
 * Makes changes of a transaction. To PostgreSQL each statement is a round trip, so there they are parts of one statement:
 * none may read what another writes.
 */
export async function inOneRoundTrip(trx: Kysely<Database>, changes: readonly Change[]): Promise<void> {
  if (!isShared(trx) || changes.length < 2) {
    for (const change of changes) await change.execute()
    return
  }
  const all = changes.reduce<Pick<Kysely<Database>, 'with' | 'selectNoFrom'>>(
    (before, change, index) => before.with(`change_${index}`, () => change as unknown as Expression<object>),
    trx,
  )
  await all.selectNoFrom(sql.lit(1).as('done')).execute()
}
