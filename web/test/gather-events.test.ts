import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatherEvents, INVALIDATE_EVERY_MS } from '../src/console/gather-events.ts'

test('thousands of events make queries stale at most once in two seconds, and the last one is not lost', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stop = new AbortController()
  const calls: string[][] = []
  const changed = gatherEvents((stale) => calls.push(stale.map((key) => key.join(' '))), stop.signal)
  changed({ type: 'submission.created', subject: 'sub_1' })
  assert.deepEqual(calls, [
    ['submissions', 'overview', 'revocations', 'programs', 'requests', 'series', 'audit', 'submission sub_1'],
  ])
  for (let count = 2; count <= 2000; count += 1) changed({ type: 'key.created', subject: `key_${count}` })
  assert.equal(calls.length, 1)
  t.mock.timers.tick(INVALIDATE_EVERY_MS)
  assert.deepEqual(calls.slice(1), [['keys', 'audit']])
  t.mock.timers.tick(INVALIDATE_EVERY_MS)
  assert.equal(calls.length, 2)
  changed({ type: 'share.revoked', subject: 'shr_1' })
  assert.deepEqual(calls.at(-1), ['shares', 'overview', 'audit'])
  changed({ type: 'share.revoked', subject: 'shr_2' })
  stop.abort()
  t.mock.timers.tick(INVALIDATE_EVERY_MS)
  assert.equal(calls.length, 3)
})
