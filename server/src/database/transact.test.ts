import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { onEachDatabase } from '../../test/each-database.ts'
import { ensureDefaultPlan, plans } from '../access/plans.ts'
import type { Database } from './schema.ts'
import { transact } from './transact.ts'
import { isUnavailable } from './unavailable.ts'

const clock = { now: () => Date.now() }

onEachDatabase((database) => {
  test('of two deadlocked transactions one is retried, and both commit', async () => {
    await using store = await database.create()
    const db = await store.open()
    await ensureDefaultPlan(db, clock)
    await plans(db, clock).create('other', {})
    const [firstLocked, secondLocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let attempts = 0
    const change = (names: readonly [string, string], mine: typeof firstLocked, theirs: typeof firstLocked) =>
      transact(db, async (trx) => {
        attempts += 1
        await increment(trx, names[0])
        mine.resolve()
        // With SQLite, the second starts when the first has committed.
        if (database.name === 'PostgreSQL') await theirs.promise
        await increment(trx, names[1])
      })
    await Promise.all([
      change(['default', 'other'], firstLocked, secondLocked),
      change(['other', 'default'], secondLocked, firstLocked),
    ])
    const rows = await db.selectFrom('plans').select(['plan', 'unpacked_files']).orderBy('plan').execute()
    assert.deepEqual(
      rows.map(({ unpacked_files }) => unpacked_files),
      [10_002, 10_002],
    )
    assert.equal(attempts, database.name === 'PostgreSQL' ? 3 : 2)
  })

  test('concurrent changes to one plan are both kept', async () => {
    await using store = await database.create()
    const db = await store.open()
    await ensureDefaultPlan(db, clock)
    const { update, find } = plans(db, clock)
    await Promise.all([update('default', { unpackedFiles: 7 }), update('default', { ratePerMinute: 8 })])
    const plan = await find('default')
    assert.deepEqual([plan?.unpackedFiles, plan?.ratePerMinute], [7, 8])
  })

  test('counts and sums are returned as numbers', async () => {
    await using store = await database.create()
    const db = await store.open()
    await ensureDefaultPlan(db, clock)
    const row = await db
      .selectFrom('plans')
      .select((eb) => ['upload_limit_bytes', eb.fn.countAll<number>().as('count')])
      .select((eb) => eb.fn.sum<number>('upload_limit_bytes').as('sum'))
      .groupBy('upload_limit_bytes')
      .executeTakeFirstOrThrow()
    assert.deepEqual({ ...row }, { upload_limit_bytes: 104_857_600, count: 1, sum: 104_857_600 })
  })

  test('text is compared byte by byte', async () => {
    await using store = await database.create()
    const db = await store.open()
    for (const name of ['b', 'B', 'a', '_', 'ä']) await plans(db, clock).create(name, {})
    const names = (await plans(db, clock).list()).map(({ name }) => name)
    assert.deepEqual(names, ['B', '_', 'a', 'b', 'ä'])
  })
})

const errorWith = (code: string) => Object.assign(new Error('x'), { code })

test('errors of an unavailable database are distinguished from errors in a statement', () => {
  for (const code of ['ECONNREFUSED', '57P01', '57P03', '53300', '57014', '40P01', '25006', 'SQLITE_BUSY'])
    assert.equal(isUnavailable(errorWith(code)), true, code)
  for (const code of ['23505', '42601', 'P0001', '22021', 'SQLITE_CONSTRAINT', 'ENOENT'])
    assert.equal(isUnavailable(errorWith(code)), false, code)
  assert.equal(isUnavailable(new Error('Connection terminated unexpectedly')), true)
  assert.equal(isUnavailable(new AggregateError([errorWith('ECONNREFUSED')])), true)
  assert.equal(isUnavailable('57P01'), false)
})

const increment = (trx: Kysely<Database>, plan: string) =>
  trx
    .updateTable('plans')
    .set({ unpacked_files: sql`unpacked_files + 1` })
    .where('plan', '=', plan)
    .execute()
