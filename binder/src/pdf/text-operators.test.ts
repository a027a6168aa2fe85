import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontLibrary } from '../fonts/typefaces.ts'
import { textOperators } from './text-operators.ts'

const loadGlyphs = fontLibrary()

test('when a font is full, the parts of a cluster are drawn at the same place, with its text', async () => {
  const { regular } = await loadGlyphs({ regular: ['रि'], strong: [], mono: [] })
  const glyphs = regular.shape('रि')
  const [joined] = glyphs
  const drawn: string[] = []
  const draw = (hasRoom: boolean): string =>
    textOperators({
      font: {
        resource: 'F1',
        code: (glyph) => `<${drawn.push(glyph.key) - 1}>`,
        hasRoom: () => hasRoom,
        write: () => '1 0 R',
      },
      size: 10,
      x: 0,
      y: 0,
      glyphs,
    })
  assert.equal(draw(true), 'BT /F1 10 Tf 0 0 Td [(<0>)]TJ ET')
  const [vowel, consonant] = joined?.glyph.parts ?? []
  const back = (vowel?.glyph.advance ?? 0) - (consonant?.dx ?? 0)
  const rest = (consonant?.glyph.advance ?? 0) + (consonant?.dx ?? 0) - (joined?.advance ?? 0)
  const between = back === 0 ? '(<1><2>)' : `(<1>)${back}(<2>)`
  assert.equal(
    draw(false),
    `BT /F1 10 Tf 0 0 Td /Span <</ActualText <feff0930093f>>> BDC [${between}${rest === 0 ? '' : rest}]TJ EMC ET`,
  )
  assert.deepEqual(
    drawn,
    [joined, vowel, consonant].map((one) => one?.glyph.key),
  )
})
