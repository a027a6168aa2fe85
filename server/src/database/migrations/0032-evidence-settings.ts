import type { Kysely } from 'kysely'

/** The keys that a workspace pins for other issuers, and the evidence policy of a plan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('pins', 'text').execute()
  await db.schema
    .alterTable('plans')
    .addColumn('evidence_policy', 'text', (c) => c.notNull().defaultTo('open'))
    .execute()
  await db.schema.alterTable('plans').addColumn('finding_classes', 'text').execute()
}
