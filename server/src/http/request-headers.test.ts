import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  preferredCoding,
  matchesWeakly,
  parseRange,
  matchesIfRange,
  traceOf,
  traceOfMessage,
} from './request-headers.ts'

test('the coding with the greatest weight is chosen, and br if weights are equal', () => {
  for (const [header, coding] of [
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br ; q=0.001', 'br'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['identity, gzip', 'gzip'],
  ] as const)
    assert.equal(preferredCoding(header), coding, header)
})

test('there is no coding if none is accepted, or none is preferred', () => {
  for (const header of [
    undefined,
    '',
    'identity',
    'deflate, zstd',
    'gzip;q=0, br;q=0.000',
    'identity;q=1, gzip;q=0.5',
    'identity;q=0',
    '*;q=0',
    'gzip;q=2',
    'gzip;q=0.1234',
    'gzip;level=9',
    'gzipped',
    ';;;,,,',
  ])
    assert.equal(preferredCoding(header), undefined, header)
})

test('only codings that are available are chosen', () => {
  assert.equal(preferredCoding('br, gzip;q=0.1', ['gzip']), 'gzip')
  assert.equal(preferredCoding('br, gzip', []), undefined)
})

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

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const NEW = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-01$/

test('a valid traceparent is continued: same trace and flags, new span', () => {
  for (const [header, flags] of [
    [`00-${TRACE}-${SPAN}-01`, '01'],
    [`00-${TRACE}-${SPAN}-00`, '00'],
    [`00-${TRACE}-${SPAN}-03`, '03'],
    [`00-${TRACE}-${SPAN}-ff`, '03'],
    [`cc-${TRACE}-${SPAN}-01`, '01'],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, '01'],
  ] as const) {
    const { traceId, traceparent } = traceOf(header)
    assert.equal(traceId, TRACE, header)
    assert.match(traceparent, new RegExp(`^00-${TRACE}-[\\da-f]{16}-${flags}$`), header)
    assert.ok(!traceparent.includes(SPAN), header)
  }
})

test('an invalid traceparent is ignored, and a new trace starts', () => {
  for (const header of [
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${TRACE}-${SPAN}-0A`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `cc-${TRACE}-${SPAN}-01more`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ]) {
    const { traceId, traceparent } = traceOf(header)
    assert.notEqual(traceId, TRACE, header)
    assert.match(traceparent, NEW, header)
    assert.ok(traceparent.includes(traceId))
  }
})

test('new traces and spans differ', () => {
  const all = Array.from({ length: 1000 }, () => traceOf(undefined).traceparent)
  assert.equal(new Set(all.map((each) => each.slice(3, 35))).size, 1000)
  assert.equal(new Set(all.map((each) => each.slice(36, 52))).size, 1000)
})

test('attempts to deliver one message share a trace that does not show its ID', () => {
  const [first, second, other] = [
    traceOfMessage('evt_a_1'),
    traceOfMessage('evt_a_1'),
    traceOfMessage('evt_a_2'),
  ]
  assert.equal(first.traceId, second.traceId)
  assert.notEqual(first.traceparent, second.traceparent)
  assert.notEqual(first.traceId, other.traceId)
  assert.match(first.traceparent, NEW)
})
