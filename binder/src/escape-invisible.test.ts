import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatExactBytes, formatNumber, formatTime, wordsIn } from './words.ts'
import { escapeInvisible } from './escape-invisible.ts'

test('letters, marks and ordinary spaces are unchanged', () => {
  for (const text of ['Report 2026.pdf', 'Łódź', 'e\u0301', '隐私 政策', '報告　書', '🔐']) {
    assert.equal(escapeInvisible(text), text)
  }
})

test('invisible and direction-changing characters are escaped', () => {
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
  for (const [hidden, shown] of cases) assert.equal(escapeInvisible(`a${hidden}b`), `a${shown}b`)
})

test('joiners stay where they change what is drawn, and are escaped elsewhere', () => {
  for (const text of [
    '👨\u200d👩\u200d👧',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '🏳\ufe0f\u200d🌈',
    'می\u200cخواهم',
    'क्\u200dष',
    'क्\u200cष',
  ]) {
    assert.equal(escapeInvisible(text), text)
  }
  const cases = [
    ['a\u200db', 'a‹U+200D›b'],
    ['👨\u200d', '👨‹U+200D›'],
    ['a\ufe0f', 'a‹U+FE0F›'],
    // Alef does not join the next letter anyway.
    ['ا\u200cب', 'ا‹U+200C›ب'],
    ['ب\u200c', 'ب‹U+200C›'],
    ['ب\u200c\u200cب', 'ب‹U+200C›‹U+200C›ب'],
    ['क\u200dष', 'क‹U+200D›ष'],
  ] as const
  for (const [hidden, shown] of cases) assert.equal(escapeInvisible(hidden), shown)
})

test('a name cannot contain a forged escape', () => {
  assert.equal(escapeInvisible('a‹U+202E›b'), 'a‹U+2039›U+202E›b')
  assert.equal(escapeInvisible('‹quoted›'), '‹quoted›')
})

test('stacked combining marks are escaped from the fourth on', () => {
  assert.equal(escapeInvisible('u\u0302\u0300\u0323'), 'u\u0302\u0300\u0323')
  assert.equal(
    escapeInvisible('a\u0301\u0302\u0303\u0304\u0305b\u0301'),
    'a\u0301\u0302\u0303‹U+0304›‹U+0305›b\u0301',
  )
})

test('sizes and times are formatted independently of the locale', () => {
  assert.equal(formatNumber(1_234_567, wordsIn('en')), '1,234,567')
  assert.equal(formatNumber(999, wordsIn('en')), '999')
  assert.equal(formatExactBytes(104_857_600, wordsIn('en')), '105 MB (104,857,600 bytes)')
  assert.equal(formatTime('2026-01-02T03:04:05.678Z', wordsIn('en')), '2 January 2026, 03:04:05 UTC')
  assert.equal(formatTime('2026-01-02T03:04:05.678Z', wordsIn('ja')), '2026年1月2日 03:04:05 UTC')
  assert.equal(formatExactBytes(1_234_567, wordsIn('es')), '1,2 MB (1.234.567 bytes)')
  assert.equal(formatNumber(1234, wordsIn('es')), '1234')
})
