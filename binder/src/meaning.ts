import { LONG_BOUNDARY } from '@kitseal/kit'
import { openSection } from './section.ts'
import type { Section } from './section.ts'
import { ACCENT, BODY, COLUMN, NOTE, SUBHEADING, TINT } from './sheet.ts'
import type { Sheet } from './sheet.ts'

const PROVED = [
  'The files match the manifest: each has the SHA-256 hash and the size that it names, and no file was added.',
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

export function drawMeaning(sheet: Sheet): Section {
  const section = openSection(sheet, 'What this proves, and what it does not')
  sheet.paragraph('A kit that passes verification proves', SUBHEADING, { role: 'H3', after: 4 })
  for (const [index, text] of PROVED.entries()) drawItem(sheet, String(index + 1), text)
  sheet.y += 18
  sheet.paragraph('It does not prove', SUBHEADING, { role: 'H3', after: 4 })
  for (const text of NOT_PROVED) drawItem(sheet, '–', text)
  sheet.y += 26
  drawBoundary(sheet)
  return section
}

function drawItem(sheet: Sheet, mark: string, text: string): void {
  const style = { ...BODY, face: 'strong', colour: ACCENT } as const
  sheet.page.tagged('P', () => {
    for (const line of sheet.wrap(mark, style, 20)) sheet.write(line, style, COLUMN.left, sheet.y)
  })
  sheet.paragraph(text, BODY, { x: TEXT_LEFT, width: COLUMN.right - TEXT_LEFT, after: 4 })
}

function drawBoundary(sheet: Sheet): void {
  const style = { ...NOTE, size: 9, leading: 14 }
  const width = COLUMN.width - BOX_PADDING * 2
  const height = sheet.wrap(LONG_BOUNDARY, style, width).length * style.leading + BOX_PADDING * 2 + 17
  sheet.page.ornament(() => sheet.fill(COLUMN.left, sheet.y, COLUMN.width, height, TINT))
  sheet.y += BOX_PADDING + 10
  const place = { x: COLUMN.left + BOX_PADDING, width }
  sheet.paragraph(
    'The limits of this service, in full',
    { ...SUBHEADING, size: 10 },
    { ...place, role: 'H3' },
  )
  sheet.paragraph(LONG_BOUNDARY, style, place)
}
