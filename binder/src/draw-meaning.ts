import { LONG_BOUNDARY } from '@kitseal/kit'
import { openSection } from './section.ts'
import type { Section } from './section.ts'
import { ACCENT, BODY, COLUMN, NOTE, SUBHEADING, TINT } from './layout.ts'
import type { Layout } from './layout.ts'

const PROVED = [
  'The files match the manifest: each file has the listed SHA-256 hash and size, and no file was added.',
  'The manifest matches the receipt.',
  'The key ID in the receipt matches a public key that you chose to trust.',
  'The signature of the receipt verifies with that key.',
  'The kit has not been modified since it was issued.',
]
const NOT_PROVED = [
  'That a company is compliant, or that it is secure.',
  'That controls operate effectively.',
  'That a buyer, auditor, insurer, bank, regulator or payment service provider accepted the packet.',
  'That the evidence is legally sufficient, or that what it says is true.',
]
const TEXT_LEFT = COLUMN.left + 22
const BOX_PADDING = 16

export function drawMeaning(layout: Layout): Section {
  const section = openSection(layout, 'What this proves, and what it does not')
  layout.fixed('meaning', () => drawLists(layout))
  return section
}

function drawLists(layout: Layout): void {
  layout.paragraph('A kit that passes verification proves', SUBHEADING, { role: 'H3', after: 4 })
  layout.document.element('L', () => {
    for (const [index, text] of PROVED.entries()) drawItem(layout, String(index + 1), text)
  })
  layout.y += 18
  layout.paragraph('It does not prove', SUBHEADING, { role: 'H3', after: 4 })
  layout.document.element('L', () => {
    for (const text of NOT_PROVED) drawItem(layout, '–', text)
  })
  layout.y += 26
  drawBoundary(layout)
}

function drawItem(layout: Layout, mark: string, text: string): void {
  const style = { ...BODY, face: 'strong', colour: ACCENT } as const
  layout.document.element('LI', () => {
    layout.page.tagged('Lbl', () => {
      for (const line of layout.wrap(mark, style, 20)) layout.write(line, style, COLUMN.left, layout.y)
    })
    const width = COLUMN.right - TEXT_LEFT
    layout.paragraph(text, BODY, { x: TEXT_LEFT, width, role: 'LBody', after: 4 })
  })
}

function drawBoundary(layout: Layout): void {
  const style = { ...NOTE, size: 9, leading: 14 }
  const width = COLUMN.width - BOX_PADDING * 2
  const height = layout.wrap(LONG_BOUNDARY, style, width).length * style.leading + BOX_PADDING * 2 + 17
  layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, COLUMN.width, height, TINT))
  layout.y += BOX_PADDING + 10
  const place = { x: COLUMN.left + BOX_PADDING, width }
  layout.paragraph(
    'The limits of this service in full',
    { ...SUBHEADING, size: 10 },
    { ...place, role: 'H3' },
  )
  layout.paragraph(LONG_BOUNDARY, style, place)
}
