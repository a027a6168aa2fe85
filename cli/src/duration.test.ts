import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationProblems, parseDuration } from './arguments.ts'

test('a duration is a number and a unit', () => {
  assert.deepEqual(['30d', '24h', '90m', '10s', '0s'].map(parseDuration), [2_592_000, 86_400, 5400, 10, 0])
  for (const text of ['', '24', 'h', '1.5h', '-1h', '24 h', '1w', '12345678901s'])
    assert.equal(parseDuration(text), undefined, text)
  assert.deepEqual(durationProblems('--max-delay', '1w'), [
    '--max-delay must be a duration such as 30d, 24h, 90m or 10s, not "1w"',
  ])
})
