import { fileMark } from './high-water-mark.ts'
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { parseCheckpoint } from '@kitseal/kit/internal'
import { type Kysely, sql } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { until } from '../../../test/kit/until.ts'
import { marksIn } from '../../test/marks-in.ts'
import { systemClock } from '../runtime/clock.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { freezeLog, readFrozen } from './freeze-log.ts'
import { readLog } from './log-key.ts'
import type { LogMarks } from './high-water-mark.ts'
import { type TransparencyLog, transparencyLog } from './transparency-log.ts'

let folder: string
let store: EmptyDatabase
let db: Kysely<Database>
let log: TransparencyLog

/** Another process on the same machine. */
function openLog(on: Kysely<Database>, marks: LogMarks = marksIn(folder)): TransparencyLog {
  const providers = [fileKeys({ directory: join(folder, 'keys') })] as const
  return transparencyLog({ db: on, clock: systemClock, providers, marks })
}

let appended = 0
async function append(on: Kysely<Database>, count = 1): Promise<void> {
  for (let left = count; left > 0; left -= 1)
    await on
      .insertInto('log_leaves')
      .values({ leaf: `leaf ${(appended += 1)}`, kit_id: null })
      .execute()
}

async function grow(count: number, on = db, by = log): Promise<number> {
  await append(on, count)
  await by.sequence()
  return parseCheckpoint(await by.checkpoint()).size
}

/** What a restored backup looks like: the same database, as it was before. */
async function rollBack(on: Kysely<Database>, to: number, root: string): Promise<void> {
  await on.transaction().execute(async (trx) => {
    const triggers = isShared(trx)
      ? undefined
      : (
          await sql<{
            name: string
            sql: string
          }>`select name, sql from sqlite_master where type = 'trigger'`.execute(trx)
        ).rows
    if (triggers === undefined)
      for (const name of ['log', 'log_leaves', 'log_tiles'])
        await sql`alter table ${sql.table(name)} disable trigger user`.execute(trx)
    else for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(trx)
    await trx.deleteFrom('log_leaves').where('leaf_index', '>=', to).execute()
    await trx.updateTable('log').set({ size: to, root }).execute()
    if (triggers === undefined)
      for (const name of ['log', 'log_leaves', 'log_tiles'])
        await sql`alter table ${sql.table(name)} enable trigger user`.execute(trx)
    else for (const trigger of triggers) await sql.raw(trigger.sql).execute(trx)
  })
}

async function rootOf(on = db): Promise<string> {
  return (await readLog(on))?.root ?? ''
}

async function assertFrozen(reason: RegExp, by = log, on = db): Promise<void> {
  const size = (await readLog(on))?.size
  await append(on)
  await assert.rejects(by.sequence(), { name: 'LogFrozen', message: reason })
  await assert.rejects(by.checkpoint(), { name: 'Refusal', code: 'store_unavailable' })
  assert.match((await readFrozen(on))?.reason ?? '', reason)
  assert.equal((await readLog(on))?.size, size, 'nothing is sequenced')
}

onEachDatabase((database) => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kitseal-guard-'))
    store = await database.create()
    db = await store.open()
    log = openLog(db)
    await log.ensure('issuer.example/log')
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('a log that only grows is never frozen, also by a process that starts later', async () => {
    for (const count of [1, 300, 5]) await grow(count)
    assert.equal(await openLog(db).check(), undefined)
    assert.equal(await grow(1, db, openLog(db)), 307)
    assert.equal(await grow(1), 308)
  })

  test('what is signed late, after more was signed, does not freeze the log', async () => {
    const marks = marksIn(folder)
    let wait: Promise<void> | undefined
    const of: LogMarks['of'] = async (found) => {
      const mark = await marks.of(found)
      const read = async () => {
        const before = wait
        wait = undefined
        await before
        return mark.read()
      }
      return { ...mark, read }
    }
    const slow = openLog(db, { ...marks, of })
    await grow(1, db, slow)
    await append(db)
    await slow.sequence()
    const { promise, resolve } = Promise.withResolvers<void>()
    wait = promise
    const late = slow.checkpoint()
    await until(() => wait === undefined)
    assert.equal(await grow(1, db, slow), 3)
    resolve()
    await late
    assert.equal(await readFrozen(db), undefined)
  })

  test('leaves are in the tree as soon as they are committed', async () => {
    await log.commit((trx) => append(trx, 2))
    assert.equal((await readLog(db))?.size, 2)
    const failing = log.commit(async (trx) => {
      await append(trx)
      throw new Error('the work failed')
    })
    await assert.rejects(failing, /the work failed/)
    assert.equal((await readLog(db))?.size, 2)
    assert.equal(await log.isWaiting(), false)
  })

  test('leaves are committed, and wait, while the mark cannot be read or the log is frozen', async () => {
    await grow(3)
    const root = await rootOf()
    const noMark = { of: () => Promise.reject(new Error('no mark')), isOnlyMark: true }
    const unmarked = openLog(db, noMark)
    await unmarked.commit(append)
    assert.equal(await log.isWaiting(), true)
    await assert.rejects(unmarked.sequence(), /no mark/)
    assert.equal(await log.sequence(), 1)
    await log.checkpoint()
    await rollBack(db, 3, root)
    await log.commit(append)
    assert.equal((await readLog(db))?.size, 3)
    await assertFrozen(/has 3 leaves/)
    await log.commit(append)
    assert.equal(await log.isWaiting(), true)
  })

  test('a database that was rolled back is frozen at the start', async () => {
    await grow(3)
    const root = await rootOf()
    await grow(2)
    await rollBack(db, 3, root)
    const restarted = openLog(db)
    assert.match((await restarted.check())?.reason ?? '', /has 3 leaves of the log, but 5 were signed/)
    await assertFrozen(/has 3 leaves/, restarted)
  })

  test('a database that is rolled back under a running service is frozen at the next step, even without the mark', async () => {
    await grow(3)
    const root = await rootOf()
    await grow(2)
    await rollBack(db, 3, root)
    for (const name of readdirSync(join(folder, 'marks'))) {
      rmSync(join(folder, 'marks', name), { recursive: true })
      await fileMark(join(folder, 'marks'), name).record({ size: 3, root })
    }
    await assertFrozen(/but 5 were signed/)
  })

  test('a database that was rolled back and has grown again is frozen: its history is another one', async () => {
    await grow(3)
    const root = await rootOf()
    await grow(2)
    await rollBack(db, 3, root)
    // By a service without the mark, such as one on another machine.
    const elsewhere = { ...marksIn(join(folder, 'other')), isOnlyMark: false }
    assert.equal(await grow(4, db, openLog(db, elsewhere)), 7)
    await assertFrozen(/other leaves than the 5 that were signed/, openLog(db))
  })

  test('two services with one log key: the second history is not signed', async () => {
    await grow(3)
    await using copied = await database.create()
    const copy = await copied.open()
    await copyLog(db, copy)
    const other = openLog(copy)
    assert.equal(await grow(1), 4)
    await assertFrozen(/has 3 leaves of the log, but 4 were signed/, other, copy)
    assert.equal(await grow(1), 5, 'the first one continues')
  })

  test('two services with one log key at the same time: at most one history is signed', async () => {
    for (let round = 0; round < (database.name === 'SQLite' ? 4 : 1); round += 1) {
      await using one = await database.create()
      await using two = await database.create()
      const [first, second] = [await one.open(), await two.open()]
      const place = marksIn(join(folder, `round ${round}`))
      const logs = [openLog(first, place), openLog(second, place)] as const
      await logs[0].ensure('issuer.example/log')
      await grow(2, first, logs[0])
      await copyLog(first, second)
      await Promise.all(logs.map((each) => each.check()))
      await append(first, 1 + (round % 3))
      await append(second, 1 + ((round + 1) % 3))
      const signed = await Promise.allSettled(
        logs.map(async (each) => {
          await each.sequence()
          return each.checkpoint()
        }),
      )
      assert.ok(signed.filter(({ status }) => status === 'fulfilled').length <= 1)
    }
  })

  test('nodes with one database never freeze each other', async () => {
    const nodes = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const on = await store.open()
        return { on, by: openLog(on) }
      }),
    )
    await Promise.all(
      nodes.map(async ({ on, by }) => {
        for (let round = 0; round < 12; round += 1) {
          await append(on, 1 + (round % 3))
          await by.sequence()
          await by.checkpoint()
        }
      }),
    )
    while ((await log.sequence()) > 0);
    assert.equal(await readFrozen(db), undefined)
    assert.equal((await readLog(db))?.size, 3 * 24)
  })

  test('a missing mark freezes the log, unless each node may have its own', async () => {
    await grow(3)
    rmSync(join(folder, 'marks'), { recursive: true })
    const shared = openLog(db, { ...marksIn(folder), isOnlyMark: false })
    assert.equal(await shared.check(), undefined)
    assert.match((await openLog(db).check())?.reason ?? '', /high-water mark is missing/)
  })

  test('nothing is signed if the mark cannot be written, and nothing is frozen either', async () => {
    await grow(3)
    const marks = join(folder, 'marks')
    const [name = ''] = readdirSync(marks)
    const saved = join(folder, 'saved')
    cpSync(join(marks, name), saved, { recursive: true })
    await append(db)
    await log.sequence()
    // A file instead of the folder, because root may write anything.
    rmSync(marks, { recursive: true })
    writeFileSync(marks, '')
    await assert.rejects(log.checkpoint())
    assert.equal(await readFrozen(db), undefined)
    rmSync(marks)
    cpSync(saved, join(marks, name), { recursive: true })
    assert.equal(parseCheckpoint(await log.checkpoint()).size, 4)
  })

  test('a frozen log still serves the checkpoint that was signed, and no other', async () => {
    await grow(3)
    await append(db)
    await log.sequence()
    await freezeLog(db, 'a test', systemClock)
    await assert.rejects(openLog(db).checkpoint(), { code: 'store_unavailable', message: /a test/ })
    await db.updateTable('log').set({ frozen_at: null, frozen_reason: null }).execute()
    assert.equal(parseCheckpoint(await log.checkpoint()).size, 4)
    await freezeLog(db, 'a test', systemClock)
    assert.equal(parseCheckpoint(await openLog(db).checkpoint()).size, 4)
    await append(db)
    await assert.rejects(log.sequence(), { name: 'LogFrozen' })
  })
})

async function copyLog(from: Kysely<Database>, to: Kysely<Database>): Promise<void> {
  for (const name of ['log', 'log_leaves', 'log_tiles'] as const) {
    const rows = await from.selectFrom(name).selectAll().execute()
    if (rows.length > 0)
      await to
        .insertInto(name)
        .values(rows as never)
        .execute()
  }
  if (isShared(to))
    await sql`select setval(pg_get_serial_sequence('log_leaves', 'leaf_id'), (select max(leaf_id) from log_leaves))`.execute(
      to,
    )
}
