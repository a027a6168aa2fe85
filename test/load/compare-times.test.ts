import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTimes } from './compare-times.ts'

test('equal times are indistinguishable, whatever the outliers', () => {
  const times = [1, 2, 3, 4, 1000]
  assert.deepEqual(compareTimes(times, times), { slower: 0.5, medianMicros: 0 })
})

test('times that are always longer are fully distinguishable', () => {
  assert.equal(compareTimes([1, 2, 3], [4, 5, 6]).slower, 1)
  assert.equal(compareTimes([4, 5, 6], [1, 2, 3]).slower, 0)
  assert.equal(compareTimes([4, 5, 6], [1, 2, 3]).medianMicros, -3000)
})

test('a difference of 5 % of the noise shows in a few thousand samples', () => {
  const noise = Array.from({ length: 4000 }, (_, at) => 1 + ((at * 7919) % 4000) / 4000)
  const { slower, medianMicros } = compareTimes(
    noise,
    noise.map((ms) => ms + 0.05),
  )
  assert.ok(slower > 0.54 && slower < 0.56, String(slower))
  assert.ok(Math.abs(medianMicros - 50) < 1)
})
