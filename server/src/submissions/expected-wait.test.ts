import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedWait } from './job-queue.ts'

/** Counts once per second: `before` includes what was added since the last count. */
function counting() {
  let nowMs = 0
  const wait = expectedWait(() => nowMs)
  const count = (before: number, now: number): void => {
    nowMs += 1000
    wait.counted(new Map([['a', before]]), new Map([['a', now]]))
  }
  return {
    count,
    /** Three counts of a queue that stays as long. */
    steady: (waiting: number, perSecond: number) => {
      for (let at = 0; at < 3; at++) count(waiting + perSecond, waiting)
    },
    seconds: (waitedMs = 0, workspace = 'a') => wait.seconds(workspace, () => waitedMs),
  }
}

test('the wait is a second without a queue, and with a short one', () => {
  const { steady, seconds } = counting()
  assert.equal(seconds(), 1)
  steady(49, 1)
  assert.equal(seconds(), 1)
})

test('the wait is a second until the rate is known', () => {
  const { count, seconds } = counting()
  count(1000, 1000)
  assert.equal(seconds(), 1)
  count(1010, 1000)
  assert.equal(seconds(), 1)
  count(1010, 1000)
  assert.equal(seconds(), 30)
})

test('the wait is the length of the queue divided by the recent rate', () => {
  const { count, steady, seconds } = counting()
  steady(1000, 100)
  assert.equal(seconds(), 10)
  for (let left = 950; left > 700; left -= 50) count(left + 50, left)
  assert.ok(seconds() > 10 && seconds() <= 16, `${seconds()}`)
})

test('what a job has waited is subtracted, down to a second', () => {
  const { steady, seconds } = counting()
  steady(1000, 100)
  assert.equal(seconds(4000), 6)
  assert.equal(seconds(60_000), 1)
})

test('the wait is at most 30 seconds, also if nothing is finished', () => {
  const { steady, seconds } = counting()
  steady(10_000, 10)
  assert.equal(seconds(), 30)
  const idle = counting()
  idle.steady(100, 0)
  assert.equal(idle.seconds(), 30)
})

test('the queue of one workspace does not lengthen the wait of another', () => {
  const { steady, seconds } = counting()
  steady(1000, 100)
  assert.equal(seconds(0, 'b'), 1)
})

test('the wait is a second again once the queue is short', () => {
  const { count, steady, seconds } = counting()
  steady(1000, 100)
  count(1000, 10)
  assert.equal(seconds(), 1)
})
