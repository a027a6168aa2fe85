import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '../open-store.ts'
import { readConfig } from '../settings/config.ts'
import { rowsOf } from './records.ts'
import { NOT_COPIED, TABLES } from './tables.ts'

test('every table is either backed up or listed as not copied', async () => {
  await using store = await emptyStore()
  const tables = (await store.db.introspection.getTables({ withInternalKyselyTables: true })).map(
    ({ name }) => name,
  )
  const known = [...TABLES.map(({ name }) => name), ...NOT_COPIED]
  assert.deepEqual(tables.toSorted(), known.toSorted())
})

test('rows are read in pages, each once, also with a composite key', async () => {
  await using store = await emptyStore()
  for (let n = 0; n < 25; n += 1)
    await sql`insert into idempotency values (${`s${n % 3}`}, ${`k${n}`}, '', 200, '', '')`.execute(store.db)
  const table = TABLES.find(({ name }) => name === 'idempotency')
  assert.ok(table !== undefined)
  const seen: unknown[] = []
  for await (const rows of rowsOf(store.db, { ...table, page: 4 }))
    seen.push(...rows.map((row) => row['key']))
  assert.equal(new Set(seen).size, 25)
  assert.equal(seen.length, 25)
})

async function emptyStore() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-tables-'))
  const config = readConfig({ KITSEAL_DATA: folder })
  assert.ok(config.ok)
  const store = await openStore(config.value)
  return {
    db: store.db,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
