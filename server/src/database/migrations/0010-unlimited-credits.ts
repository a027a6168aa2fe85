import type { Kysely } from 'kysely'

/** Workspaces that exist keep their number of credits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('workspaces')
    .addColumn('credits_unlimited', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
