import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapsIn } from './series.ts'

const days = (...list: readonly string[]): readonly string[] => list.map((day) => `${day}T09:00:00.000Z`)

test('a missing quarter is a gap', () => {
  const times = days('2026-10-02', '2026-04-01', '2026-01-03', '2025-10-01', '2025-07-01')
  assert.deepEqual(gapsIn(times), [184, undefined, undefined, undefined, undefined])
})

test('regular kits, two kits and kits of one day have no gaps', () => {
  assert.deepEqual(gapsIn(days('2026-03-01', '2026-02-01', '2026-01-01')), [undefined, undefined, undefined])
  assert.deepEqual(gapsIn(days('2026-03-01', '2020-01-01')), [undefined, undefined])
  assert.deepEqual(gapsIn(days('2026-03-01', '2026-03-01', '2026-03-01')).filter(Boolean), [])
  assert.deepEqual(gapsIn([]), [])
})
