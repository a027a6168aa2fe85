import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constantTimeLookup } from './constant-time-lookup.ts'

for (const [database, result] of [
  ['an embedded database', (row: unknown) => row],
  ['a database server', (row: unknown) => Promise.resolve(row)],
] as const)
  test(`with ${database}, every refusal costs one lookup that finds a row and one that does not`, async () => {
    const rows = new Map<unknown, unknown>([['a', {}]])
    const lookups: boolean[] = []
    const lookup = constantTimeLookup<string, unknown>((id) => {
      lookups.push(rows.has(id))
      return result(rows.get(id))
    })
    const lookupsFor = async (id: string): Promise<readonly boolean[]> => {
      lookups.length = 0
      await lookup.equalizeTime(await lookup.find(id))
      return [...lookups]
    }
    assert.deepEqual(await lookupsFor('a'), [true, false])
    assert.deepEqual(await lookupsFor('unknown'), [false, true])
  })
