import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoText } from '../src/readable.ts'

test('a past time is never shown in the future', () => {
  const at = '2026-03-04T05:06:07.000Z'
  const ago = { 0: 'now', 120_000: '2 minutes ago', [-300_000]: 'now' }
  for (const [passedMs, text] of Object.entries(ago))
    assert.equal(agoText(at, Date.parse(at) + Number(passedMs)), text)
})
