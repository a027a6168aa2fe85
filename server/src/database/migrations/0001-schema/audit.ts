import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, fixed, refersTo, required, stay } from '../parts.ts'

/** The credits and the events of workspaces, which are only added to, and the heads of their audit logs. */
export async function createAudit(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('credit_ledger')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('available_change', 'bigint', required)
    .addColumn('held_change', 'bigint', required)
    .addColumn('available_after', 'bigint', required)
    .addColumn('submission_id', 'text', (c) => c.references('submissions.submission_id'))
    .addColumn('note', 'text')
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('credit_ledger_primary_key', ['workspace_id', 'sequence'])
    .execute()
  await db.schema
    .createTable('audit_events')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('at', 'text', required)
    .addColumn('actor', 'text', required)
    .addColumn('key_id', 'text')
    .addColumn('action', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('details', 'text', required)
    .addColumn('member_id', 'text')
    .addColumn('prev', 'text')
    .addColumn('hash', 'text')
    .addPrimaryKeyConstraint('audit_events_primary_key', ['workspace_id', 'sequence'])
    .execute()
  await db.schema
    .createTable('audit_heads')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('count', 'bigint', required)
    .addColumn('head', 'text', required)
    .addColumn('leaf_id', 'bigint', (c) => c.references('log_leaves.leaf_id'))
    .addColumn('logged_at', 'text', required)
    .addPrimaryKeyConstraint('audit_heads_primary_key', ['workspace_id', 'count'])
    .execute()
  await createIndexes(db, INDEXES)
  await createGuards(db, dialect, GUARDS)
  await keepHead(db, dialect)
}

/** `workspaces.audit_head` is the hash of the newest event, so that the statement that locks the workspace also returns it. */
async function keepHead(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
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

const INDEXES = [
  // A submission holds a credit once, and captures or releases it once.
  `unique index credit_ledger_once on credit_ledger (submission_id, (kind = 'hold'))
    where submission_id is not null`,
  "index credit_ledger_captures on credit_ledger (workspace_id, at) where kind = 'capture'",
  // For the history of one subject. Jobs are excluded: they are most of the events, and their history is never shown.
  "index audit_events_of_subject on audit_events (subject, sequence) where action <> 'job.created'",
  'index audit_events_unchained on audit_events (workspace_id, sequence) where hash is null',
  // Without entries for what every submission adds.
  `index audit_events_by_rare_action on audit_events (workspace_id, action, sequence)
    where action <> 'job.created' and action <> 'job.issued' and action <> 'submission.created'
      and action <> 'evidence.received' and action <> 'submission.sealed' and action <> 'submission.passed'`,
  'index audit_events_by_member on audit_events (workspace_id, member_id, sequence) where member_id is not null',
  `index audit_events_by_rare_actor on audit_events (workspace_id, actor, sequence)
    where actor <> 'key' and actor <> 'service' and actor <> 'member'`,
]

const EVENT = [
  'workspace_id',
  'sequence',
  'at',
  'actor',
  'key_id',
  'member_id',
  'action',
  'subject',
  'details',
] as const

const GUARDS = [
  stay('credit_ledger', 'the ledger is only added to'),
  fixed('credit_ledger', 'the ledger is only added to'),
  {
    name: 'credit_ledger_settles',
    on: 'credit_ledger',
    event: 'insert',
    when: `new.kind not in ('grant', 'hold', 'capture', 'release')
      or (new.kind in ('capture', 'release') and not exists (select 1 from credit_ledger
        where credit_ledger.submission_id = new.submission_id and credit_ledger.kind = 'hold'))`,
    message: 'only a held credit is captured or released',
  },
  stay('audit_events', 'events are only added'),
  {
    name: 'audit_events_fixed',
    on: 'audit_events',
    event: 'update',
    when: `old.hash is not null or new.hash is null or new.prev is null or ${changed(...EVENT)}`,
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
  stay('audit_heads', 'heads are only added'),
  {
    name: 'audit_heads_fixed',
    on: 'audit_heads',
    event: 'update',
    when: `old.leaf_id is not null or ${changed('workspace_id', 'count', 'head', 'logged_at')}`,
    message: 'heads are only added',
  },
] as const
