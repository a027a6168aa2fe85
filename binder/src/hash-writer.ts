import { INK, PAPER, SOFT } from './layout.ts'
import type { Layout, Style } from './layout.ts'
import { number } from './pdf/pdf-values.ts'

const HASH: Style = { face: 'mono', size: 7, leading: 11, colour: INK }
const GROUP = 8
/** Basic glyphs have the same codes in every document. */
const codes = new Map<string, string>()

/** Writes SHA-256 hashes in groups of eight digits in alternating shades. Gaps would end up in copied text. */
export function hashWriter(layout: Layout): (sha256: string, x: number, baseline: number) => void {
  if (codes.size === 0) for (const digit of '0123456789abcdef') codes.set(digit, layout.code(digit, HASH))
  const font = layout.resource(HASH)
  return (sha256, x, baseline) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a hash must be 64 hexadecimal digits')
    let operators = ''
    for (let at = 0; at < sha256.length; at += GROUP) {
      let group = ''
      for (let digit = at; digit < at + GROUP; digit++) group += codes.get(sha256[digit] ?? '') ?? ''
      operators += `${(at / GROUP) % 2 === 0 ? INK : SOFT} rg (${group})Tj `
    }
    layout.page.draw(
      `BT /${font} ${HASH.size} Tf ${number(x)} ${number(PAPER.height - baseline)} Td ${operators}ET`,
    )
  }
}
