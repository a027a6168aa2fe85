import type { Kysely } from 'kysely'

/** The language of a workspace's binders and mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('workspaces')
    .addColumn('language', 'text', (column) => column.notNull().defaultTo('en'))
    .execute()
}
