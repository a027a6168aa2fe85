import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { CallerTurns } from './caller-turns.ts'

test('a request begins at once where no other of its workspace began just now', async () => {
  const turns = new CallerTurns()
  const begun: string[] = []
  turns.begin('a', () => begun.push('a'))
  turns.begin('b', () => begun.push('b'))
  assert.deepEqual(begun, ['a', 'b'])
  await turn()
  turns.begin('a', () => begun.push('a again'))
  assert.deepEqual(begun, ['a', 'b', 'a again'])
})

test('of many requests of one workspace one begins in each turn, in their order, and another workspace goes between them', async () => {
  const turns = new CallerTurns()
  const begun: string[] = []
  for (let count = 1; count <= 4; count++) turns.begin('many', () => begun.push(`many ${count}`))
  assert.deepEqual(begun, ['many 1'])
  await turn()
  turns.begin('one', () => begun.push('one'))
  assert.deepEqual(begun.slice(0, 3), ['many 1', 'many 2', 'one'])
  while (begun.length < 5) await turn()
  assert.deepEqual(begun, ['many 1', 'many 2', 'one', 'many 3', 'many 4'])
})

test('a request that fails as it begins does not hold up the next', async () => {
  const turns = new CallerTurns()
  const begun: string[] = []
  assert.throws(() =>
    turns.begin('a', () => {
      throw new Error('broken')
    }),
  )
  turns.begin('a', () => begun.push('second'))
  await turn()
  assert.deepEqual(begun, ['second'])
})
