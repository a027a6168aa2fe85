import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontLibrary } from '../fonts/typefaces.ts'
import { breakLines, type BrokenLine } from './break-lines.ts'
import { graphemesOf } from './emoji-sequences.ts'

const loadGlyphs = fontLibrary()

interface Options {
  readonly isPath?: boolean
  readonly limit?: number
}

async function linesOf(
  text: string,
  { isPath = false, limit = 100_000 }: Options = {},
): Promise<readonly BrokenLine[]> {
  const { regular } = await loadGlyphs({ regular: [text], strong: [], mono: [] })
  return breakLines({ text, isPath, glyphSet: regular, limit })
}

const readingOrder = ({ glyphs }: BrokenLine): string =>
  glyphs.map(({ glyph, missingCharacter }) => missingCharacter ?? glyph.text).join('')

/** The text from left to right, by position. */
function visualOrder({ glyphs }: BrokenLine): string {
  let pen = 0
  const placed = glyphs.map(({ glyph, advance, dx }) => {
    const one = { text: glyph.text, x: pen + dx }
    pen += advance
    return one
  })
  return placed
    .toSorted((a, b) => a.x - b.x)
    .map(({ text }) => text)
    .join('')
}

async function visual(text: string, options: Options = {}): Promise<string> {
  const [line, ...others] = await linesOf(text, options)
  assert.deepEqual(others, [])
  return line === undefined ? '' : visualOrder(line)
}

test('text is ordered by the Unicode Bidirectional Algorithm', async () => {
  assert.equal(await visual('abc אבג def'), 'abc גבא def')
  assert.equal(await visual('אבג abc דהו'), 'והד abc גבא')
  assert.equal(await visual('אבג 123, 456'), '456 ,123 גבא')
  assert.equal(await visual('בג (א)'), ')א( גב')
  assert.equal(await visual('𐎀 אב'), '𐎀 בא')
  assert.equal(await visual('אב 🔐 גד'), 'דג 🔐 בא')
})

test('the folders and the extension of a path stay in order from left to right', async () => {
  const isPath = true
  assert.equal(await visual('אבג.pdf', { isPath }), 'גבא.pdf')
  assert.equal(await visual('אבג.pdf'), 'pdf.גבא')
  assert.equal(await visual('data/אב/2026/גד/', { isPath }), 'data/בא/2026/דג/')
  assert.equal(await visual('אב/גד', { isPath }), 'בא/דג')
})

test('an escaped character reads the same in every direction', async () => {
  assert.equal(await visual('אב‹U+202E›גד', { isPath: true }), 'דג›U+202E‹בא')
  assert.equal(await visual('ab‹U+202E›cd', { isPath: true }), 'ab‹U+202E›cd')
})

test('lines are broken before they are ordered; from right to left they end at the same place', async () => {
  const lines = await linesOf('אבג דהו זחט', { limit: 4000 })
  assert.deepEqual(lines.map(readingOrder), ['אבג דהו ', 'זחט'])
  assert.deepEqual(lines.map(visualOrder), [' והד גבא', 'טחז'])
  const [first, last] = lines
  assert.equal(first?.indent, 0)
  assert.equal(last?.indent, (first?.width ?? 0) - (last?.width ?? 0))
})

test('every line fits, no line splits a grapheme, and nothing is lost', async () => {
  const texts = [
    'طويل'.repeat(60),
    'हिन्दीरिपोर्टक्षत्रिय'.repeat(20),
    'รายงานการตรวจสอบน้ำ'.repeat(20),
    '👨\u200d👩\u200d👧🇩🇪👍🏽'.repeat(40),
    'e\u0301\u0323'.repeat(200),
    '很长的名字、（正式版）'.repeat(20),
    'mixed שלום عربي हिन्दी '.repeat(20),
    '𐎀𐎁'.repeat(100),
  ]
  for (const text of texts) {
    const lines = await linesOf(text, { limit: 9000 })
    assert.ok(lines.length > 1)
    assert.equal(lines.map(readingOrder).join(''), text)
    assert.equal(lines.flatMap((line) => graphemesOf(readingOrder(line))).length, graphemesOf(text).length)
    for (const { width } of lines) assert.ok(width <= 9000, `${width}: ${text.slice(0, 20)}`)
  }
})

test('a grapheme that is wider than the line has a line of its own', async () => {
  const lines = await linesOf('👨\u200d👩\u200d👧🇩🇪', { limit: 10 })
  assert.deepEqual(lines.map(readingOrder), ['👨\u200d👩\u200d👧', '🇩🇪'])
})

test('Thai breaks between words, which have no spaces between them', async () => {
  const words = ['รายงาน', 'การ', 'ตรวจ', 'สอบ', 'ความ', 'ปลอดภัย']
  const lines = (await linesOf(words.join(''), { limit: 6000 })).map(readingOrder)
  assert.ok(lines.length > 1)
  let at = 0
  const boundaries = new Set(words.map((word) => (at += word.length)))
  let end = 0
  for (const line of lines) assert.ok(boundaries.has((end += line.length)), line)
})

test('Chinese and Japanese lines do not start with closing or end with opening punctuation', async () => {
  const text = '隐私政策（正式版）、数据「处理」协议。'.repeat(6)
  for (let limit = 3000; limit < 9000; limit += 500) {
    for (const line of (await linesOf(text, { limit })).map(readingOrder)) {
      assert.doesNotMatch(line, /^[）、」。]|[（「]$/, `${limit}: ${line}`)
    }
  }
})
