import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoText, relativeText } from '../src/core/readable.ts'

test('a past time is never shown in the future', () => {
  const at = '2026-03-04T05:06:07.000Z'
  const ago = { 0: 'now', 120_000: '2 minutes ago', [-300_000]: 'now' }
  for (const [passedMs, text] of Object.entries(ago))
    assert.equal(agoText(at, Date.parse(at) + Number(passedMs)), text)
})

test('a time within a month is relative, and any other is not', () => {
  const now = Date.parse('2026-03-04T05:06:07.000Z')
  const dayMs = 24 * 60 * 60 * 1000
  const texts = {
    '-1': 'yesterday',
    '3': 'in 3 days',
    '-29': '29 days ago',
    '31': undefined,
    '-400': undefined,
  }
  for (const [days, text] of Object.entries(texts))
    assert.equal(relativeText(new Date(now + Number(days) * dayMs).toISOString(), now), text, days)
})
