import { BOUNDARY, CUSTODY_STATEMENT } from '@kitseal/kit'
import { fact } from './cover-facts.ts'
import type { CustodyEvent, CustodyInput } from './custody-input.ts'
import { drawCertification, EVENTS } from './draw-certification.ts'
import { drawFacts } from './draw-cover.ts'
import { drawHeaderAndFooter } from './draw-header-and-footer.ts'
import { escapeInvisible } from './escape-invisible.ts'
import type { LoadGlyphs } from './fonts/typefaces.ts'
import { counted, formatTime } from './format-values.ts'
import { BODY, CODE, COLUMN, HEADING, type Layout, NOTE, PAPER, startLayout, SUBHEADING } from './layout.ts'
import { pdfDocument } from './pdf/pdf-document.ts'
import { openSection } from './section.ts'
import type { SharedParts } from './shared-parts.ts'
import { en } from './texts/en.ts'
import { wordsIn } from './texts/index.ts'

const INTRODUCTION =
  'What the service recorded about this kit: who uploaded the files, when they were sealed, and who read them afterwards. Each ' +
  'event has a hash that covers the event before it, and the head of this chain is in the transparency log.'

export async function makeCustodyRecord(
  input: CustodyInput,
  loadGlyphs: LoadGlyphs,
  parts: SharedParts,
): Promise<Uint8Array> {
  const { record } = input
  const name = escapeInvisible(input.name)
  const facts = factsOf(input)
  const events = input.events.map((event) => linesOf(event))
  const texts = [
    ...facts.map(({ value }) => value),
    ...events.flatMap(({ title, lines }) => [title, ...lines]),
  ]
  const glyphSets = await loadGlyphs({ strong: [name, ...texts], regular: texts, mono: texts })
  const document = pdfDocument(
    {
      title: `Custody record: ${name}`,
      author: escapeInvisible(record.issuer),
      subject: `Kit ${record.kit_id}. ${BOUNDARY}`,
      madeAt: record.made_at,
      language: 'en',
      size: PAPER,
    },
    parts,
  )
  const layout = startLayout(document, glyphSets, parts, wordsIn('en'))
  document.bookmark({ title: 'Custody record', level: 1, page: 1, top: PAPER.height })
  layout.paragraph('Custody record', HEADING, { role: 'H1', after: 2 })
  layout.paragraph(name, SUBHEADING, { role: 'P', after: 8 })
  layout.paragraph(INTRODUCTION, BODY, { after: 8 })
  drawFacts(layout, facts)
  layout.y += 18
  layout.paragraph(CUSTODY_STATEMENT, NOTE, { after: 4 })
  openSection(layout, counted(events.length, EVENTS))
  for (const event of events) drawEvent(layout, event)
  if (input.certification) drawCertification(layout, input)
  drawHeaderAndFooter(layout, record.kit_id, 'Custody record')
  return document.finish()
}

function factsOf({ record, supplier, files }: CustodyInput) {
  return [
    fact('Kit', record.kit_id, true),
    fact('Submission', record.submission_id ?? undefined, true),
    fact('Issued', `${formatTime(record.issued_at)}  (${record.issued_at})`),
    fact('Issuer', record.issuer),
    fact('Supplier (named in the kit)', supplier ?? undefined),
    fact('Evidence', counted(files, en.files)),
    fact('SHA-256 of kit.zip', record.kit_zip_sha256, true),
    fact('SHA-256 of the manifest', record.manifest_sha256, true),
    fact('SHA-256 of the receipt', record.receipt_sha256, true),
    fact('Transparency log', `The receipt is entry ${record.log_index}.`),
    fact('Head of the audit log', `event ${record.head.count}, ${record.head.head}`, true),
    fact('Made', `${formatTime(record.made_at)}  (${record.made_at})`),
  ].flatMap((one) => one ?? [])
}

interface EventLines {
  readonly title: string
  readonly lines: readonly string[]
  readonly hash: string
}

function linesOf({ seq, at, what, by, action, details, hash }: CustodyEvent): EventLines {
  const more = details === '' ? action : `${action} · ${details}`
  return {
    title: escapeInvisible(`${seq}. ${what}`),
    lines: [`${formatTime(at)}  (${at})`, `By ${by}`, more].map(escapeInvisible),
    hash,
  }
}

function drawEvent(layout: Layout, { title, lines, hash }: EventLines): void {
  layout.ensureSpace(90)
  layout.y += 10
  layout.paragraph(title, { ...SUBHEADING, size: 10, leading: 15 }, { role: 'H3' })
  for (const line of lines) layout.paragraph(line, NOTE, { x: COLUMN.left, width: COLUMN.width })
  layout.paragraph(hash, { ...CODE, size: 7 }, { x: COLUMN.left, width: COLUMN.width })
}
