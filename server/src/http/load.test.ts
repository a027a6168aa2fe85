import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { StartQueue } from './load.ts'

test('a request starts at once if no other request of its workspace just started', async () => {
  const queue = new StartQueue()
  const started: string[] = []
  queue.start('a', () => started.push('a'))
  queue.start('b', () => started.push('b'))
  assert.deepEqual(started, ['a', 'b'])
  await nextIteration()
  queue.start('a', () => started.push('a again'))
  assert.deepEqual(started, ['a', 'b', 'a again'])
})

test('one request per workspace starts in each event loop iteration, in order', async () => {
  const queue = new StartQueue()
  const started: string[] = []
  for (let count = 1; count <= 4; count++) queue.start('many', () => started.push(`many ${count}`))
  assert.deepEqual(started, ['many 1'])
  await nextIteration()
  queue.start('one', () => started.push('one'))
  assert.deepEqual(started.slice(0, 3), ['many 1', 'many 2', 'one'])
  while (started.length < 5) await nextIteration()
  assert.deepEqual(started, ['many 1', 'many 2', 'one', 'many 3', 'many 4'])
})

test('a part of a long queue starts in each iteration, in order', async () => {
  const queue = new StartQueue()
  const started: number[] = []
  for (let count = 0; count <= 320; count++) queue.start('many', () => started.push(count))
  assert.equal(started.length, 1)
  await nextIteration()
  assert.equal(started.length, 11)
  queue.start('one', () => started.push(-1))
  assert.equal(started.at(-1), -1, 'others do not wait for it')
  while (started.length < 322) await nextIteration()
  assert.deepEqual(
    started.filter((count) => count >= 0),
    Array.from({ length: 321 }, (_, count) => count),
  )
})

test('a request that throws on start does not block the next', async () => {
  const queue = new StartQueue()
  const started: string[] = []
  assert.throws(() =>
    queue.start('a', () => {
      throw new Error('broken')
    }),
  )
  queue.start('a', () => started.push('second'))
  await nextIteration()
  assert.deepEqual(started, ['second'])
})
