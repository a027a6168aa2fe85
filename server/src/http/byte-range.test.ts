import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesEntity, rangeAsked, rangeStillHolds } from './byte-range.ts'

test('one range is served as asked, cut at the end of the file', () => {
  for (const [header, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=90-', 90, 100],
    ['bytes=90-500', 90, 100],
    ['bytes=-1', 99, 100],
    ['bytes=-500', 0, 100],
    ['BYTES=0-9', 0, 10],
  ] as const) {
    assert.deepEqual(rangeAsked(header, 100), { is: 'part', start, end }, header)
  }
})

test('a range past the end can not be satisfied', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=999999999999999-', 'bytes=-0']) {
    assert.deepEqual(rangeAsked(header, 100), { is: 'unsatisfiable' }, header)
  }
})

test('what is no single byte range is answered with everything', () => {
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
    assert.deepEqual(rangeAsked(header, 100), { is: 'all' }, header)
  }
})

test('If-None-Match compares weakly, in a list and with a star', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*', ' "a" '])
    assert.equal(namesEntity(header, '"a"'), true, header)
  for (const header of [undefined, '', '"b"', 'a', '"A"'])
    assert.equal(namesEntity(header, '"a"'), false, header)
})

test('If-Range holds for the same strong tag alone', () => {
  for (const header of [undefined, '"a"']) assert.equal(rangeStillHolds(header, '"a"'), true)
  for (const header of ['W/"a"', '"b"', 'Sun, 06 Nov 1994 08:49:37 GMT'])
    assert.equal(rangeStillHolds(header, '"a"'), false)
})
