import type { Kysely } from 'kysely'
import { createIndexes, primaryKey, refersTo, required } from '../parts.ts'

/** The queue of messages that leave the service, and webhooks with what was sent to them. */
export async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('delivery_id', 'text', primaryKey)
    .addColumn('channel', 'text', required)
    .addColumn('dedupe', 'text', required)
    .addColumn('workspace_id', 'text', (c) => c.references('workspaces.workspace_id'))
    .addColumn('payload', 'text')
    .addColumn('state', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('due_at', 'text', required)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', required)
    .addColumn('failing_since', 'text')
    .addColumn('problem', 'text')
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createTable('unsubscribes')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('email', 'text', required)
    .addColumn('unsubscribed_at', 'text', required)
    .addPrimaryKeyConstraint('unsubscribes_primary_key', ['workspace_id', 'email'])
    .execute()
  await createWebhooks(db)
  await createIndexes(db, [
    'unique index deliveries_once on deliveries (channel, dedupe)',
    "index deliveries_due on deliveries (channel, due_at) where state = 'pending'",
    "index deliveries_ended on deliveries (ended_at) where state <> 'pending'",
    'index webhooks_of_workspace on webhooks (workspace_id, created_at)',
  ])
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('webhook_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('url', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('types', 'text')
    .addColumn('secret', 'text', required)
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('delivered_seq', 'bigint', required)
    .addColumn('attempts', 'bigint', required)
    .addColumn('disabled_at', 'text')
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.webhook_id').onDelete('cascade'))
    .addColumn('number', 'bigint', required)
    .addColumn('seq', 'bigint', required)
    .addColumn('type', 'text', required)
    .addColumn('at', 'text', required)
    .addColumn('status', 'integer')
    .addColumn('duration_ms', 'integer', required)
    .addColumn('problem', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_primary_key', ['webhook_id', 'number'])
    .execute()
  await db.schema
    .createTable('webhook_keys')
    .addColumn('kid', 'text', primaryKey)
    .addColumn('x', 'text', required)
    .addColumn('reference', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute()
}
