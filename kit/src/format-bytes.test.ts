import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes } from './format-bytes.ts'

test('sizes have at most three digits and roll over to the next unit after rounding', () => {
  const expected: readonly (readonly [number, string])[] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 KB'],
    [99_949, '99.9 KB'],
    [99_950, '100 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [999_600, '1.0 MB'],
    [999_950, '1.0 MB'],
    [1e6, '1.0 MB'],
    [104_857_600, '105 MB'],
    [999_499_999, '999 MB'],
    [999_500_000, '1.0 GB'],
    [1e12, '1.0 TB'],
    [999_999_999, '1.0 GB'],
    [5e15, '5000 TB'],
  ]
  for (const [sizeBytes, text] of expected) assert.equal(formatBytes(sizeBytes), text, String(sizeBytes))
})
