import type { Kysely } from 'kysely'

/** What was noticed in the evidence, and what the supplier acknowledges. Both are JSON. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('findings', 'text').execute()
  await db.schema.alterTable('submissions').addColumn('accept', 'text').execute()
}
