import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectsUnavailable, type Overload } from '../objects/object-store.ts'
import { manyAtOnce } from './many-at-once.ts'
import { adaptivePace, type Pace } from './pace.ts'

test('results are in the order of the items, whichever operation ends first', async () => {
  const delays = [30, 1, 20, 0, 10]
  const results = manyAtOnce(each(delays), async (delay) => later(delay), { pace: fixed(5) })
  assert.deepEqual(await valuesOf(results), delays)
})

test('no more operations run at once than the pace allows, and the others continue behind a slow one', async () => {
  const state = { running: 0, most: 0, started: 0 }
  const slow = Promise.withResolvers<void>()
  const work = async (item: number) => {
    state.started += 1
    state.running += 1
    state.most = Math.max(state.most, state.running)
    if (item === 0) await slow.promise
    else await later(0)
    state.running -= 1
    if (state.started === 100) slow.resolve()
    return sized(item)
  }
  const items = Array.from({ length: 100 }, (_, index) => index)
  assert.deepEqual(await valuesOf(manyAtOnce(each(items), work, { pace: fixed(7) })), items)
  assert.equal(state.most, 7)
})

test('an error is thrown after the results before it, and ends the operations behind it', async () => {
  const seen: number[] = []
  const aborted: number[] = []
  const lastStarted = Promise.withResolvers<void>()
  const work = async (item: number, signal: AbortSignal) => {
    if (item === 4) lastStarted.resolve()
    if (item === 2) {
      await lastStarted.promise
      throw new Error('disk on fire')
    }
    if (item > 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    if (signal.aborted) aborted.push(item)
    return sized(item)
  }
  const read = async (): Promise<void> => {
    for await (const { value } of manyAtOnce(each([0, 1, 2, 3, 4]), work, { pace: fixed(5) }))
      seen.push(value)
  }
  await assert.rejects(read(), /disk on fire/)
  assert.deepEqual(
    [seen, aborted],
    [
      [0, 1],
      [3, 4],
    ],
  )
})

test('a reader that stops early leaves nothing running', async () => {
  const state = { running: 0 }
  const work = async (item: number) => {
    state.running += 1
    await later(1)
    state.running -= 1
    return sized(item)
  }
  for await (const { value } of manyAtOnce(endless(), work, { pace: fixed(9) })) if (value === 20) break
  assert.equal(state.running, 0)
})

test('an operation is repeated with fewer at once if the store is overloaded, and fails if it stays so', async () => {
  const waits: number[] = []
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds)
  const pace = { ...fixed(4), slowed: 0 }
  const counting: Pace = { ...pace, slowDown: () => void (pace.slowed += 1) }
  const options = { pace: counting, wait }
  assert.deepEqual(await valuesOf(manyAtOnce(each([1]), failing(3, 'busy'), options)), [1])
  assert.deepEqual([waits, pace.slowed], [[250, 500, 1000], 3])
  await assert.rejects(valuesOf(manyAtOnce(each([1]), failing(100, 'busy'), options)), ObjectsUnavailable)
  await assert.rejects(valuesOf(manyAtOnce(each([1]), failing(2, 'timeout'), options)), ObjectsUnavailable)
  waits.length = 0
  await assert.rejects(valuesOf(manyAtOnce(each([1]), failing(1, undefined), options)), ObjectsUnavailable)
  assert.deepEqual(waits, [], 'an outage is not repeated')
})

test('the pace grows to what a store with a latency can serve, and stays near where more does not help', () => {
  assert.equal(simulate({ most: 64, capacity: 1000 }).limit(), 64)
  const limit = simulate({ most: 64, capacity: 8 }).limit()
  assert.ok(limit >= 8 && limit <= 16, `${limit}`)
})

test('the pace halves once for operations that fail together, and grows slowly afterwards', () => {
  const pace = simulate({ most: 64, capacity: 1000 })
  for (let count = 0; count < 40; count += 1) pace.slowDown()
  assert.equal(pace.limit(), 32)
  for (let count = 0; count < 96; count += 1) pace.done(0)
  assert.equal(pace.limit(), 33)
  for (let round = 0; round < 10; round += 1) {
    pace.slowDown()
    for (let count = 0; count < 100; count += 1) pace.done(0)
  }
  assert.ok(pace.limit() >= 1 && pace.limit() < 33, `${pace.limit()}`)
})

/** Fails a few times, then works. */
function failing(times: number, overload: Overload | undefined) {
  let left = times
  return async (item: number) => {
    if (left > 0) {
      left -= 1
      throw new ObjectsUnavailable('is unavailable', undefined, overload)
    }
    return sized(item)
  }
}

/** A store that takes 10 ms per operation and serves `capacity` at once; the rest wait. */
function simulate({ most, capacity }: { readonly most: number; readonly capacity: number }): Pace {
  const clock = { time: 0 }
  const pace = adaptivePace({ most, now: () => clock.time })
  for (let count = 0; count < 5000; count += 1) {
    clock.time += 10 / Math.min(pace.limit(), capacity)
    pace.done(0)
  }
  return pace
}

function fixed(limit: number): Pace {
  return { limit: () => limit, done: () => {}, slowDown: () => {} }
}

const sized = (value: number) => ({ value, sizeBytes: 0 })

async function later(milliseconds: number) {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  return sized(milliseconds)
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function* endless(): AsyncGenerator<number> {
  for (let count = 0; ; count += 1) yield count
}

async function valuesOf(results: AsyncIterable<{ readonly value: number }>): Promise<readonly number[]> {
  const values: number[] = []
  for await (const { value } of results) values.push(value)
  return values
}
