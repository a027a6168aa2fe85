import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from 'fontkit'
import type { Font } from 'fontkit'
import type { PlacedGlyph } from './glyph-outline.ts'
import { fontProgram } from './font-program.ts'
import { glyphOutline } from './glyph-outline.ts'
import { fontLibrary } from './typefaces.ts'

const loadGlyphs = fontLibrary()

const SAMPLES = {
  Latin: 'Łódź, naïve café, Điều khoản, İstanbul, Ægir ß',
  Greek: 'Άδεια λειτουργίας, Ἀθῆναι',
  Cyrillic: 'Политика безопасности, Ґава, Ўзбек',
  'simplified Chinese': '隐私政策和数据处理协议',
  'traditional Chinese': '資訊安全政策（正式版）與備份',
  Japanese: 'セキュリティ方針、直近の報告書（①）',
  Korean: '개인정보 처리방침',
  Arabic: 'تقرير المراجعة، پچژگ ٹڈڑ ۲۰۲۶',
  Hebrew: 'דוח ביקורת ״סופי״ ₪',
  Thai: 'รายงานการตรวจสอบ ฿๑๒๓',
  Devanagari: 'हिन्दी रिपोर्ट १२३।',
  emoji: '🔐📄✅⚠☎😀',
} as const

test('names in each supported script have a glyph for every character', async () => {
  const texts = Object.values(SAMPLES)
  const glyphSets = await loadGlyphs({ regular: texts, strong: texts, mono: texts })
  for (const [script, text] of Object.entries(SAMPLES)) {
    for (const face of ['regular', 'strong', 'mono'] as const) {
      const missing = glyphSets[face].shape(text).flatMap(({ missingCharacter }) => missingCharacter ?? [])
      assert.deepEqual(missing, [], `${script}, ${face}`)
    }
  }
})

test('a character without a glyph shows as a box and keeps its text', async () => {
  const { regular } = await loadGlyphs({ regular: ['a𐎀'], strong: [], mono: [] })
  const [letter, box] = regular.shape('a𐎀')
  assert.equal(letter?.missingCharacter, undefined)
  assert.equal(box?.missingCharacter, '𐎀')
  assert.ok((box?.glyph.outline.length ?? 0) > 0)
})

test('shared characters take Japanese forms in a name with kana, Chinese forms elsewhere', async () => {
  const { regular } = await loadGlyphs({ regular: ['直', 'の直'], strong: [], mono: [] })
  const [chinese] = regular.shape('直')
  const [, japanese] = regular.shape('の直')
  assert.notDeepEqual(chinese?.glyph.outline, japanese?.glyph.outline)
  // A word of a name uses the forms of the whole name.
  assert.equal(regular.shape('直', 'の直')[0]?.glyph, japanese?.glyph)
})

test('marks are stacked in the order of the script, whatever their order in the text', async () => {
  const clusters = { 'م\u064e\u0651': 'rtl', 'م\u0651\u064e': 'rtl', 'น\u0e49\u0e33': 'ltr' } as const
  const { regular } = await loadGlyphs({ regular: Object.keys(clusters), strong: [], mono: [] })
  for (const [cluster, direction] of Object.entries(clusters)) {
    const [shaped, ...others] = regular.shape(cluster, cluster, direction)
    assert.deepEqual(others, [])
    assert.equal(shaped?.glyph.text, cluster)
    // Shadda and the vowel sign above it; the circle and the tone mark above it.
    const [, lower, upper] = shaped?.glyph.parts ?? []
    assert.ok(lower !== undefined && upper !== undefined && top(lower) < top(upper), cluster)
  }
})

test('a letter and its dots are one glyph, with the text of the letter', async () => {
  const { regular } = await loadGlyphs({ regular: ['تقرير'], strong: [], mono: [] })
  const shaped = regular.shape('تقرير', 'تقرير', 'rtl')
  assert.deepEqual(
    shaped.map(({ glyph }) => glyph.text),
    [...'تقرير'],
  )
})

test('text of every cluster can be extracted, also where glyphs are in another order than letters', async () => {
  for (const text of [
    'हिन्दी',
    'รายงานน้ำ',
    'שָׁלוֹם',
    'مُحَمَّد',
    'क्\u200dष',
    'می\u200cخ',
    '👨\u200d👩\u200d👧❤\ufe0f',
  ]) {
    const { regular } = await loadGlyphs({ regular: [text], strong: [], mono: [] })
    const direction = /[\u0590-\u06ff]/.test(text) ? 'rtl' : 'ltr'
    const shaped = regular.shape(text, text, direction)
    assert.equal(shaped.map(({ glyph }) => glyph.text).join(''), text)
    assert.ok(
      shaped.every(({ missingCharacter }) => missingCharacter === undefined),
      text,
    )
  }
})

test('an emoji sequence is one glyph', async () => {
  const sequences = [
    '👨\u200d👩\u200d👧',
    '🇩🇪',
    '👍🏽',
    '1\ufe0f\u20e3',
    '🏳\ufe0f\u200d🌈',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ]
  const { regular } = await loadGlyphs({ regular: sequences, strong: [], mono: [] })
  for (const sequence of sequences) assert.equal(regular.shape(sequence).length, 1, sequence)
  // There is no such flag: each letter is shown.
  const { regular: unknown } = await loadGlyphs({ regular: ['🇿🇿🇽🇽'], strong: [], mono: [] })
  assert.deepEqual(
    unknown.shape('🇿🇿🇽🇽').map(({ glyph }) => glyph.text),
    [...'🇿🇿🇽🇽'],
  )
})

test('glyphs are kerned', async () => {
  const { regular } = await loadGlyphs({ regular: ['AV'], strong: [], mono: [] })
  const [first] = regular.shape('AV')
  assert.ok((first?.advance ?? 0) < (first?.glyph.advance ?? 0))
})

test('the embedded font is a TrueType file with the same outlines and widths', async () => {
  const text = 'Ägypten 直 한 %'
  const { regular } = await loadGlyphs({ regular: [text], strong: [], mono: [] })
  const glyphs = [regular.typeface.missing, ...regular.shape(text).map(({ glyph }) => glyph)]
  const font = create(Buffer.from(fontProgram({ glyphs, ascent: 1069, descent: -293 }))) as Font
  assert.equal(font.numGlyphs, glyphs.length)
  for (const [id, { advance, outline }] of glyphs.entries()) {
    const { minX, minY, maxX, maxY } = font.getGlyph(id).path.cbox
    assert.equal(font.getGlyph(id).advanceWidth, advance)
    if (outline.length === 0) continue
    const box = new DataView(outline.buffer, outline.byteOffset)
    assert.deepEqual(
      [minX, minY, maxX, maxY],
      [2, 4, 6, 8].map((at) => box.getInt16(at)),
    )
  }
})

test('an outline keeps every point that is not halfway between two control points', () => {
  assert.equal(pointsWith(200), 4)
  assert.equal(pointsWith(202), 5)
})

/** The upper edge, from the header of the outline. */
const top = ({ glyph: { outline }, dy }: PlacedGlyph): number =>
  new DataView(outline.buffer, outline.byteOffset).getInt16(8) + dy

const curveTo = (...args: number[]): { command: 'quadraticCurveTo'; args: number[] } => ({
  command: 'quadraticCurveTo',
  args,
})

const pointsWith = (x: number): number => {
  const outline = glyphOutline(
    [{ command: 'moveTo', args: [0, 0] }, curveTo(0, 300, x, 300), curveTo(400, 300, 400, -10)],
    1,
  )
  return new DataView(outline.buffer, outline.byteOffset).getUint16(10) + 1
}
