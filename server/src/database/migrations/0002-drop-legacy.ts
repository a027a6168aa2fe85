import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { OlderStore } from '../former-migrations.ts'
import { changed, fixed, replaceGuard } from './parts.ts'

/** Removes what was there for rows and nodes of earlier releases, and brings all databases to the same tables and indexes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await rejectUnfinished(db)
  if (dialect.name === 'sqlite') await replaceTables(db)
  else await compareBytes(db, dialect)
  for (const index of UNUSED_INDEXES) await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('workspaces').dropColumn('public_kits').execute()
  await db.schema.alterTable('submissions').dropColumn('indexed').execute()
  await db.schema.alterTable('log_leaves').dropColumn('late').execute()
  await sql`update resumable_uploads set metadata = '' where metadata is null`.execute(db)
  await sql`update workspaces set pins = replace(pins, '"added_at"', '"created_at"') where pins is not null`.execute(
    db,
  )
  await sql`update workspaces set audit_head = (select hash from audit_events
    where audit_events.workspace_id = workspaces.workspace_id
      and audit_events.sequence = workspaces.audit_events) where audit_head is null`.execute(db)
  await replaceGuard(db, dialect, fixed('audit_events', 'events are only added'))
  await replaceGuard(db, dialect, AUDIT_EVENTS_CHAIN)
}

const UNUSED_INDEXES = [
  'kits_without_zip_sha256',
  'submissions_not_indexed',
  'audit_events_unchained',
  'credit_ledger_captures',
]

const AUDIT_EVENTS_CHAIN = {
  name: 'audit_events_chain',
  on: 'audit_events',
  event: 'insert',
  when: `new.hash is null or new.prev is null or (new.sequence > 1 and not exists (select 1 from audit_events
    where audit_events.workspace_id = new.workspace_id and audit_events.sequence = new.sequence - 1
      and audit_events.hash = new.prev))`,
  message: 'an event follows the newest one',
} as const

/** The service of the commits before completed such rows in the background. */
async function rejectUnfinished(db: Kysely<unknown>): Promise<void> {
  for (const [reason, rows] of UNFINISHED)
    if ((await sql`select 1 from ${sql.raw(rows)} limit 1`.execute(db)).rows.length > 0)
      throw new OlderStore(reason)
}

const UNFINISHED = [
  ['has audit events without a hash', 'audit_events where hash is null'],
  ['has submissions that cannot be searched yet', 'submissions where indexed = 0'],
  [
    'has kits without the SHA-256 of kit.zip',
    `kits join jobs on jobs.kit_id = kits.kit_id where kits.zip_sha256 is null and jobs.status = 'ISSUED'`,
  ],
] as const

/** SQLite cannot drop constraints. Databases that had rows at the time kept a constraint that is an index elsewhere. */
async function replaceTables(db: Kysely<unknown>): Promise<void> {
  await replaceTable(db, 'jobs', '"kit_id" text unique', '"kit_id" text')
  await sql`create unique index if not exists jobs_by_kit on jobs (kit_id) where kit_id is not null`.execute(
    db,
  )
  await replaceTable(db, 'log_leaves', ' autoincrement', '')
}

/** Creates the table again from its changed definition, with its rows, indexes and triggers. */
export async function replaceTable(
  db: Kysely<unknown>,
  table: string,
  former: string,
  replacement: string,
): Promise<void> {
  const parts = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema
    where tbl_name = ${table} and sql is not null order by type <> 'table', rowid`.execute(db)
  const [definition, ...rest] = parts.rows.map((part) => part.sql)
  if (definition === undefined || !definition.includes(former)) return
  // Rows of other tables refer to those that are deleted here and inserted again.
  await sql`pragma defer_foreign_keys = on`.execute(db)
  await sql`create temporary table replaced_rows as select * from ${sql.table(table)}`.execute(db)
  await db.schema.dropTable(table).execute()
  await sql.raw(definition.replace(former, replacement)).execute(db)
  await sql`insert into ${sql.table(table)} select * from replaced_rows`.execute(db)
  await sql`drop table replaced_rows`.execute(db)
  for (const each of rest) await sql.raw(each).execute(db)
}

/** Some columns of PostgreSQL had the collation of the database instead of "C". */
async function compareBytes(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // PostgreSQL does not change a column that a trigger uses.
  for (const guard of GUARDS) await dialect.dropGuard(db, guard)
  for (const [table, column] of OTHER_COLLATION)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    )
  for (const guard of GUARDS) await dialect.createGuard(db, guard)
}

const OTHER_COLLATION = [
  ['api_keys', 'scopes'],
  ['api_keys', 'federation_id'],
  ['links', 'recipient'],
  ['share_accesses', 'link_id'],
  ['resumable_uploads', 'metadata'],
] as const

const GUARDS = [
  {
    name: 'api_keys_scopes',
    on: 'api_keys',
    event: 'update',
    when: changed('scopes'),
    message: 'the scopes of a key do not change',
  },
  {
    name: 'links_recipient_fixed',
    on: 'links',
    event: 'update',
    when: changed('recipient'),
    message: 'a link does not change',
  },
] as const
