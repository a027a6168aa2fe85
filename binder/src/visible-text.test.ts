import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactSize, grouped, readableTime } from './readable-numbers.ts'
import { visibleText } from './visible-text.ts'

test('letters, marks and ordinary spaces stay as they are', () => {
  for (const text of ['Report 2026.pdf', 'Łódź', 'e\u0301', '隐私 政策', '報告　書', '🔐']) {
    assert.equal(visibleText(text), text)
  }
})

test('what does not show, or turns its neighbours around, is written out', () => {
  const cases = [
    ['\u0000', '‹U+0000›'],
    ['\n', '‹U+000A›'],
    ['\u00a0', '‹U+00A0›'],
    ['\u00ad', '‹U+00AD›'],
    ['\u200d', '‹U+200D›'],
    ['\u2066', '‹U+2066›'],
    ['\u2028', '‹U+2028›'],
    ['\u3164', '‹U+3164›'],
    ['\ufe0f', '‹U+FE0F›'],
    ['\ue000', '‹U+E000›'],
    ['\udc00', '‹U+DC00›'],
    ['\u{e0041}', '‹U+E0041›'],
  ] as const
  for (const [hidden, shown] of cases) assert.equal(visibleText(`a${hidden}b`), `a${shown}b`)
})

test('marks that pile up on a letter are written out from the fourth on', () => {
  assert.equal(visibleText('u\u0302\u0300\u0323'), 'u\u0302\u0300\u0323')
  assert.equal(
    visibleText('a\u0301\u0302\u0303\u0304\u0305b\u0301'),
    'a\u0301\u0302\u0303‹U+0304›‹U+0305›b\u0301',
  )
})

test('sizes and times read the same everywhere', () => {
  assert.equal(grouped(1_234_567), '1,234,567')
  assert.equal(grouped(999), '999')
  assert.equal(exactSize(104_857_600), '105 MB (104,857,600 bytes)')
  assert.equal(readableTime('2026-01-02T03:04:05.678Z'), '2 January 2026, 03:04:05 UTC')
})
