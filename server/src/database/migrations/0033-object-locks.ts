import type { Kysely } from 'kysely'

/** Objects with a legal hold in the object store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('locked_objects')
    .addColumn('sha256', 'text', (c) => c.primaryKey())
    .addColumn('locked_at', 'text', (c) => c.notNull())
    .addColumn('pending', 'text')
    .execute()
}
