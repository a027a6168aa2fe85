import type { Kysely } from 'kysely'

/** A log can be frozen, and knows whether it ever had a high-water mark. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('log').addColumn('frozen_at', 'text').execute()
  await db.schema.alterTable('log').addColumn('frozen_reason', 'text').execute()
  await db.schema
    .alterTable('log')
    .addColumn('marked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
