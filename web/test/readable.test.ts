import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes } from '../../kit/embed/elements.ts'
import { agoText, bytesText } from '../src/readable.ts'

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

test('what has happened is in the past, whatever the clock of the reader says', () => {
  const at = '2026-03-04T05:06:07.000Z'
  const ago = { 0: 'now', 120_000: '2 minutes ago', [-300_000]: 'now' }
  for (const [passedMs, text] of Object.entries(ago))
    assert.equal(agoText(at, Date.parse(at) + Number(passedMs)), text)
})
