import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type EachDatabase, onEachDatabase, type EmptyDatabase } from '../../test/each-database.ts'
import { testConfig } from '../../test/test-service.ts'
import { isShared } from './dialect.ts'
import * as fewerPages from './migrations/0045-fewer-pages.ts'
import * as workspaceNames from './migrations/0006-workspace-names.ts'
import { sqliteDialect } from './sqlite.ts'
import { migrateStore, pendingIn } from './store-schema.ts'

const run = promisify(execFile)
const [CONFIG, SCHEMA] = ['../settings/config.ts', './store-schema.ts'].map(
  (file) => new URL(file, import.meta.url).href,
)
const MIGRATE = `
  const { readConfig } = await import(${JSON.stringify(CONFIG)})
  const { migrateStore } = await import(${JSON.stringify(SCHEMA)})
  console.log(JSON.stringify(await migrateStore(readConfig(process.env).value)))`

onEachDatabase((database: EachDatabase) => {
  test('processes that start at the same time run migrations once', async () => {
    await using store = await database.createUnmigrated()
    const env = { PATH: process.env['PATH'], ...store.settings }
    const args = ['--input-type=module', '-e', MIGRATE]
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args, { env })))
    const done = outputs.map(({ stdout }) => JSON.parse(stdout) as string[])
    const rows = await migrationsIn(store)
    assert.deepEqual(
      rows.map(({ name }) => name),
      await expected(store),
    )
    // With SQLite, two processes may both report a migration that only one of them ran.
    if (database.name === 'PostgreSQL')
      assert.deepEqual(done.flat().toSorted(), rows.map(({ name }) => name).toSorted())
  })

  test('pending migrations are listed without running them, and none are pending afterwards', async () => {
    await using store = await database.createUnmigrated()
    const config = testConfig(store.settings)
    const pending = await pendingIn(config)
    assert.equal(pending[0], '0001-jobs-kits-keys')
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
    assert.equal((await migrationsIn(store, db)).length, (await expected(store, db)).length + 1)
  })

  test('names of workspaces that could not be sealed are made acceptable, and the others stay', async () => {
    await using store = await database.create()
    const db = await store.open()
    const names = {
      ws_a: ['Zu\u0308rich', 'Zürich'],
      ws_b: [' Acme \u202eknaB\u0007', 'Acme knaB'],
      ws_c: ['\u202e', 'ws_c'],
      ws_d: ['Acme Ltd', 'Acme Ltd'],
    } as const
    await sql`insert into plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files, unpacked_ratio,
      rate_per_minute, created_at, updated_at) values ('p', 1, 1, 1, 1, 1, 1, 't', 't')`.execute(db)
    await sql`alter table workspaces drop column proposed_name`.execute(db)
    for (const [id, [name]] of Object.entries(names))
      await sql`insert into workspaces (workspace_id, name, plan, public_kits, credits_available, credits_held,
        ledger_entries, audit_events, created_at, updated_at)
        values (${id}, ${name}, 'p', 1, 0, 0, 0, 0, 't', 't')`.execute(db)
    await workspaceNames.up(db as Kysely<unknown>)
    const { rows } = await sql<{ workspace_id: keyof typeof names; name: string }>`
      select workspace_id, name from workspaces order by workspace_id`.execute(db)
    assert.equal(rows.length, 4)
    for (const { workspace_id, name } of rows) assert.equal(name, names[workspace_id][1])
  })

  test('jobs are indexed by the kit that they have, and tables with rows are not replaced', async () => {
    await using store = await database.create()
    const db = await store.open()
    const definition = isShared(db)
      ? sql<{ text: string }>`select indexdef as text from pg_indexes where indexname = 'jobs_by_kit'`
      : sql<{ text: string }>`select sql as text from sqlite_schema where name = 'jobs_by_kit'`
    const { rows } = await definition.execute(db)
    assert.match(rows[0]?.text ?? '', /unique index.*where \(?kit_id is not null/i)
    if (isShared(db)) return
    await sql`insert into jobs (job_id, tenant_id, scope_label, status, created_at, updated_at, authenticated)
      values ('job_a', 't', 's', 'DRAFT', 't', 't', 0)`.execute(db)
    await sql`drop index jobs_by_kit`.execute(db)
    await fewerPages.up(db as Kysely<unknown>, sqliteDialect)
    assert.deepEqual((await definition.execute(db)).rows, [])
    assert.equal((await sql`select job_id from jobs`.execute(db)).rows.length, 1)
    await assert.rejects(sql`delete from jobs`.execute(db), /jobs are not deleted/)
  })

  test('a failed migration is rolled back', async () => {
    await using store = await database.create()
    const db = await store.open()
    await sql`delete from migrations where name = '0003-keys-in-the-database'`.execute(db)
    await assert.rejects(store.open(), /private_keys/)
    await sql`insert into migrations (name) values ('0003-keys-in-the-database')`.execute(db)
    await store.open()
  })
})

async function migrationsIn(store: EmptyDatabase, db?: Awaited<ReturnType<EmptyDatabase['open']>>) {
  const opened = db ?? (await store.open())
  return (await sql<{ name: string }>`select name from migrations order by name`.execute(opened)).rows
}

async function expected(store: EmptyDatabase, db?: Awaited<ReturnType<EmptyDatabase['open']>>) {
  return (await migrationsIn(store, db)).map(({ name }) => name).filter((name) => !name.startsWith('9999'))
}
