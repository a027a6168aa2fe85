import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from 'fontkit'
import type { Font } from 'fontkit'
import { fontProgram } from './font-program.ts'
import { loadGlyphs } from './typefaces.ts'

const SAMPLES = {
  Latin: 'Łódź, naïve café, Điều khoản, İstanbul, Ægir ß',
  Greek: 'Άδεια λειτουργίας, Ἀθῆναι',
  Cyrillic: 'Политика безопасности, Ґава, Ўзбек',
  'simplified Chinese': '隐私政策和数据处理协议',
  'traditional Chinese': '資訊安全政策（正式版）與備份',
  Japanese: 'セキュリティ方針、直近の報告書（①）',
  Korean: '개인정보 처리방침',
} as const

test('Latin, Greek, Cyrillic, Chinese, Japanese and Korean names have a glyph for every character', async () => {
  const texts = Object.values(SAMPLES)
  const glyphSets = await loadGlyphs({ regular: texts, strong: texts, mono: texts })
  for (const [script, text] of Object.entries(SAMPLES)) {
    for (const face of ['regular', 'strong', 'mono'] as const) {
      const missing = glyphSets[face]
        .shape(text)
        .flatMap(({ actualText, isMissing }) => (isMissing ? (actualText ?? []) : []))
      assert.deepEqual(missing, [], `${script}, ${face}`)
    }
  }
})

test('a character without a glyph shows as a box and keeps its text', async () => {
  const { regular } = await loadGlyphs({ regular: ['a𐎀'], strong: [], mono: [] })
  const [letter, box] = regular.shape('a𐎀')
  assert.equal(letter?.actualText, undefined)
  assert.equal(box?.actualText, '𐎀')
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
