import { INK, PAPER, SOFT } from './layout.ts'
import type { Layout, Style } from './layout.ts'
import { coordinate } from './pdf/pdf-values.ts'

const HASH: Style = { face: 'mono', size: 7, leading: 11, colour: INK }
const GROUP = 8
const DARK = `${INK} rg (`
const LIGHT = `${SOFT} rg (`

/** Writes SHA-256 hashes in groups of eight digits in alternating shades. Gaps would end up in copied text. */
export function hashWriter(layout: Layout): (sha256: string, x: number, baseline: number) => void {
  const codes = new Map(Array.from('0123456789abcdef', (digit) => [digit, layout.code(digit, HASH)]))
  const start = `BT /${layout.resource(HASH)} ${HASH.size} Tf `
  return (sha256, x, baseline) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a hash must be 64 hexadecimal digits')
    let text = `${start}${coordinate(x)}${coordinate(PAPER.height - baseline)}Td `
    for (let at = 0; at < sha256.length; at += GROUP) {
      text += at % (2 * GROUP) === 0 ? DARK : LIGHT
      for (const digit of sha256.slice(at, at + GROUP)) text += codes.get(digit) ?? ''
      text += ')Tj '
    }
    layout.page.draw(`${text}ET\n`)
  }
}
