import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { testConfig } from '../../../test/kit/service.ts'
import { isShared } from './dialect.ts'
import { FORMER_MIGRATIONS } from './former-migrations.ts'
import { migrate, MIGRATIONS } from './migrate.ts'
import { replaceTable } from './migrations/0002-drop-legacy.ts'
import { postgresDialect } from './postgres.ts'
import type { Database } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { storeProblem } from './store-problem.ts'
import { migrateStore, pendingIn } from './store-schema.ts'

const run = promisify(execFile)
const [CONFIG, SCHEMA] = ['../settings/config.ts', './store-schema.ts'].map(
  (file) => new URL(file, import.meta.url).href,
)
const MIGRATE = `
  const { readConfig } = await import(${JSON.stringify(CONFIG)})
  const { migrateStore } = await import(${JSON.stringify(SCHEMA)})
  console.log(JSON.stringify(await migrateStore(readConfig(process.env).value)))`

const NAMES = MIGRATIONS.map(([name]) => name)

onEachDatabase((database: EachDatabase) => {
  const dialect = database.name === 'SQLite' ? sqliteDialect : postgresDialect

  test('processes that start at the same time run migrations once', async () => {
    await using store = await database.createUnmigrated()
    const env = { PATH: process.env['PATH'], ...store.settings }
    const args = ['--input-type=module', '-e', MIGRATE]
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args, { env })))
    const done = outputs.map(({ stdout }) => JSON.parse(stdout) as string[])
    assert.deepEqual(await namesIn(await store.open()), NAMES)
    // With SQLite, two processes may both report a migration that only one of them ran.
    if (database.name === 'PostgreSQL') assert.deepEqual(done.flat().toSorted(), NAMES)
  })

  test('pending migrations are listed without running them, and none are pending afterwards', async () => {
    await using store = await database.createUnmigrated()
    const config = testConfig(store.settings)
    const pending = await pendingIn(config)
    assert.deepEqual(pending, NAMES)
    assert.deepEqual(await pendingIn(config), pending)
    assert.deepEqual(await migrateStore(config), pending)
    assert.deepEqual(await pendingIn(config), [])
    assert.deepEqual(await migrateStore(config), [])
  })

  test('a database of a newer release is rejected and left unchanged', async () => {
    await using store = await database.create()
    const config = testConfig(store.settings)
    const db = await store.open()
    await sql`insert into migrations (name) values ('9999-newer')`.execute(db)
    const rejected = /migrated by a newer release \(9999-newer\)/
    await assert.rejects(store.open(), rejected)
    await assert.rejects(migrateStore(config), rejected)
    await assert.rejects(pendingIn(config), rejected)
    assert.deepEqual(await namesIn(db), [...NAMES, '9999-newer'])
  })

  test('one more migration runs once, after the others', async () => {
    await using store = await database.create()
    const db = await store.open()
    const more = [...MIGRATIONS, ['0003-more', { up: addTable }]] as const
    assert.deepEqual(await migrate(db, dialect, more), ['0003-more'])
    assert.deepEqual(await migrate(db, dialect, more), [])
    assert.deepEqual((await sql`select * from more`.execute(db)).rows, [])
    await assert.rejects(migrate(db, dialect), /migrated by a newer release \(0003-more\)/)
  })

  test('a failed migration is rolled back', async () => {
    await using store = await database.create()
    const db = await store.open()
    const failing = {
      up: async (trx: Kysely<unknown>) => {
        await addTable(trx)
        throw new Error('interrupted')
      },
    }
    await assert.rejects(migrate(db, dialect, [...MIGRATIONS, ['0003-more', failing]]), /interrupted/)
    assert.ok((await db.introspection.getTables()).every(({ name }) => name !== 'more'))
    assert.deepEqual(await namesIn(db), NAMES)
  })

  test('a database with all former migrations is taken over, with its rows', async () => {
    await using store = await database.createUnmigrated()
    const before = await store.openUnmigrated()
    await migrate(before, dialect, MIGRATIONS.slice(0, 1))
    if (dialect.name === 'sqlite') await restoreConstraints(before)
    await fill(before)
    await recordFormer(before, FORMER_MIGRATIONS)
    const config = testConfig(store.settings)
    assert.deepEqual(await pendingIn(config), NAMES.slice(1))
    assert.deepEqual(await migrateStore(config), NAMES.slice(1))
    const db = await store.open()
    assert.deepEqual(await namesIn(db), NAMES)
    const { rows } = await sql<{ job_id: string; leaf_id: number; label: string }>`
      select jobs.job_id, log_leaves.leaf_id, submissions.label from submissions
      join jobs on jobs.job_id = submissions.job_id, log_leaves
      join audit_heads on audit_heads.leaf_id = log_leaves.leaf_id`.execute(db)
    assert.deepEqual(
      rows.map((row) => [row.job_id, Number(row.leaf_id), row.label]),
      [['job_a', 1, 'A']],
    )
    const counts = await sql<{
      series: string
      kits: number | string
    }>`select series, kits from series_counts`
      .execute(db)
      .then((found) => found.rows.map(({ series, kits }) => [series, Number(kits)]))
    assert.deepEqual(counts, [['Access review', 2]])
    await using fresh = await database.create()
    assert.deepEqual(await schemaOf(db), await schemaOf(await fresh.open()))
  })

  test('a database without all former migrations is rejected, says what to do, and stays as it is', async () => {
    await using store = await database.createUnmigrated()
    const before = await store.openUnmigrated()
    await migrate(before, dialect, MIGRATIONS.slice(0, 1))
    const some = FORMER_MIGRATIONS.filter((name) => name !== '0041-growth')
    await recordFormer(before, some)
    const config = testConfig(store.settings)
    const rejected = /lacks the migration 0041-growth\. Please upgrade with commit 714904f9 first/
    await assert.rejects(store.open(), rejected)
    await assert.rejects(pendingIn(config), rejected)
    await assert.rejects(migrateStore(config), (error) => rejected.test(storeProblem(error, config) ?? ''))
    assert.deepEqual(await namesIn(before), some)
  })

  test('a database with unfinished work of former releases is rejected', async () => {
    await using store = await database.createUnmigrated()
    const before = await store.openUnmigrated()
    await migrate(before, dialect, MIGRATIONS.slice(0, 1))
    await fill(before)
    await sql`update submissions set indexed = 0`.execute(before)
    await recordFormer(before, FORMER_MIGRATIONS)
    await assert.rejects(store.open(), /submissions that cannot be searched yet\. Please upgrade with commit/)
    assert.deepEqual(await namesIn(before), FORMER_MIGRATIONS)
  })
})

const addTable = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.createTable('more').addColumn('id', 'text').execute()
}

async function recordFormer(db: Kysely<unknown>, names: readonly string[]): Promise<void> {
  await sql`delete from migrations`.execute(db)
  for (const name of names) await sql`insert into migrations (name) values (${name})`.execute(db)
}

/** Rows that refer to each other. */
async function fill(db: Kysely<unknown>): Promise<void> {
  for (const row of [
    `plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files, unpacked_ratio,
      rate_per_minute, created_at, updated_at) values ('p', 1, 1, 1, 1, 1, 1, 't', 't')`,
    `workspaces (workspace_id, name, plan, public_kits, credits_available, credits_held, ledger_entries, audit_events,
      created_at, updated_at) values ('ws_a', 'A', 'p', 1, 0, 0, 0, 0, 't', 't')`,
    `jobs (job_id, tenant_id, scope_label, status, created_at, updated_at, authenticated, workspace_id)
      values ('job_a', 't', 's', 'DRAFT', 't', 't', 0, 'ws_a')`,
    `submissions (submission_id, workspace_id, sequence, job_id, label, profile, created_at, updated_at, uploads,
      uploaded_bytes, label_key, indexed) values ('sub_a', 'ws_a', 1, 'job_a', 'A', 'p', 't', 't', 0, 0, 'a', 1)`,
    `series_kits (workspace_id, series, issued_at, sequence, kit_id, is_reissue)
      values ('ws_a', 'Access review', 't', 1, 'kit_a', 0), ('ws_a', 'Access review', 't', 2, 'kit_b', 0)`,
    `log_leaves (leaf, late) values ('{}', 0)`,
    `audit_heads (workspace_id, count, head, leaf_id, logged_at) values ('ws_a', 1, 'h', 1, 't')`,
  ])
    await sql`insert into ${sql.raw(row)}`.execute(db)
}

/** SQLite databases that had rows when constraints became indexes still have the constraints. */
async function restoreConstraints(db: Kysely<unknown>): Promise<void> {
  await sql`drop index jobs_by_kit`.execute(db)
  await replaceTable(db, 'jobs', '"kit_id" text', '"kit_id" text unique')
  await replaceTable(db, 'log_leaves', 'integer primary key', 'integer primary key autoincrement')
}

/** What PostgreSQL and SQLite know about tables, indexes and triggers. */
async function schemaOf(db: Kysely<Database>): Promise<readonly string[]> {
  const definitions = isShared(db)
    ? sql<{ text: string }>`
      select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(collation_name, '') || ' ' || coalesce(column_default, '') as text
        from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`
    : sql<{ text: string }>`select sql as text from sqlite_schema where sql is not null
      and name not like 'sqlite_%'`
  return (await definitions.execute(db)).rows.map(({ text }) => text).toSorted()
}

async function namesIn<T>(db: Kysely<T>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}
