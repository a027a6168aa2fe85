import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressGroup } from './addresses.ts'
import { TokenBuckets } from './rate-limits.ts'

const clock = { time: 0, now: () => clock.time }

test('a caller can use a whole minute at once, then as much as the rate refills', () => {
  const buckets = new TokenBuckets(60, clock)
  for (let round = 0; round < 60; round += 1) assert.equal(buckets.take('a'), 0)
  assert.equal(buckets.take('a'), 1000)
  assert.equal(buckets.take('b'), 0, 'another caller has its own bucket')
  clock.time += 999
  assert.equal(buckets.take('a'), 1)
  clock.time += 1
  assert.equal(buckets.take('a'), 0)
})

test('setting the clock back adds no tokens', () => {
  const buckets = new TokenBuckets(1, clock)
  assert.equal(buckets.take('a'), 0)
  clock.time -= 3_600_000
  assert.ok(buckets.take('a') > 0)
})

test('memory is bounded for a million callers, and the limit of a busy one still applies', () => {
  const buckets = new TokenBuckets(1, clock)
  for (let round = 0; round < 250_000; round += 1) buckets.take(`caller ${round}`)
  buckets.take('busy')
  assert.ok(buckets.take('busy') > 0)
  assert.ok(buckets.size <= 100_000)
})

test('the addresses of one IPv6 subscriber count as one', () => {
  assert.equal(addressGroup('2001:db8:1:2:aaaa::1'), addressGroup('2001:db8:1:2::ffff'))
  assert.notEqual(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:3::1'))
  assert.equal(addressGroup('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(addressGroup('192.0.2.7'), '192.0.2.7')
  assert.equal(addressGroup('::1'), '0:0:0:0')
})
