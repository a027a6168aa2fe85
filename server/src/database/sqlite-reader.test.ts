import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import BetterSqlite3 from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { sqliteReader } from './sqlite-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-reader-'))
const file = join(folder, 'store.sqlite')
const writer = new BetterSqlite3(file)
writer.pragma('journal_mode = WAL')
writer.exec('create table jobs (id text primary key, status text)')
writer.exec("insert into jobs values ('a', 'SUBMITTED'), ('b', 'SUBMITTED')")
const asked: string[] = []
const reader = sqliteReader(file, 1000, (text) => asked.push(text))
const query = { sql: 'select status from jobs where id = ?' } as CompiledQuery
const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
after(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

test('a row that is kept is read once, until something is committed by another connection or process', async () => {
  const { first } = reader.prepare(query, 10)
  assert.deepEqual(first('a'), { status: 'SUBMITTED' })
  await nextTurn()
  asked.length = 0
  assert.deepEqual(first('a'), { status: 'SUBMITTED' })
  assert.equal(asked.length, 0)

  writer.exec("update jobs set status = 'PASS' where id = 'a'")
  await nextTurn()
  assert.deepEqual(first('a'), { status: 'PASS' })

  const script = `import B from 'better-sqlite3'; new B(process.argv[1]).exec("update jobs set status = 'ISSUED'")`
  const other = spawnSync(process.execPath, ['--input-type=module', '-e', script, file], {
    cwd: import.meta.dirname,
  })
  assert.equal(other.status, 0, String(other.stderr))
  await nextTurn()
  assert.deepEqual(first('a'), { status: 'ISSUED' })
  assert.deepEqual(first('b'), { status: 'ISSUED' })
})

test('a row that is not there is not remembered as missing', async () => {
  const { first } = reader.prepare(query, 10)
  assert.equal(first('new'), undefined)
  writer.exec("insert into jobs values ('new', 'DRAFT')")
  assert.deepEqual(first('new'), { status: 'DRAFT' }, 'in the same turn already')
})

test('a row that is not there takes what one that is there takes, from the next turn on', async () => {
  const { first } = reader.prepare(query, 10)
  const costs: number[] = []
  for (const id of ['a', 'nowhere'])
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn()
      asked.length = 0
      first(id)
      costs.push(asked.length)
    }
  assert.deepEqual(costs, [1, 0, 0, 1, 0, 0])
  writer.exec("insert into jobs values ('nowhere', 'DRAFT')")
  await nextTurn()
  assert.deepEqual(first('nowhere'), { status: 'DRAFT' })
})

test('no more rows are kept than were allowed', async () => {
  const { first } = reader.prepare(query, 1)
  first('a')
  first('b')
  asked.length = 0
  first('a')
  assert.equal(asked.length, 1)
})

test('rows that are not to be kept are read each time', () => {
  const { first } = reader.prepare(query)
  first('a')
  asked.length = 0
  first('a')
  assert.equal(asked.length, 1)
})
