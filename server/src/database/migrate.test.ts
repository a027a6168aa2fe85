import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type EachDatabase, onEachDatabase, type StorePlace } from '../../test/each-database.ts'
import { testConfig } from '../../test/test-service.ts'
import { migrateStore, pendingIn } from './store-schema.ts'

const run = promisify(execFile)
const [CONFIG, SCHEMA] = ['../config.ts', './store-schema.ts'].map(
  (file) => new URL(file, import.meta.url).href,
)
const MIGRATE = `
  const { readConfig } = await import(${JSON.stringify(CONFIG)})
  const { migrateStore } = await import(${JSON.stringify(SCHEMA)})
  console.log(JSON.stringify(await migrateStore(readConfig(process.env).value)))`

onEachDatabase((database: EachDatabase) => {
  test('processes that start at the same time run migrations once', async () => {
    await using place = await database.place()
    const env = { PATH: process.env['PATH'], ...place.settings }
    const args = ['--input-type=module', '-e', MIGRATE]
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, args, { env })))
    const done = outputs.map(({ stdout }) => JSON.parse(stdout) as string[])
    const rows = await namesIn(place)
    assert.deepEqual(
      rows.map(({ name }) => name),
      await expected(place),
    )
    // In the embedded store two may both have seen that something was pending; only one has done it.
    if (database.name === 'PostgreSQL')
      assert.deepEqual(done.flat().toSorted(), rows.map(({ name }) => name).toSorted())
  })

  test('pending migrations are listed without running them, and none are pending afterwards', async () => {
    await using place = await database.place()
    const config = testConfig(place.settings)
    const pending = await pendingIn(config)
    assert.equal(pending[0], '0001-jobs-kits-keys')
    assert.deepEqual(await pendingIn(config), pending)
    assert.deepEqual(await migrateStore(config), pending)
    assert.deepEqual(await pendingIn(config), [])
    assert.deepEqual(await migrateStore(config), [])
  })

  test('a database of a newer release is rejected and left unchanged', async () => {
    await using place = await database.place()
    const config = testConfig(place.settings)
    const db = await place.open()
    await sql`insert into migrations (name) values ('9999-of-the-future')`.execute(db)
    const refused = /migrated by a newer release \(9999-of-the-future\)/
    await assert.rejects(place.open(), refused)
    await assert.rejects(migrateStore(config), refused)
    await assert.rejects(pendingIn(config), refused)
    assert.equal((await namesIn(place, db)).length, (await expected(place, db)).length + 1)
  })

  test('a failed migration is rolled back', async () => {
    await using place = await database.place()
    const db = await place.open()
    await sql`delete from migrations where name = '0003-keys-in-the-database'`.execute(db)
    await assert.rejects(place.open(), /private_keys/)
    await sql`insert into migrations (name) values ('0003-keys-in-the-database')`.execute(db)
    await place.open()
  })
})

async function namesIn(place: StorePlace, db?: Awaited<ReturnType<StorePlace['open']>>) {
  const opened = db ?? (await place.open())
  return (await sql<{ name: string }>`select name from migrations order by name`.execute(opened)).rows
}

async function expected(place: StorePlace, db?: Awaited<ReturnType<StorePlace['open']>>) {
  return (await namesIn(place, db)).map(({ name }) => name).filter((name) => !name.startsWith('9999'))
}
