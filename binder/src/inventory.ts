import { mediaTypeName } from './media-type-names.ts'
import { count, exactSize, grouped } from './readable-numbers.ts'
import type { Inventory, InventoryFile, InventoryFolder } from './take-inventory.ts'
import { hashWriter } from './hash-writer.ts'
import { openSection } from './section.ts'
import type { Section } from './section.ts'
import { COLUMN, HAIRLINE, INK, NOTE, PAPER, SOFT, SUBHEADING } from './sheet.ts'
import type { Line, Sheet, Style } from './sheet.ts'
import { visibleText } from './visible-text.ts'

const NAME: Style = { face: 'regular', size: 9.5, leading: 12.5, colour: INK }
const DETAIL: Style = { face: 'regular', size: 7.5, leading: 11, colour: SOFT }
const FOLDER: Style = { ...SUBHEADING, size: 10, leading: 14 }
const NAMES_LEFT = COLUMN.left + 34
const TYPES_LEFT = 386
const SIZES_WIDTH = 66
const MOST_FOLDER_BOOKMARKS = 500
const SHORTENED_NOTE =
  ' Long names are cut in the middle here, because there are so many of them; the manifest has them in full.'

export function drawInventory(sheet: Sheet, { folders, isShortened }: Inventory): Section {
  const section = openSection(sheet, 'Inventory')
  const files = folders.reduce((total, folder) => total + folder.files.length, 0)
  const sizeBytes = folders.reduce((total, folder) => total + folder.sizeBytes, 0)
  sheet.paragraph(
    `${count(files, 'file')} in ${count(folders.length, 'folder')}, ${exactSize(sizeBytes)}. Under each name stands its ` +
      'SHA-256 hash in full; the shades are there to help the eye. manifest.json in the kit lists the same files, and ' +
      `the others that the service added.${isShortened ? SHORTENED_NOTE : ''}`,
    NOTE,
    { after: 10 },
  )
  const writeHash = hashWriter(sheet)
  for (const [index, folder] of folders.entries()) {
    drawFolder(sheet, folder, index < MOST_FOLDER_BOOKMARKS, writeHash)
  }
  if (sheet.hasMissing) drawMissingNote(sheet)
  return section
}

type WriteHash = ReturnType<typeof hashWriter>

function drawFolder(sheet: Sheet, folder: InventoryFolder, hasBookmark: boolean, writeHash: WriteHash): void {
  const title = `${folder.title}  `
  const summary = `${count(folder.files.length, 'file')}, ${exactSize(folder.sizeBytes)}`
  const titleLines = sheet.wrap(title, FOLDER, COLUMN.width)
  sheet.keep(titleLines.length * FOLDER.leading + 80)
  sheet.y += 20
  const top = PAPER.height - sheet.y + 16
  if (hasBookmark) sheet.document.bookmark({ title: folder.title, level: 2, page: sheet.page.number, top })
  sheet.paragraph(title, FOLDER, { role: 'H3' })
  sheet.paragraph(summary, DETAIL)
  drawLine(sheet)
  for (const file of folder.files) drawFile(sheet, file, folder.title, writeHash)
}

function drawFile(sheet: Sheet, file: InventoryFile, folderTitle: string, writeHash: WriteHash): void {
  const nameLines = sheet.wrap(file.name, NAME, COLUMN.right - NAMES_LEFT)
  if (sheet.keep(nameLines.length * NAME.leading + DETAIL.leading)) {
    for (const line of sheet.wrap(`${folderTitle} (continued)`, DETAIL, COLUMN.width).slice(0, 1)) {
      sheet.page.ornament(() => sheet.write(line, DETAIL, COLUMN.left, sheet.y - 12))
    }
    sheet.y -= 6
    drawLine(sheet)
  }
  sheet.y += 12.5
  sheet.page.tagged('P', () => {
    const [number] = sheet.wrap(grouped(file.number), DETAIL, 34)
    if (number !== undefined) sheet.write(number, DETAIL, COLUMN.left, sheet.y)
    for (const line of nameLines) {
      sheet.write(line, NAME, NAMES_LEFT, sheet.y)
      sheet.y += NAME.leading
    }
    writeHash(file.sha256, NAMES_LEFT, sheet.y)
    const width = COLUMN.right - SIZES_WIDTH - TYPES_LEFT
    const [type] = sheet.wrap(mediaTypeName(visibleText(file.mediaType)), DETAIL, width)
    if (type !== undefined) sheet.write(type, DETAIL, TYPES_LEFT, sheet.y)
    const [size] = sheet.wrap(`${grouped(file.sizeBytes)} B`, DETAIL, SIZES_WIDTH)
    if (size !== undefined) writeRight(sheet, size)
  })
  sheet.y += 7.5
  drawLine(sheet)
}

const writeRight = (sheet: Sheet, line: Line): void =>
  sheet.write(line, DETAIL, COLUMN.right - line.width, sheet.y)

const drawLine = (sheet: Sheet): void =>
  sheet.page.ornament(() => sheet.fill(COLUMN.left, sheet.y, COLUMN.width, 0.4, HAIRLINE))

function drawMissingNote(sheet: Sheet): void {
  sheet.y += 16
  sheet.paragraph(
    'A box in a name stands for a character that this binder has no letter for. manifest.json has every name in full.',
    NOTE,
  )
}
