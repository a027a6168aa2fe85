import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constantTimeLookup } from './secret.ts'

test('every refusal costs one lookup that finds a row and one that does not', async () => {
  const rows = new Map<unknown, unknown>([['a', {}]])
  const lookups: boolean[] = []
  const lookup = constantTimeLookup<string, unknown>(async (id) => {
    lookups.push(rows.has(id))
    return rows.get(id)
  })
  const lookupsFor = async (id: string): Promise<readonly boolean[]> => {
    lookups.length = 0
    await lookup.equalizeTime(await lookup.find(id))
    return [...lookups]
  }
  assert.deepEqual(await lookupsFor('a'), [true, false])
  assert.deepEqual(await lookupsFor('unknown'), [false, true])
})
