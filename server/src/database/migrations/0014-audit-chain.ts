import { type Kysely, sql } from 'kysely'
import type { WorkspaceId } from '../../runtime/identifiers.ts'
import { chainEvents } from '../audit-chain.ts'
import type { Dialect } from '../dialect.ts'
import type { Database } from '../schema.ts'

/**
 * The audit log of each workspace becomes a hash chain, with its heads in the transparency log. Nodes of the previous release
 * that run during an upgrade add events without a hash, which are chained later.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const name of ['prev', 'hash'])
    await db.schema.alterTable('audit_events').addColumn(name, 'text').execute()
  await sql`create index audit_events_unchained on audit_events (workspace_id, sequence) where hash is null`.execute(
    db,
  )
  await dialect.dropGuard(db, { name: 'audit_events_fixed', on: 'audit_events' })
  const { rows } = await sql<{ workspace_id: WorkspaceId }>`select workspace_id from workspaces`.execute(db)
  for (const { workspace_id } of rows) await chainEvents(db as unknown as Kysely<Database>, workspace_id)
  await db.schema
    .createTable('audit_heads')
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addColumn('head', 'text', (c) => c.notNull())
    .addColumn('leaf_id', 'bigint', (c) => c.references('log_leaves.leaf_id'))
    .addColumn('logged_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_heads_primary_key', ['workspace_id', 'count'])
    .execute()
  await db.schema.alterTable('evidence').addColumn('received_by', 'text').execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
  await addHeads(db, dialect)
}

/** `workspaces.audit_head` is the hash of the newest event, so that the statement that locks the workspace also returns it. */
async function addHeads(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('audit_head', 'text').execute()
  await sql`update workspaces set audit_head = (select hash from audit_events
    where audit_events.workspace_id = workspaces.workspace_id
      and audit_events.sequence = workspaces.audit_events)`.execute(db)
  const update = 'update workspaces set audit_head = new.hash where workspace_id = new.workspace_id;'
  if (dialect.name === 'sqlite') {
    await sql
      .raw(`create trigger audit_events_head after insert on audit_events begin ${update} end`)
      .execute(db)
    return
  }
  const body = `begin ${update} return null; end`
  await sql
    .raw(`create function audit_events_head() returns trigger language plpgsql as $head$ ${body} $head$`)
    .execute(db)
  await sql
    .raw(
      `create trigger audit_events_head after insert on audit_events for each row
        execute function audit_events_head()`,
    )
    .execute(db)
}

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const RULES = [
  {
    name: 'audit_events_fixed',
    on: 'audit_events',
    event: 'update',
    when: `old.hash is not null or new.hash is null or new.prev is null or ${changed(
      'workspace_id',
      'sequence',
      'at',
      'actor',
      'key_id',
      'member_id',
      'action',
      'subject',
      'details',
    )}`,
    message: 'events are only added',
  },
  {
    name: 'audit_events_chain',
    on: 'audit_events',
    event: 'insert',
    when: `new.hash is not null and new.sequence > 1 and not exists (select 1 from audit_events
      where audit_events.workspace_id = new.workspace_id and audit_events.sequence = new.sequence - 1
        and audit_events.hash = new.prev)`,
    message: 'an event follows the newest one',
  },
  {
    name: 'audit_heads_stay',
    on: 'audit_heads',
    event: 'delete',
    when: 'true',
    message: 'heads are only added',
  },
  {
    name: 'audit_heads_fixed',
    on: 'audit_heads',
    event: 'update',
    when: `old.leaf_id is not null or ${changed('workspace_id', 'count', 'head', 'logged_at')}`,
    message: 'heads are only added',
  },
] as const
