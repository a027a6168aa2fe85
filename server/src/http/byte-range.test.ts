import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesWeakly, parseRange, matchesIfRange } from './byte-range.ts'

test('a single range is returned, up to the end of the file', () => {
  for (const [header, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=90-', 90, 100],
    ['bytes=90-500', 90, 100],
    ['bytes=-1', 99, 100],
    ['bytes=-500', 0, 100],
    ['BYTES=0-9', 0, 10],
  ] as const) {
    assert.deepEqual(parseRange(header, 100), { is: 'part', start, end }, header)
  }
})

test('a range past the end is unsatisfiable', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=999999999999999-', 'bytes=-0']) {
    assert.deepEqual(parseRange(header, 100), { is: 'unsatisfiable' }, header)
  }
})

test('anything but a single byte range returns the whole file', () => {
  for (const header of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,5-6',
    'items=0-1',
    'bytes=0-1;q=1',
    `bytes=${'9'.repeat(400)}-`,
    'bytes=1.5-2',
    'bytes=--5',
  ]) {
    assert.deepEqual(parseRange(header, 100), { is: 'all' }, header)
  }
})

test('If-None-Match compares weakly and accepts lists and *', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*', ' "a" '])
    assert.equal(matchesWeakly(header, '"a"'), true, header)
  for (const header of [undefined, '', '"b"', 'a', '"A"'])
    assert.equal(matchesWeakly(header, '"a"'), false, header)
})

test('If-Range matches the same strong ETag only', () => {
  for (const header of [undefined, '"a"']) assert.equal(matchesIfRange(header, '"a"'), true)
  for (const header of ['W/"a"', '"b"', 'Sun, 06 Nov 1994 08:49:37 GMT'])
    assert.equal(matchesIfRange(header, '"a"'), false)
})
