import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../test/each-database.ts'
import { inOneRoundTrip } from './in-one-round-trip.ts'
import { transact } from './transact.ts'
import { inPowersOfTwo, withRows } from './with-rows.ts'

onEachDatabase(({ create }) => {
  test('all changes of one round trip are made, or none', async () => {
    await using database = await create()
    const db = await database.open()
    const day = (name: string, size: number) => db.insertInto('log_days').values({ day: name, size })
    await transact(db, (trx) =>
      inOneRoundTrip(trx, [
        trx.insertInto('log_days').values({ day: 'a', size: 1 }),
        trx.insertInto('log_days').values({ day: 'b', size: 2 }),
      ]),
    )
    const failing = transact(db, (trx) =>
      inOneRoundTrip(trx, [
        trx.insertInto('log_days').values({ day: 'c', size: 3 }),
        trx.insertInto('log_days').values({ day: 'a', size: 4 }),
      ]),
    )
    await assert.rejects(failing)
    await inOneRoundTrip(db, [])
    await inOneRoundTrip(db, [day('d', 5)])
    const rows = await db.selectFrom('log_days').select('day').orderBy('day').execute()
    assert.deepEqual(
      rows.map((row) => row.day),
      ['a', 'b', 'd'],
    )
  })

  test('rows that a statement joins keep their types', async () => {
    await using database = await create()
    const db = await database.open()
    await db
      .insertInto('log_days')
      .values([
        { day: 'a', size: 1 },
        { day: 'b', size: 2 },
      ])
      .execute()
    const rows = [
      { name: 'a', from: 1, to: 10 },
      { name: 'b', from: 1, to: 20 },
    ]
    const changed = await withRows(db, 'growth', rows)
      .updateTable('log_days')
      .from('growth')
      .set((eb) => ({ size: eb.ref('growth.to') }))
      .whereRef('log_days.day', '=', 'growth.name')
      .whereRef('log_days.size', '=', 'growth.from')
      .returning(['log_days.day', 'log_days.size'])
      .execute()
    assert.deepEqual(changed, [{ day: 'a', size: 10 }])
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
