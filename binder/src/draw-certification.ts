import { counted, formatTime } from './format-values.ts'
import { en } from './texts/en.ts'
import { ACCENT, BODY, HAIRLINE, COLUMN, type Layout, NOTE, SUBHEADING } from './layout.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { openSection } from './section.ts'
import type { CustodyInput } from './custody-input.ts'

/** The custody record is in English. */
export const EVENTS = { one: '{count} event', other: '{count} events' }

const NOT_ADVICE =
  'A draft in the form of Rule 902(13) and (14) of the Federal Rules of Evidence. The facts below were filled in by the service. It ' +
  'certifies nothing until a qualified person has checked it, completed what is open and signed it. This is no legal advice.'

const BLANKS = ['Name', 'Position and qualification', 'Signature', 'Place and date']

/** Facts are filled in. Who signs, and why they are qualified, is left open. */
export function drawCertification(layout: Layout, { record, files, events }: CustodyInput): void {
  openSection(layout, 'Draft certification')
  layout.paragraph('DRAFT – not signed', { ...SUBHEADING, colour: ACCENT }, { after: 4 })
  layout.paragraph(NOT_ADVICE, NOTE, { after: 12 })
  const statements = [
    'I am qualified to make this certification by the position and experience that I name below.',
    `The service ${escapeInvisible(record.issuer)} is a system that computes the SHA-256 hash of each file it receives, lists the hashes in a ` +
      'manifest, signs a receipt for the manifest, and records what happens to the files in a chain of hashed events.',
    `On ${formatTime(record.issued_at)} it issued the kit ${record.kit_id} with ${counted(files, en.files)} of evidence. The SHA-256 hash of its ` +
      `archive is ${record.kit_zip_sha256}, and that of its manifest is ${record.manifest_sha256}.`,
    `The attached custody record lists the ${counted(events.length, EVENTS)} of this kit up to event ${record.head.count} of the audit log, whose hash ` +
      `is ${record.head.head}.`,
    'A copy of the kit is identical to what was sealed if its hashes are those above. I compared them on the date below, with the ' +
      'result: ______________________________',
    'The process produces an accurate result because: ______________________________',
  ]
  for (const [index, text] of statements.entries())
    layout.paragraph(`${index + 1}. ${text}`, BODY, { after: 6 })
  layout.y += 14
  for (const blank of BLANKS) {
    layout.ensureSpace(40)
    layout.y += 24
    layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, 280, 0.5, HAIRLINE))
    layout.y += 12
    layout.paragraph(blank, NOTE)
  }
}
