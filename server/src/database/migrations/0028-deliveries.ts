import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** The queue of messages that leave the service, and the addresses that want no more reminders. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('delivery_id', 'text', (c) => c.primaryKey())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('dedupe', 'text', (c) => c.notNull())
    .addColumn('workspace_id', 'text', (c) => c.references('workspaces.workspace_id'))
    .addColumn('payload', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('lease_token', 'integer', (c) => c.notNull())
    .addColumn('failing_since', 'text')
    .addColumn('problem', 'text')
    .addColumn('ended_at', 'text')
    .execute()
  await sql`create unique index deliveries_once on deliveries (channel, dedupe)`.execute(db)
  await sql`create index deliveries_due on deliveries (channel, due_at) where state = 'pending'`.execute(db)
  await sql`create index deliveries_ended on deliveries (ended_at) where state <> 'pending'`.execute(db)
  await db.schema
    .createTable('unsubscribes')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('unsubscribed_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('unsubscribes_primary_key', ['workspace_id', 'email'])
    .execute()
  await dialect.dropGuard(db, LINKS_BEGIN)
  await dialect.createGuard(db, LINKS_BEGIN)
}

const LINKS_BEGIN = {
  name: 'links_begin',
  on: 'links',
  event: 'insert',
  when: `new.purpose not in ('invitation', 'share', 'request', 'unsubscribe') or new.revoked_at is not null`,
  message: 'a link has one of the purposes',
} as const
