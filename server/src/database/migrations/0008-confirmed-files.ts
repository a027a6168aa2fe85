import type { Kysely } from 'kysely'

/** Files of a submission that a person says are for an item of its profile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('submissions').addColumn('confirmed', 'text').execute()
}
