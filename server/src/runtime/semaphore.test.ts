import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from './semaphore.ts'

test('a semaphore runs up to its limit, queues up to its queue limit, and rejects the rest', async () => {
  const semaphore = new Semaphore(2, { maxWaiting: 3, queueFull: () => new RangeError('full') })
  const open = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running)
    await open.promise
    running -= 1
  }
  const all = Array.from({ length: 8 }, () => semaphore.run(work))
  open.resolve()
  const results = await Promise.allSettled(all)
  assert.equal(most, 2)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
  for (const result of results)
    if (result.status === 'rejected') assert.ok(result.reason instanceof RangeError)
  await semaphore.run(async () => {})
})

test('a semaphore without a queue limit runs everything, in order', async () => {
  const semaphore = new Semaphore(1)
  const order: number[] = []
  await Promise.all(Array.from({ length: 100 }, (_, index) => semaphore.run(() => order.push(index))))
  assert.deepEqual(order, [...order.keys()])
})

test('a failed operation frees its slot', async () => {
  const semaphore = new Semaphore(1)
  await assert.rejects(semaphore.run(() => Promise.reject(new Error('failed'))))
  assert.equal(await semaphore.run(async () => 'done'), 'done')
})

test('one caller takes at most half of the places, and its queue does not delay another caller', async () => {
  const semaphore = new Semaphore(4, { maxWaiting: 10, queueFull: () => new RangeError('full') })
  const open = Promise.withResolvers<void>()
  const running: string[] = []
  const run = (caller: string) =>
    semaphore.run(async () => {
      running.push(caller)
      await open.promise
    }, caller)
  const all = ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd'].map(run)
  await new Promise(setImmediate)
  assert.deepEqual(running, ['a', 'a', 'b', 'c'])
  open.resolve()
  await Promise.all(all)
  assert.equal(running.length, 8)
})
