import assert from 'node:assert/strict'
import { test } from 'node:test'
import canonicalize from 'canonicalize'
import * as fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { type JsonValue, parseStrictJson } from './strict-json.ts'

test('canonical JSON equals the reference on any JSON document', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      if (!text.isWellFormed() || /\\ud[89a-f]/.test(text)) return
      assert.equal(canonicalJson(value as JsonValue), canonicalize(value))
    }),
    { numRuns: 2000 },
  )
})

test('names are sorted by UTF-16 code units', () => {
  assert.equal(
    canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, a: 3, A: 4 }),
    '{"A":4,"a":3,"\u{1f600}":2,"\ufb33":1}',
  )
})

test('the canonical form of a strict document parses to the same document', () => {
  const text = '{"b":[1,{"z":null}],"a":"\\u0000é"}'
  const canonical = canonicalJson(parseStrictJson(text))
  assert.equal(canonical, '{"a":"\\u0000é","b":[1,{"z":null}]}')
  assert.equal(canonicalJson(parseStrictJson(canonical)), canonical)
})

test('values that are not JSON are rejected, never dropped', () => {
  const notJson: readonly unknown[] = [
    { a: undefined },
    [undefined],
    () => 1,
    NaN,
    Infinity,
    1n,
    '\ud800',
    { '\udc00': 1 },
  ]
  for (const value of notJson) assert.throws(() => canonicalJson(value as JsonValue), TypeError)
})
