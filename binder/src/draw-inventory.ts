import { formatExactBytes, formatNumber, mediaTypeName, type Words } from './words.ts'
import type { Inventory, InventoryFile, InventoryFolder } from './build-inventory.ts'
import { coordinate } from './pdf/pdf-values.ts'
import {
  COLUMN,
  HAIRLINE,
  INK,
  NOTE,
  PAPER,
  SOFT,
  SUBHEADING,
  openSection,
  type Layout,
  type Section,
  type Style,
} from './layout.ts'
import { escapeInvisible } from './escape-invisible.ts'

const NAME: Style = { face: 'regular', size: 9.5, leading: 12.5, colour: INK, isPath: true }
const DETAIL: Style = { face: 'regular', size: 7.5, leading: 11, colour: SOFT }
const FOLDER: Style = { ...SUBHEADING, size: 10, leading: 14, isPath: true }
const CONTINUED: Style = { ...DETAIL, isPath: true }
const NAMES_LEFT = COLUMN.left + 34
const TYPES_LEFT = 386
const SIZES_WIDTH = 66
/** A taller row continues on the next page. */
const TALLEST_ROW = 600
const MAX_FOLDER_BOOKMARKS = 500

export function drawInventory(layout: Layout, { folders, isShortened }: Inventory): Section {
  const section = openSection(layout, layout.t('binder.inventory.title'))
  const files = folders.reduce((total, folder) => total + folder.files.length, 0)
  const sizeBytes = folders.reduce((total, folder) => total + folder.sizeBytes, 0)
  const { t } = layout
  const lead = t('binder.inventory.lead', {
    count: t('binder.inventory.folders', {
      count: folders.length,
      files: t('binder.files', { count: files }),
    }),
    size: formatExactBytes(sizeBytes, layout.words),
  })
  const notes = [lead, ...(isShortened ? [t('binder.inventory.shortened')] : [])]
  layout.paragraph(notes.join(' '), NOTE, { after: 10 })
  const writeHash = hashWriter(layout)
  for (const [index, folder] of folders.entries()) {
    drawFolder(layout, folder, index < MAX_FOLDER_BOOKMARKS, writeHash)
  }
  if (layout.hasMissingGlyphs) drawMissingNote(layout)
  return section
}

type WriteHash = ReturnType<typeof hashWriter>

function drawFolder(
  layout: Layout,
  folder: InventoryFolder,
  hasBookmark: boolean,
  writeHash: WriteHash,
): void {
  const title = `${folder.title}  `
  const summary = [
    layout.t('binder.files', { count: folder.files.length }),
    formatExactBytes(folder.sizeBytes, layout.words),
  ].join(layout.t('binder.listComma'))
  const titleLines = layout.wrap(title, FOLDER, COLUMN.width)
  layout.ensureSpace(titleLines.length * FOLDER.leading + 96)
  layout.y += 20
  const top = PAPER.height - layout.y + 16
  if (hasBookmark) layout.document.bookmark({ title: folder.title, level: 2, page: layout.page.number, top })
  layout.paragraph(title, FOLDER, { role: 'H3' })
  layout.paragraph(summary, DETAIL)
  layout.document.element('Table', () => {
    drawHeader(layout)
    for (const file of folder.files) drawFile(layout, file, folder.title, writeHash)
  })
}

/** The hash is below the name. Without `x`, the label is on the right. */
const header = ({ t }: Words): readonly { readonly label: string; readonly x?: number }[] => [
  { label: t('binder.inventory.columns.number'), x: COLUMN.left },
  { label: t('binder.inventory.columns.name'), x: NAMES_LEFT },
  { label: 'SHA-256', x: NAMES_LEFT + 36 },
  { label: t('binder.inventory.columns.type'), x: TYPES_LEFT },
  { label: t('binder.inventory.columns.size') },
]

function drawHeader(layout: Layout): void {
  layout.y += 5
  layout.document.element('TR', () => {
    for (const { label, x } of header(layout.words)) {
      const [line] = layout.wrap(label, DETAIL, 80)
      if (line === undefined) continue
      const left = x ?? COLUMN.right - line.width
      layout.page.tagged('TH', () => layout.write(line, DETAIL, left, layout.y), { scope: 'Column' })
    }
  })
  layout.y += 5
  drawLine(layout)
}

function drawFile(layout: Layout, file: InventoryFile, folderTitle: string, writeHash: WriteHash): void {
  const nameLines = layout.wrap(file.name, NAME, COLUMN.right - NAMES_LEFT)
  const height = nameLines.length * NAME.leading + DETAIL.leading
  if (layout.ensureSpace(Math.min(height, TALLEST_ROW))) {
    for (const line of layout
      .wrap(layout.t('binder.inventory.continued', { folder: folderTitle }), CONTINUED, COLUMN.width)
      .slice(0, 1)) {
      layout.page.artifact(() => layout.write(line, CONTINUED, COLUMN.left, layout.y - 12))
    }
    layout.y -= 6
    drawLine(layout)
  }
  layout.y += 12.5
  layout.document.element('TR', () => {
    const cell = (drawing: () => void): void => layout.page.tagged('TD', drawing)
    const [number] = layout.wrap(formatNumber(file.number, layout.words), DETAIL, 34)
    if (number !== undefined) cell(() => layout.write(number, DETAIL, COLUMN.left, layout.y))
    layout.writeLines(nameLines, NAME, { x: NAMES_LEFT, role: 'TD' })
    layout.ensureSpace(0)
    cell(() => writeHash(file.sha256, NAMES_LEFT, layout.y))
    const width = COLUMN.right - SIZES_WIDTH - TYPES_LEFT
    const [type] = layout.wrap(mediaTypeName(escapeInvisible(file.mediaType), layout.words), DETAIL, width)
    if (type !== undefined) cell(() => layout.write(type, DETAIL, TYPES_LEFT, layout.y))
    const [size] = layout.wrap(
      `${formatNumber(file.sizeBytes, layout.words)} ${layout.t('binder.number.byte')}`,
      DETAIL,
      SIZES_WIDTH,
    )
    if (size !== undefined) cell(() => layout.write(size, DETAIL, COLUMN.right - size.width, layout.y))
  })
  layout.y += 7.5
  drawLine(layout)
}

const drawLine = (layout: Layout): void =>
  layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, COLUMN.width, 0.4, HAIRLINE))

function drawMissingNote(layout: Layout): void {
  layout.y += 16
  layout.paragraph(layout.t('binder.inventory.missing'), NOTE)
}

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
