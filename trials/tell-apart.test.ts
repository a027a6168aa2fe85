import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellApart } from './load/tell-apart.ts'

test('what takes the same time is not told apart, whatever its outliers', () => {
  const times = [1, 2, 3, 4, 1000]
  assert.deepEqual(tellApart(times, times), { slower: 0.5, medianMicros: 0 })
})

test('what always takes longer is told apart at every look', () => {
  assert.equal(tellApart([1, 2, 3], [4, 5, 6]).slower, 1)
  assert.equal(tellApart([4, 5, 6], [1, 2, 3]).slower, 0)
  assert.equal(tellApart([4, 5, 6], [1, 2, 3]).medianMicros, -3000)
})

test('a difference of a twentieth of the noise is noticed in some thousand answers', () => {
  const noise = Array.from({ length: 4000 }, (_, at) => 1 + ((at * 7919) % 4000) / 4000)
  const { slower, medianMicros } = tellApart(
    noise,
    noise.map((ms) => ms + 0.05),
  )
  assert.ok(slower > 0.54 && slower < 0.56, String(slower))
  assert.ok(Math.abs(medianMicros - 50) < 1)
})
