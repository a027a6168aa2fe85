import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache } from './lru-cache.ts'

test('the least recently used entry is evicted first', () => {
  const cache = new LruCache<number>(2)
  cache.set('often', 1)
  for (let other = 0; other < 5; other++) {
    cache.set(`once ${other}`, other)
    assert.equal(cache.get('often'), 1)
  }
  assert.equal(cache.get('once 3'), undefined)
  assert.equal(cache.get('once 4'), 4)
})
