import type { Kysely } from 'kysely'

/** The one who shares can be told by mail when a recipient downloads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('shares')
    .addColumn('notify_downloads', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
