import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constantTimeLookup } from './constant-time-lookup.ts'

for (const [where, eventually] of [
  ['in this process', (row: unknown) => row],
  ['elsewhere', (row: unknown) => Promise.resolve(row)],
] as const)
  test(`with a database ${where}, a refusal costs one look-up that finds a row and one that does not`, async () => {
    const rows = new Map<unknown, unknown>([['a', {}]])
    const asked: boolean[] = []
    const lookUp = constantTimeLookup<string, unknown>((id) => {
      asked.push(rows.has(id))
      return eventually(rows.get(id))
    })
    const costs = async (id: string): Promise<readonly boolean[]> => {
      asked.length = 0
      await lookUp.equalizeTime(await lookUp.find(id))
      return [...asked]
    }
    assert.deepEqual(await costs('a'), [true, false])
    assert.deepEqual(await costs('nowhere'), [false, true])
  })
