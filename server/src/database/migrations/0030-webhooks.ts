import { type Kysely, sql } from 'kysely'

/** Webhooks, what was sent to them, and the key that signs it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('webhook_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('types', 'text')
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('delivered_seq', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'bigint', (c) => c.notNull())
    .addColumn('disabled_at', 'text')
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await sql`create index webhooks_of_workspace on webhooks (workspace_id, created_at)`.execute(db)
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.webhook_id').onDelete('cascade'))
    .addColumn('number', 'bigint', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('duration_ms', 'integer', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_primary_key', ['webhook_id', 'number'])
    .execute()
  await db.schema
    .createTable('webhook_keys')
    .addColumn('kid', 'text', (c) => c.primaryKey())
    .addColumn('x', 'text', (c) => c.notNull())
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
}
