import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { onEachDatabase } from '../../test/each-database.ts'
import { writeEmptySqlite } from '../../../test/kit/databases.ts'
import { ensureDefaultPlan } from '../access/plans.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite.ts'
import { transactingTogether } from './transact.ts'

const clock = { now: () => Date.now() }

const filesOf = async (db: Kysely<Database>): Promise<number> =>
  (await db.selectFrom('plans').select('unpacked_files').executeTakeFirstOrThrow()).unpacked_files

const addFiles = (trx: Kysely<Database>, count: number) =>
  trx
    .updateTable('plans')
    .set((eb) => ({ unpacked_files: eb('unpacked_files', '+', count) }))
    .execute()

test('a process that is killed before the commit of a group has acknowledged nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-group-'))
  const file = join(folder, 'kitseal.sqlite')
  await writeEmptySqlite(file)
  const script = `
    import { writeSync } from 'node:fs'
    import { sql } from 'kysely'
    import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
    import { transactingTogether } from ${JSON.stringify(new URL('./transact.ts', import.meta.url).href)}
    const db = await openSqlite(${JSON.stringify(file)})
    const together = transactingTogether(db)
    await sql\`create table notes (text text)\`.execute(db)
    for (const text of ['first', 'second', 'killed'])
      together('', async (trx) => {
        await sql\`insert into notes values (\${text})\`.execute(trx)
        if (text === 'killed') process.kill(process.pid, 'SIGKILL')
      }).then(() => writeSync(1, text + ' '))`
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  assert.equal(child.signal, 'SIGKILL', child.stderr)
  assert.equal(child.stdout, '')
  const db = await openSqlite(file)
  assert.deepEqual((await sql`select text from notes`.execute(db)).rows, [])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

onEachDatabase((database) => {
  test('transactions that wait together commit together, each with its own result', async () => {
    await using store = await database.create()
    const [db, other] = [await store.open(), await store.open()]
    const together = transactingTogether(db)
    await ensureDefaultPlan(db, clock)
    const before = await filesOf(other)
    const seen: number[] = []
    const results = await Promise.all(
      [1, 2, 3].map((count) =>
        together('key', async (trx) => {
          await addFiles(trx, count)
          seen.push(await filesOf(other))
          return count
        }),
      ),
    )
    assert.deepEqual(results, [1, 2, 3])
    // None of them sees the others committed.
    assert.deepEqual(seen, [before, before, before])
    assert.equal(await filesOf(other), before + 6)
  })

  test('a transaction that fails is rolled back alone', async () => {
    await using store = await database.create()
    const db = await store.open()
    const together = transactingTogether(db)
    await ensureDefaultPlan(db, clock)
    const before = await filesOf(db)
    const add = (count: number, problem?: Error) =>
      together('key', async (trx) => {
        await addFiles(trx, count)
        if (problem !== undefined) throw problem
        return count
      })
    const problem = new Error('refused')
    const results = await Promise.allSettled([add(1), add(10), add(100, problem), add(1000)])
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason)),
      [1, 10, problem, 1000],
    )
    assert.equal(await filesOf(db), before + 1011)
  })

  test('a statement that fails does not fail the others', async () => {
    await using store = await database.create()
    const db = await store.open()
    const together = transactingTogether(db)
    await ensureDefaultPlan(db, clock)
    const before = await filesOf(db)
    const add = () => together('key', (trx) => addFiles(trx, 1))
    const wrong = () => together('key', (trx) => sql`select * from missing`.execute(trx))
    const results = await Promise.allSettled([add(), add(), wrong(), add()])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(await filesOf(db), before + 3)
  })

  test('nothing is acknowledged if the commit fails', async () => {
    await using store = await database.create()
    const db = await store.open()
    const together = transactingTogether(db)
    await ensureDefaultPlan(db, clock)
    const before = await filesOf(db)
    // A deferred constraint fails at the commit, also if each runs alone.
    await sql`create table parents (id integer primary key)`.execute(db)
    await sql`create table children (id integer references parents (id) deferrable initially deferred)`.execute(
      db,
    )
    const add = (orphan: boolean) =>
      together('key', async (trx) => {
        await addFiles(trx, 1)
        if (orphan) await sql`insert into children values (1)`.execute(trx)
      })
    const results = await Promise.allSettled([add(false), add(true), add(false), add(true)])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
    assert.equal(await filesOf(db), before + 2)
  })
})
