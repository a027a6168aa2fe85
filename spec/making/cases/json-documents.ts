import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import type { Case } from '../case.ts'

const read = (name: string, text: string, canonical: string): Case => ({
  name,
  kind: 'json',
  expected: { accepted: true, canonical },
  content: utf8(text),
})

const refused = (name: string, text: string | Uint8Array): Case => ({
  name,
  kind: 'json',
  expected: { accepted: false },
  content: typeof text === 'string' ? utf8(text) : text,
})

const nested = (depth: number, inside: string): string => '['.repeat(depth) + inside + ']'.repeat(depth)

export const goodJson: readonly Case[] = [
  read(
    'members-are-sorted-by-utf16-code-units',
    '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ),
  read(
    'strings-are-escaped-as-little-as-possible',
    '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\\\/\\u007f\\u2028\\u00e9"',
    '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028é"',
  ),
  read(
    'numbers-count-by-their-exact-value',
    '[1.0,10e-1,0.01e2,1E+2,-0,-0.0e5,0e9999999999,9007199254740991,-9007199254740991]',
    '[1,1,1,100,0,0,0,9007199254740991,-9007199254740991]',
  ),
  read('noncharacters-are-characters', '"\\uffff\\ufdd0\\ud83f\\udffe"', '"\uffff\ufdd0\u{1fffe}"'),
  read('a-surrogate-pair-is-one-character', '"\\uD83D\\uDE00"', '"😀"'),
  read(
    'a-member-named-proto-is-a-member',
    '{"__proto__":{"a":1},"constructor":2}',
    '{"__proto__":{"a":1},"constructor":2}',
  ),
  read('a-member-name-may-be-empty', '{"":1}', '{"":1}'),
  read(
    'equal-names-in-different-objects-are-not-duplicates',
    '{"a":{"a":1},"b":{"a":1}}',
    '{"a":{"a":1},"b":{"a":1}}',
  ),
  read(
    'names-that-differ-by-normalization-are-two-names',
    '{"\\u00e9":1,"e\\u0301":2}',
    '{"e\u0301":2,"\u00e9":1}',
  ),
  read('nesting-of-64-levels-is-read', nested(64, '1'), nested(64, '1')),
  read(
    'white-space-around-tokens-is-no-part-of-the-value',
    ' \t\r\n{ "a" : [ true , false , null ] } \n',
    '{"a":[true,false,null]}',
  ),
  read('a-scalar-is-a-document', '"text"', '"text"'),
]

export const badJson: readonly Case[] = [
  refused('json-with-a-duplicate-member', '{"a":1,"a":1}'),
  refused('json-with-a-duplicate-member-at-depth', '{"a":[{"b":{"c":1,"c":2}}]}'),
  refused('json-with-a-duplicate-member-spelled-by-escapes', '{"a":1,"\\u0061":2}'),
  refused('json-with-a-duplicate-member-named-proto', '{"__proto__":1,"__proto__":2}'),
  refused('json-with-a-lone-high-surrogate', '"\\ud800"'),
  refused('json-with-a-lone-low-surrogate', '"\\udc00"'),
  refused('json-with-surrogates-in-the-wrong-order', '"\\ude00\\ud83d"'),
  refused('json-with-a-lone-surrogate-in-a-name', '{"\\ud800":1}'),
  refused('json-with-a-surrogate-encoded-in-utf8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)),
  refused('json-with-an-overlong-utf8-sequence', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)),
  refused('json-with-a-byte-that-is-not-utf8', Uint8Array.of(0x22, 0xff, 0x22)),
  refused('json-in-utf16', Uint8Array.of(0xff, 0xfe, 0x5b, 0, 0x5d, 0)),
  refused('json-behind-a-byte-order-mark', '\ufeff{}'),
  refused('json-with-a-number-beyond-safe-integers', '9007199254740992'),
  refused('json-with-a-number-that-rounds-to-a-safe-integer', '9007199254740991.4'),
  refused('json-with-a-number-far-beyond-safe-integers', '1e400'),
  refused('json-with-a-fraction', '[0.5]'),
  refused('json-with-a-fraction-that-rounds-to-a-whole-number', '0.99999999999999999999'),
  refused('json-with-a-fraction-that-rounds-to-zero', '1e-400'),
  refused('json-with-a-leading-zero', '01'),
  refused('json-with-a-plus-sign', '+1'),
  refused('json-with-a-number-without-digits-behind-its-point', '1.'),
  refused('json-with-not-a-number', 'NaN'),
  refused('json-with-infinity', '-Infinity'),
  refused('json-nested-65-levels-deep', nested(65, '1')),
  refused('json-nested-20000-levels-deep', nested(20_000, '')),
  refused('json-with-a-trailing-comma', '[1,]'),
  refused('json-with-a-comment', '[1/* one */]'),
  refused('json-with-something-behind-the-value', '{}{}'),
  refused('json-with-a-raw-control-character', '"a\nb"'),
  refused('json-with-an-unknown-escape', '"\\x41"'),
  refused('json-with-an-escape-that-is-not-hex', '"\\u004g"'),
  refused('json-with-a-name-that-begins-without-a-quote', '{.a":1}'),
  refused('json-with-a-trailing-comma-in-an-object', '{"a":1,}'),
  refused('json-with-other-white-space', '[\u00a01]'),
  refused('json-that-ends-early', '{"a":'),
  refused('json-that-is-empty', ''),
]
