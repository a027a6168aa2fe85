import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes } from '../../kit/embed/elements.ts'
import { bytesText } from '../src/readable.ts'

test('an amount that is rounded up to the next unit is written in it, in all pages alike', () => {
  const amounts = {
    999: '999 bytes',
    1000: '1.0 KB',
    99_949: '99.9 KB',
    99_950: '100 KB',
    999_499: '999 KB',
    999_500: '1.0 MB',
    999_999_999: '1.0 GB',
  }
  for (const [bytes, text] of Object.entries(amounts)) {
    assert.equal(bytesText(Number(bytes)), text)
    assert.equal(formatBytes(Number(bytes)), text)
  }
})
