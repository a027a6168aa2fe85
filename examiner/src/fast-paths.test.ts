import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '@kitseal/kit/internal'
import fc from 'fast-check'
import { BytesFinder } from './search/find-bytes.ts'
import { TextDetector } from './detect/text-encoding.ts'
import { countNewlines } from './search/word-scan.ts'
import { foundAs, SecretFinder } from './secrets/find-secrets.ts'
import { CONTENT_RULES, SECRET_RULES } from './secrets/secret-rules.ts'

// Texts are read several bytes at a time. These compare the results with code that is plain and slow.

/** Text of these pieces, at any address, in chunks of any size. */
const cutText = (pieces: readonly string[], maxLength = 40) =>
  fc
    .record({
      text: fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join('')),
      offset: fc.nat(3),
      // A byte order mark is in one chunk.
      step: fc.integer({ min: 3, max: 5000 }),
    })
    .map(({ text, offset, step }) => {
      const bytes = Buffer.from(`${' '.repeat(offset)}${text}`).subarray(offset)
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step))
      return { text, bytes, chunks }
    })

const RULES = [...SECRET_RULES, ...CONTENT_RULES]
const word = 'aB3dE5fG7hJ2kL4mN6pQ8rS'
const long = word.repeat(6)
const SECRETS = [
  ` AK${'IA'}QWERTYUIOPASDFGH `,
  ` gh${'p_'}${long.slice(0, 36)} `,
  ` ks${'_'}${word}_${long.slice(0, 43)}`,
  ` ey${'J'}${word}.ey${'J'}${word}.${long.slice(0, 40)}`,
  `postgres${'://'}app:${word}@db.internal`,
  `-----BEGIN ${'PRIVATE KEY'}-----\n${long.slice(0, 64)}\n${long.slice(0, 64)}\n`,
  'macrosPresent="yes"',
]

/** Every rule at every place, in the order of the places. */
function plainlyFound(text: string): readonly string[] {
  const found: {
    readonly at: number
    readonly line: number
    readonly code: string
    readonly title: string
  }[] = []
  for (const { starts, pattern, title, matches, code = 'possible_secret' } of RULES) {
    if (code === 'link') continue
    for (const start of starts) {
      for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
        pattern.lastIndex = at
        if (!pattern.test(text) || matches?.(text, at) === false) continue
        const shown = textOf(foundAs(code, title, `${start}…`))
        found.push({ at, line: text.slice(0, at).split('\n').length, code, title: shown })
      }
    }
  }
  const sorted = found.toSorted((a, b) => a.at - b.at)
  const isFirst = (one: (typeof found)[number], index: number): boolean =>
    sorted.findIndex(({ line, code }) => line === one.line && code === one.code) === index
  return sorted.filter(isFirst).map(({ line, title, code }) => `${code} line ${line}: ${title}`)
}

test('secrets are found where every rule at every place finds them', () => {
  const starts = RULES.flatMap((rule) => rule.starts)
  const filling = ['\n', ' ', '_', 'x', word, 'x'.repeat(700), '\n'.repeat(40), '-'.repeat(30)]
  fc.assert(
    fc.property(cutText([...SECRETS, ...SECRETS, ...starts, ...filling], 12), ({ text, chunks }) => {
      const finder = new SecretFinder()
      for (const chunk of chunks) finder.push(chunk)
      const found = finder.end(undefined).flatMap(({ code, detail = '' }) =>
        textOf(detail)
          .split('; ')
          .map((line) => `${code} ${line}`),
      )
      const expected = plainlyFound(text)
      // At most five of each kind are listed.
      const listed = new Set(found.filter((line) => !line.includes(' and ')))
      assert.deepEqual(expected.filter((line) => listed.has(line)).toSorted(), [...listed].toSorted())
      for (const code of ['private_key', 'macros', 'possible_secret']) {
        const wanted = expected.filter((line) => line.startsWith(code)).slice(0, 5)
        for (const line of wanted) assert.ok(listed.has(line), `${line} is missing`)
      }
    }),
    { numRuns: 300 },
  )
})

test('texts are UTF-8 if TextDecoder decodes them, and their controls are counted, at any address', () => {
  const pieces = ['a'.repeat(20), 'é', '日', '🙂', '\n', '\0', '\u0002', '\u001b', 'x'.repeat(9000)]
  fc.assert(
    fc.property(cutText(pieces), fc.nat(3), ({ text, bytes, chunks }, cut) => {
      const detector = new TextDetector()
      const all = [...chunks, ...(cut > 0 ? [Buffer.from('🙂').subarray(0, cut)] : [])]
      for (const chunk of all) detector.push(chunk)
      if (bytes.length < 100) return
      const [controls, zeros] = [text.split('\u0002').length - 1, text.split('\0').length - 1]
      assert.equal(detector.hasControls, controls + zeros > 0)
      const isText = controls <= 4 + all.reduce((sum, { length }) => sum + length, 0) / 100
      assert.equal(detector.end(true), isText ? (cut > 0 ? '8-bit' : 'utf-8') : undefined)
    }),
    { numRuns: 500 },
  )
})

test('byte sequences and line breaks are found as Buffer and split find them', () => {
  fc.assert(
    fc.property(cutText(['a', 'b', 'ab', '\n'], 200), cutText(['a', 'b'], 5), (hay, { bytes: needle }) => {
      assert.equal(countNewlines(hay.bytes, 0, hay.bytes.length), hay.text.split('\n').length - 1)
      if (needle.length < 2) return
      const finder = new BytesFinder(needle, 1000)
      for (const chunk of hay.chunks) finder.push(chunk)
      const expected: number[] = []
      for (let at = hay.bytes.indexOf(needle); at !== -1; at = hay.bytes.indexOf(needle, at + 1))
        expected.push(at)
      assert.deepEqual(finder.at, expected)
    }),
    { numRuns: 1000 },
  )
})
