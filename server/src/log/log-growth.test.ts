import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from '../../test/each-database.ts'
import { logGrowth, recordDay } from './log-growth.ts'

const at = (day: string) => ({ now: () => Date.parse(`${day}T12:00:00Z`) })

onEachDatabase(({ create }) => {
  test('the growth of the log is known by day, also over days without leaves', async () => {
    await using database = await create()
    const db = await database.open()
    assert.deepEqual(await logGrowth(db, at('2026-03-02'), 2), [
      { day: '2026-03-01', added: 0, size: 0 },
      { day: '2026-03-02', added: 0, size: 0 },
    ])
    for (const [day, size] of [
      ['2026-01-01', 5],
      ['2026-03-01', 6],
      ['2026-03-01', 9],
      ['2026-03-03', 10],
    ] as const)
      await recordDay(db, day, size)
    assert.deepEqual(await logGrowth(db, at('2026-03-04'), 4), [
      { day: '2026-03-01', added: 4, size: 9 },
      { day: '2026-03-02', added: 0, size: 9 },
      { day: '2026-03-03', added: 1, size: 10 },
      { day: '2026-03-04', added: 0, size: 10 },
    ])
  })

  test('a day that a wrong clock recorded never makes the log shrink', async () => {
    await using database = await create()
    const db = await database.open()
    await recordDay(db, '2026-03-02', 20)
    await recordDay(db, '2026-03-01', 21)
    const days = await logGrowth(db, at('2026-03-03'), 3)
    assert.deepEqual(
      days.map(({ added }) => added),
      [21, 0, 0],
    )
  })
})
