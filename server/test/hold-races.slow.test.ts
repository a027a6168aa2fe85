import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from './each-database.ts'
import { raceHolds } from './hold-races.ts'

const RACES = Number(process.env['KITSEAL_HOLD_RACES'] ?? 100)

onEachDatabase(({ name, create }) => {
  test('in many races, each kit is either held or erased', async () => {
    await using database = await create()
    const db = await database.open()
    // Two connections of one process to SQLite would wait for each other.
    const other = name === 'SQLite' ? db : await database.open()
    const { held, erased } = await raceHolds([db, other], RACES)
    assert.equal(held + erased, RACES)
  })
})
