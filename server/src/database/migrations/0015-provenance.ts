import type { Kysely } from 'kysely'

/** Where evidence came from: the claims of the CI token of a key, how each file was received, and what the supplier states. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('ci_claims', 'text').execute()
  await db.schema.alterTable('evidence').addColumn('received', 'text').execute()
  await db.schema.alterTable('submissions').addColumn('provenance', 'text').execute()
}
