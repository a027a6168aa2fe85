import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentlyUsed } from './recently-used.ts'

test('what is asked for stays, and what nobody asked for longest is forgotten first', () => {
  const remembered = new RecentlyUsed<number>(2)
  remembered.set('often', 1)
  for (let other = 0; other < 5; other++) {
    remembered.set(`once ${other}`, other)
    assert.equal(remembered.get('often'), 1)
  }
  assert.equal(remembered.get('once 3'), undefined)
  assert.equal(remembered.get('once 4'), 4)
})
