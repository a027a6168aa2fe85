import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase } from './each-database.ts'
import { raceHolds } from './hold-races.ts'

onEachDatabase(({ name, create }) => {
  test('a hold that was acknowledged wins against retention and deletion', async () => {
    await using database = await create()
    const db = await database.open()
    // Two connections of one process to SQLite would wait for each other.
    const other = name === 'SQLite' ? db : await database.open()
    const { held, erased } = await raceHolds([db, other], 40)
    assert.equal(held + erased, 40)
    assert.ok(held >= 20)
  })
})
