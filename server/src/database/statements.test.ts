import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../test/each-database.ts'
import { inOneRoundTrip, inPowersOfTwo, withRows } from './statements.ts'
import { transact } from './transact.ts'
import type { JobId } from '../runtime/identifiers.ts'
import type { JobStatus } from './schema.ts'

onEachDatabase(({ create }) => {
  test('all changes of one round trip are made, or none', async () => {
    await using database = await create()
    const db = await database.open()
    const day = (name: string, size: number) =>
      db.insertInto('daily_counts').values({ day: name, name: 'n', count: size })
    await transact(db, (trx) =>
      inOneRoundTrip(trx, [
        trx.insertInto('daily_counts').values({ day: 'a', name: 'n', count: 1 }),
        trx.insertInto('daily_counts').values({ day: 'b', name: 'n', count: 2 }),
      ]),
    )
    const failing = transact(db, (trx) =>
      inOneRoundTrip(trx, [
        trx.insertInto('daily_counts').values({ day: 'c', name: 'n', count: 3 }),
        trx.insertInto('daily_counts').values({ day: 'a', name: 'n', count: 4 }),
      ]),
    )
    await assert.rejects(failing)
    await inOneRoundTrip(db, [])
    await inOneRoundTrip(db, [day('d', 5)])
    const rows = await db.selectFrom('daily_counts').select('day').orderBy('day').execute()
    assert.deepEqual(
      rows.map((row) => row.day),
      ['a', 'b', 'd'],
    )
  })

  test('rows that a statement joins keep their types', async () => {
    await using database = await create()
    const db = await database.open()
    await db
      .insertInto('daily_counts')
      .values([
        { day: 'a', name: 'n', count: 1 },
        { day: 'b', name: 'n', count: 2 },
      ])
      .execute()
    const rows = [
      { name: 'a', from: 1, to: 10 },
      { name: 'b', from: 1, to: 20 },
    ]
    const changed = await withRows(db, 'growth', rows)
      .updateTable('daily_counts')
      .from('growth')
      .set((eb) => ({ count: eb.ref('growth.to') }))
      .whereRef('daily_counts.day', '=', 'growth.name')
      .whereRef('daily_counts.count', '=', 'growth.from')
      .returning(['daily_counts.day', 'daily_counts.count'])
      .execute()
    assert.deepEqual(changed, [{ day: 'a', count: 10 }])
  })
})

test('any number of rows is split into powers of two, in order', () => {
  const all = Array.from({ length: 77 }, (_, at) => at)
  const parts = inPowersOfTwo(all)
  assert.deepEqual(parts.flat(), all)
  assert.deepEqual(
    parts.map((part) => part.length),
    [32, 32, 8, 4, 1],
  )
})

onEachDatabase(({ create }) => {
  test('a state is compared as part of the statement, and every other value is a parameter', async () => {
    await using database = await create()
    const db = await database.open()
    const { sql, parameters } = db
      .selectFrom('submissions')
      .select('job_id')
      .where('submissions.status', '<>', 'PASS')
      .where('status', '=', "PASS' or 'a" as JobStatus)
      .where('job_id', '=', 'job_1' as JobId)
      .compile()
    assert.match(sql, /"submissions"\."status" <> 'PASS' and "status" = [?$]/)
    assert.deepEqual(parameters, ["PASS' or 'a", 'job_1'])
    const change = db
      .updateTable('submissions')
      .set({ status: 'PASS' })
      .where('status', '=', 'SUBMITTED')
      .compile()
    assert.deepEqual(change.parameters, ['PASS'])
  })
})
