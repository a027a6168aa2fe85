import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStrictJson, StrictJsonError } from './strict-json.ts'

const rejected: readonly (readonly [why: string, text: string])[] = [
  ['duplicate names', '{"a":1,"a":1}'],
  ['duplicate names at depth', '[{"x":{"a":1,"\\u0061":2}}]'],
  ['an unpaired high surrogate', '"\\ud800"'],
  ['an unpaired low surrogate', '"\\udc00x"'],
  ['swapped surrogates', '"\\udc00\\ud800"'],
  ['an unpaired surrogate in a name', '{"\\ud800":1}'],
  ['a fraction', '1.5'],
  ['a fraction that rounds to a whole number', '0.99999999999999999999'],
  ['2^53', '9007199254740992'],
  ['a number beyond doubles', '1e400'],
  ['a leading zero', '01'],
  ['a bare minus', '-'],
  ['a byte order mark', '\ufeff{}'],
  ['a trailing comma', '[1,]'],
  ['text after the value', '{} {}'],
  ['a control character in a string', '"\n"'],
  ['an invalid escape', '"\\x41"'],
  ['single quotes', "{'a':1}"],
  ['an empty document', ''],
  ['nesting beyond 64', '['.repeat(66) + ']'.repeat(66)],
  ['nesting that would exhaust a stack', '['.repeat(1_000_000)],
  ['NaN', 'NaN'],
]

for (const [why, text] of rejected) {
  test(`strict JSON rejects ${why}`, () => assert.throws(() => parseStrictJson(text), StrictJsonError))
}

test('strict JSON rejects bytes that are not UTF-8', () => {
  assert.throws(() => parseStrictJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)), StrictJsonError)
  assert.throws(() => parseStrictJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), StrictJsonError)
})

test('strict JSON gives the same result as JSON.parse', () => {
  const text =
    ' {"a" : [1, -2, 3e2, 1.0, -0, true, false, null], "é\\u00e9\\n\\"": {"": "\\ud83d\\ude00😀"}} '
  assert.equal(JSON.stringify(parseStrictJson(text)), JSON.stringify(JSON.parse(text)))
})

test('a member named __proto__ is an ordinary member', () => {
  const value = parseStrictJson('{"__proto__": {"polluted": true}}') as Record<string, unknown>
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(Reflect.get({}, 'polluted'), undefined)
  assert.throws(() => parseStrictJson('{"__proto__":1,"__proto__":2}'), StrictJsonError)
})

test('a number with a million digits is parsed in linear time', () => {
  const startCpu = process.cpuUsage()
  assert.throws(() => parseStrictJson(`0.${'0'.repeat(1_000_000)}1`), StrictJsonError)
  assert.equal(parseStrictJson(`0.${'0'.repeat(1_000_000)}`), 0)
  assert.ok(process.cpuUsage(startCpu).user < 2_000_000, 'microseconds of CPU time')
})
