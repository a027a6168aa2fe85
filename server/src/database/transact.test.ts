import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { onEachDatabase } from '../../test/each-database.ts'
import { ensureDefaultPlan, plans } from '../workspaces/plans.ts'
import type { Database } from './schema.ts'
import { transact } from './transact.ts'
import { isUnavailable } from './unavailable.ts'

const clock = { now: () => Date.now() }

onEachDatabase((database) => {
  test('transactions that wait for each other are both done, one of them a second time', async () => {
    await using place = await database.place()
    const db = await place.open()
    await ensureDefaultPlan(db, clock)
    await plans(db, clock).create('other', {})
    const [firstHas, secondHas] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let begun = 0
    const change = (names: readonly [string, string], mine: typeof firstHas, theirs: typeof firstHas) =>
      transact(db, async (trx) => {
        begun += 1
        await raise(trx, names[0])
        mine.resolve()
        // In the embedded store the second begins when the first has ended.
        if (database.name === 'PostgreSQL') await theirs.promise
        await raise(trx, names[1])
      })
    await Promise.all([
      change(['default', 'other'], firstHas, secondHas),
      change(['other', 'default'], secondHas, firstHas),
    ])
    const rows = await db.selectFrom('plans').select(['plan', 'unpacked_files']).orderBy('plan').execute()
    assert.deepEqual(
      rows.map(({ unpacked_files }) => unpacked_files),
      [10_002, 10_002],
    )
    assert.equal(begun, database.name === 'PostgreSQL' ? 3 : 2)
  })

  test('changes of one plan at the same time are both kept', async () => {
    await using place = await database.place()
    const db = await place.open()
    await ensureDefaultPlan(db, clock)
    const { update, find } = plans(db, clock)
    await Promise.all([update('default', { unpackedFiles: 7 }), update('default', { ratePerMinute: 8 })])
    const plan = await find('default')
    assert.deepEqual([plan?.unpackedFiles, plan?.ratePerMinute], [7, 8])
  })

  test('numbers come back as numbers, whatever they were added up from', async () => {
    await using place = await database.place()
    const db = await place.open()
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
    await using place = await database.place()
    const db = await place.open()
    for (const name of ['b', 'B', 'a', '_', 'ä']) await plans(db, clock).create(name, {})
    const names = (await plans(db, clock).list()).map(({ name }) => name)
    assert.deepEqual(names, ['B', '_', 'a', 'b', 'ä'])
  })
})

const coded = (code: string) => Object.assign(new Error('x'), { code })

test('what a database says when it is away, full or late is told from what is wrong with a statement', () => {
  for (const code of ['ECONNREFUSED', '57P01', '57P03', '53300', '57014', '40P01', '25006', 'SQLITE_BUSY'])
    assert.equal(isUnavailable(coded(code)), true, code)
  for (const code of ['23505', '42601', 'P0001', '22021', 'SQLITE_CONSTRAINT', 'ENOENT'])
    assert.equal(isUnavailable(coded(code)), false, code)
  assert.equal(isUnavailable(new Error('Connection terminated unexpectedly')), true)
  assert.equal(isUnavailable(new AggregateError([coded('ECONNREFUSED')])), true)
  assert.equal(isUnavailable('57P01'), false)
})

const raise = (trx: Kysely<Database>, plan: string) =>
  trx
    .updateTable('plans')
    .set({ unpacked_files: sql`unpacked_files + 1` })
    .where('plan', '=', plan)
    .execute()
