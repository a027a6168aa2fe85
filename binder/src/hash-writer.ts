import { INK, PAPER, SOFT } from './layout.ts'
import type { Layout, Style } from './layout.ts'
import { coordinate } from './pdf/pdf-values.ts'
import { TextBuilder } from './pdf/text-builder.ts'

const HASH: Style = { face: 'mono', size: 7, leading: 11, colour: INK }
const GROUP = 8
const builder = new TextBuilder()
const DARK = `${INK} rg (`
const LIGHT = `${SOFT} rg (`
/** By digit. Basic glyphs have the same codes in every document. */
const codes: string[] = []

/** Writes SHA-256 hashes in groups of eight digits in alternating shades. Gaps would end up in copied text. */
export function hashWriter(layout: Layout): (sha256: string, x: number, baseline: number) => void {
  for (const digit of codes.length === 0 ? '0123456789abcdef' : '')
    codes[digit.charCodeAt(0)] = layout.code(digit, HASH)
  const start = `BT /${layout.resource(HASH)} ${HASH.size} Tf `
  return (sha256, x, baseline) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a hash must be 64 hexadecimal digits')
    builder.add(start)
    builder.add(coordinate(x))
    builder.add(coordinate(PAPER.height - baseline))
    builder.add('Td ')
    for (let at = 0; at < sha256.length; at++) {
      if (at % GROUP === 0) builder.add(at % (2 * GROUP) === 0 ? DARK : LIGHT)
      builder.add(codes[sha256.charCodeAt(at)] ?? '')
      if (at % GROUP === GROUP - 1) builder.add(')Tj ')
    }
    builder.add('ET\n')
    layout.page.draw(builder.take())
  }
}
