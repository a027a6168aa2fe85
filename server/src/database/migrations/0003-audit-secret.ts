import type { Kysely } from 'kysely'

/** Audit logs that exist keep their tag. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('audit_secret', 'text').execute()
}
