import assert from 'node:assert/strict'
import { wordsIn } from './texts/index.ts'
import { test } from 'node:test'
import { missingTool } from '../test/binder-fixture.ts'
import { picturesOfLines, similarity } from '../test/compare-pictures.ts'
import type { Picture } from '../test/compare-pictures.ts'
import { noChromium, printWithChromium } from '../test/print-with-chromium.ts'
import { fontLibrary } from './fonts/typefaces.ts'
import { PAPER, startLayout } from './layout.ts'
import type { Layout, Style } from './layout.ts'
import { pdfDocument } from './pdf/pdf-document.ts'
import { sharedParts } from './shared-parts.ts'

const loadGlyphs = fontLibrary()

interface Sample {
  readonly text: string
  readonly face: 'regular' | 'strong'
  /** Drawn glyph by glyph in reading order, it looks wrong. */
  readonly needsShaping: boolean
}

const sample = (text: string, needsShaping = true, face: Sample['face'] = 'regular'): Sample => ({
  text,
  face,
  needsShaping,
})

const SAMPLES: Readonly<Record<string, Sample>> = {
  Latin: sample('Łódź, naïve café', false),
  Arabic: sample('تقرير المراجعة السنوي'),
  'Arabic with vowel signs': sample('مُحَمَّد لا إلى'),
  'semibold Arabic': sample('مُحَمَّد السنوي', true, 'strong'),
  Persian: sample('می\u200cخواهم گزارش'),
  Hebrew: sample('דוח ביקורת (סופי)'),
  'Hebrew with points': sample('בְּרֵאשִׁית שָׁלוֹם עולם'),
  'semibold Hebrew': sample('שָׁלוֹם עולם', true, 'strong'),
  Thai: sample('น้ำที่ป่าประจำปี'),
  'semibold Thai': sample('น้ำที่ป่า ปีนี้', true, 'strong'),
  Devanagari: sample('हिन्दी रिपोर्ट प्रमाणपत्र'),
  'semibold Devanagari': sample('क्षत्रिय द्वारा', true, 'strong'),
  Chinese: sample('隐私政策（正式版）直', false),
  Japanese: sample('セキュリティの直近', false),
  Korean: sample('개인정보 처리방침', false),
  emoji: sample('🔐👨\u200d👩\u200d👧🇩🇪❤\ufe0f👍🏽1\ufe0f\u20e3'),
  'both directions': sample('Audit שלום with 123 عربي 45%'),
}
const NAMES = Object.keys(SAMPLES)
const GRID = { left: 40, pitch: 49, fontSize: 20 }
const WEIGHTS = { regular: 400, strong: 600 } as const
const SAME = 0.99
const DIFFERENT = 0.9

const skip = noChromium === false ? await missingTool('pdftoppm') : noChromium
if (skip !== false) console.log(`skipped: ${skip}`)

test('every script looks as in a browser', { skip }, async () => {
  const lines = Object.entries(SAMPLES).map(([name, { text, face }]) => ({
    text,
    weight: WEIGHTS[face],
    isJapanese: name === 'Japanese',
  }))
  const [expected, shown, unshaped] = await Promise.all([
    printWithChromium(lines, GRID).then(pictures),
    draw(writeShaped).then(pictures),
    draw(writeUnshaped).then(pictures),
  ])
  for (const [at, name] of NAMES.entries()) {
    const score = similarity(shown[at] ?? NOTHING, expected[at] ?? NOTHING)
    assert.ok(score >= SAME, `${name}: ${score}`)
    const wrong = similarity(shown[at] ?? NOTHING, expected[(at + 1) % NAMES.length] ?? NOTHING)
    assert.ok(wrong < DIFFERENT, `${name} is not told apart from the next: ${wrong}`)
    if (SAMPLES[name]?.needsShaping !== true) continue
    const isolated = similarity(unshaped[at] ?? NOTHING, expected[at] ?? NOTHING)
    assert.ok(isolated < DIFFERENT, `${name} without shaping is not told apart: ${isolated}`)
  }
})

const NOTHING: Picture = { width: 0, height: 0, shades: new Uint8Array(0) }

const pictures = (pdf: Uint8Array): Promise<readonly Picture[]> =>
  picturesOfLines(pdf, NAMES.length, GRID.pitch)

type GlyphSets = Awaited<ReturnType<typeof loadGlyphs>>
type Write = (layout: Layout, glyphSets: GlyphSets, text: string, style: Style, baseline: number) => void

async function draw(write: Write): Promise<Uint8Array> {
  const texts = Object.values(SAMPLES).map(({ text }) => text)
  const parts = sharedParts()
  const glyphSets = await loadGlyphs({ regular: texts, strong: texts, mono: [] })
  const document = pdfDocument(
    {
      title: 'Samples',
      author: '',
      subject: '',
      madeAt: '2026-11-15T03:07:50.123Z',
      language: 'en',
      size: PAPER,
    },
    parts,
  )
  const layout = startLayout(document, glyphSets, parts, wordsIn('en'))
  for (const [at, { text, face }] of Object.values(SAMPLES).entries()) {
    const style = { face, size: GRID.fontSize, leading: GRID.pitch, colour: '0 0 0' }
    write(layout, glyphSets, text, style, (at + 0.65) * GRID.pitch)
  }
  return document.finish()
}

const writeShaped: Write = (layout, _, text, style, baseline) => {
  for (const line of layout.wrap(text, style, PAPER.width)) layout.write(line, style, GRID.left, baseline)
}

/** Each character alone, from left to right. */
const writeUnshaped: Write = (layout, glyphSets, text, style, baseline) => {
  const glyphs = Array.from(text).flatMap((character) => glyphSets[style.face].shape(character, text))
  layout.write({ glyphs, width: 0, indent: 0 }, style, GRID.left, baseline)
}
