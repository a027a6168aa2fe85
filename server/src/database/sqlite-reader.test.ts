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
const statements: string[] = []
const reader = sqliteReader(file, 1000, (text) => statements.push(text))
const query = { sql: 'select status from jobs where id = ?' } as CompiledQuery
const nextTick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
after(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

test('a cached row is read once, until another connection or process commits', async () => {
  const { first } = reader.prepare(query, 10)
  assert.deepEqual(first('a'), { status: 'SUBMITTED' })
  await nextTick()
  statements.length = 0
  assert.deepEqual(first('a'), { status: 'SUBMITTED' })
  assert.equal(statements.length, 0)

  writer.exec("update jobs set status = 'PASS' where id = 'a'")
  await nextTick()
  assert.deepEqual(first('a'), { status: 'PASS' })

  const script = `import B from 'better-sqlite3'; new B(process.argv[1]).exec("update jobs set status = 'ISSUED'")`
  const other = spawnSync(process.execPath, ['--input-type=module', '-e', script, file], {
    cwd: import.meta.dirname,
  })
  assert.equal(other.status, 0, String(other.stderr))
  await nextTick()
  assert.deepEqual(first('a'), { status: 'ISSUED' })
  assert.deepEqual(first('b'), { status: 'ISSUED' })
})

test('a missing row is not cached as missing', async () => {
  const { first } = reader.prepare(query, 10)
  assert.equal(first('new'), undefined)
  writer.exec("insert into jobs values ('new', 'DRAFT')")
  assert.deepEqual(first('new'), { status: 'DRAFT' }, 'in the same tick')
})

test('a missing row takes as many reads as an existing one', async () => {
  const { first } = reader.prepare(query, 10)
  const costs: number[] = []
  for (const id of ['a', 'unknown'])
    for (let read = 0; read < 3; read += 1) {
      await nextTick()
      statements.length = 0
      first(id)
      costs.push(statements.length)
    }
  assert.deepEqual(costs, [1, 0, 0, 1, 0, 0])
  writer.exec("insert into jobs values ('unknown', 'DRAFT')")
  await nextTick()
  assert.deepEqual(first('unknown'), { status: 'DRAFT' })
})

test('the cache holds no more rows than its limit', async () => {
  const { first } = reader.prepare(query, 1)
  first('a')
  first('b')
  statements.length = 0
  first('a')
  assert.equal(statements.length, 1)
})

test('without a cache limit, rows are read every time', () => {
  const { first } = reader.prepare(query)
  first('a')
  statements.length = 0
  first('a')
  assert.equal(statements.length, 1)
})
