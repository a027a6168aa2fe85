import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontLibrary } from '../fonts/typefaces.ts'
import { basicFont, documentFont } from '../pdf/document-font.ts'
import { textOperators, widthOf } from '../pdf/text-operators.ts'
import { basicCharacters, breakBasic } from './basic-lines.ts'
import { BREAKS } from './word-breaks.ts'

const loadGlyphs = fontLibrary()

const TEXTS = [
  '',
  'AV To We, (see below) \\ back',
  'data/a_b-c.d/(1).e-f - .g  two  spaces ',
  'https://seal.example/verify/kit_4p7QmZ2vX9sLw0RkTyBn3A',
  'an-extraordinarily_long.name.AVAVAVAVAVAV',
]

test('basic text has the glyphs, kerning and widths of shaped text', async () => {
  const sets = await loadGlyphs({ regular: [], strong: [], mono: [] })
  for (const set of [sets.regular, sets.strong, sets.mono]) {
    const font = documentFont(set.typeface, basicFont(set.typeface), 'F1')
    const characters = basicCharacters(set, font)
    for (const text of TEXTS) {
      const glyphs = text.split(BREAKS).flatMap((word) => set.shape(word))
      const [line, ...others] = breakBasic(text, characters, Infinity)
      const shown = textOperators({ font, size: 1, x: 0, y: 0, glyphs })
      assert.equal(shown, `BT /F1 1 Tf 0 0 Td ${line?.operator}ET`)
      assert.deepEqual(
        [line?.width, line?.characters, others.length],
        [widthOf(glyphs), glyphs.length, 0],
        text,
      )
    }
  }
})

test('basic text breaks between words, and within a word only if it is longer than a line', async () => {
  const { mono } = await loadGlyphs({ regular: [], strong: [], mono: [] })
  const characters = basicCharacters(mono, documentFont(mono.typeface, basicFont(mono.typeface), 'F1'))
  const lengths = (text: string): readonly number[] =>
    breakBasic(text, characters, 6000).map((line) => line.characters)
  assert.deepEqual(lengths('one two three'), [8, 5])
  assert.deepEqual(lengths('0123456789'), [10])
  assert.deepEqual(lengths('0123456789 a'), [11, 1])
  assert.deepEqual(lengths('0123456789ab'), [10, 2])
  assert.deepEqual(lengths('folder/file_name.txt'), [7, 10, 3])
})
