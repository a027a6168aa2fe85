import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type EachDatabase, onEachDatabase } from '../../test/each-database.ts'
import { createSchema, schemaVersion, type Step } from './create-schema.ts'

const run = promisify(execFile)
const [CONFIG, STORE] = ['../settings/config.ts', '../open-store.ts'].map(
  (file) => new URL(file, import.meta.url).href,
)
const OPEN = `
  const { readConfig } = await import(${JSON.stringify(CONFIG)})
  const { openStore } = await import(${JSON.stringify(STORE)})
  const store = await openStore(readConfig(process.env).value)
  await store[Symbol.asyncDispose]()`

const add: Step = async (trx) => void (await sql`create table later (name text)`.execute(trx))
const fail: Step = async () => {
  throw new Error('a step failed')
}

onEachDatabase((database: EachDatabase) => {
  test('processes that start at the same time create the tables once', async () => {
    await using store = await database.createBare()
    const env = { PATH: process.env['PATH'], ...store.settings }
    const args = ['--input-type=module', '-e', OPEN]
    await Promise.all([1, 2, 3].map(() => run(process.execPath, args, { env })))
    assert.equal(await schemaVersion(await store.open()), 1)
  })

  test('a step brings a database forward once, and one that fails changes nothing', async () => {
    await using store = await database.create()
    const db = await store.open()
    await assert.rejects(createSchema(db, { steps: [add, fail] }), /a step failed/)
    assert.equal(await schemaVersion(db), 1)
    await createSchema(db, { steps: [add] })
    await createSchema(db, { steps: [add] })
    assert.equal(await schemaVersion(db), 2)
    assert.deepEqual((await sql`select * from later`.execute(db)).rows, [])
  })

  test('a database of a newer release is refused, and left unchanged', async () => {
    await using store = await database.create()
    const db = await store.open()
    await sql`update schema_version set version = 9`.execute(db)
    await assert.rejects(store.open(), /of a newer release \(schema 9, this release has 1\)/)
    assert.equal(await schemaVersion(db), 9)
  })

  test('a database of before the first release is refused in one sentence, and left unchanged', async () => {
    await using store = await database.createBare()
    const db = await store.openBare()
    await sql`create table migrations (name text primary key)`.execute(db)
    await assert.rejects(store.open(), {
      message:
        'the database was made by a version before 1.0.0-rc.1, which this release cannot read; start with an empty one',
    })
    const tables = (await db.introspection.getTables()).map(({ name }) => name)
    assert.deepEqual(tables, ['migrations'])
  })
})
