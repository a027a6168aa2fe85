import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceOf, traceOfMessage } from './trace-context.ts'

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
