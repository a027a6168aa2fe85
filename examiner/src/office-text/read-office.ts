import { OfficeProblem, openPackage, xmlText } from './open-package.ts'
import { type Sheet, sheetsOf } from './read-workbook.ts'
import { SaxesParser } from 'saxes'

export type { Cell, Sheet } from './read-workbook.ts'

/** What an Office file says. */
export type OfficeText =
  | { readonly is: 'workbook'; readonly sheets: readonly Sheet[] }
  | ({ readonly is: 'document' } & DocumentText)
  /** Another kind of file. */
  | { readonly is: 'other' }
  | { readonly is: OfficeProblem['is'] }

/** Reads XLSX and DOCX files. Nothing of them is run, loaded or drawn. */
export async function readOffice(bytes: Uint8Array, limits: DocumentLimits): Promise<OfficeText> {
  try {
    const opened = await openPackage(bytes)
    const main = opened.parts.get(opened.document ?? '')
    if (main !== undefined) return { is: 'document', ...readDocument(xmlText(main), limits) }
    return opened.isWorkbook ? { is: 'workbook', sheets: await sheetsOf(opened) } : { is: 'other' }
  } catch (error) {
    return { is: error instanceof OfficeProblem ? error.is : 'damaged' }
  }
}

/** A paragraph, or a table with the text of its cells. */
export type DocumentBlock =
  | { readonly is: 'text'; readonly text: string; readonly isHeading: boolean }
  | { readonly is: 'table'; readonly rows: readonly (readonly string[])[] }

export interface DocumentText {
  readonly blocks: readonly DocumentBlock[]
  readonly isCut: boolean
}

export interface DocumentLimits {
  readonly characters: number
}

/** What stands for a character in a run. */
const SIGNS: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' }

/** Text that is not part of what a reader sees: deleted, or a second form of what was there already. */
const HIDDEN = new Set(['del', 'moveFrom', 'Fallback'])

/** The text and the tables of WordprocessingML, in order. A table in a table becomes text of its cell. */
export function readDocument(xml: string, { characters }: DocumentLimits): DocumentText {
  const blocks: DocumentBlock[] = []
  let rows: string[][] = []
  let [tables, hidden, length] = [0, 0, 0]
  let [isText, isHeading] = [false, false]
  let text = ''
  const add = (more: string): void => {
    if (hidden > 0 || length >= characters) return
    text += more.slice(0, characters - length)
    length += more.length
  }
  const endParagraph = (): void => {
    if (tables > 0) {
      const row = rows.at(-1)
      const cell = row?.pop()
      if (cell !== undefined) row?.push(cell === '' ? text : `${cell}\n${text}`)
    } else if (text.trim() !== '') blocks.push({ is: 'text', text, isHeading })
    text = ''
    isHeading = false
  }
  const endTable = (): void => {
    tables--
    if (tables > 0) return
    if (rows.some((row) => row.length > 0)) blocks.push({ is: 'table', rows })
    rows = []
  }
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', () => {
    throw new OfficeProblem('damaged')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const local = localName(name)
    if (HIDDEN.has(local)) hidden++
    isText = local === 't'
    if (SIGNS[local] !== undefined) add(SIGNS[local])
    else if (local === 'pStyle') isHeading = /^(?:heading|title)/i.test(attributes['w:val'] ?? '')
    else if (local === 'tbl') tables++
    else if (local === 'tr' && tables === 1 && length < characters) rows.push([])
    else if (local === 'tc' && tables === 1 && length < characters) rows.at(-1)?.push('')
  })
  parser.on('text', (content) => {
    if (isText) add(content)
  })
  parser.on('closetag', ({ name }) => {
    const local = localName(name)
    isText = false
    if (HIDDEN.has(local)) hidden--
    if (local === 'p') endParagraph()
    else if (local === 'tbl') endTable()
  })
  parser.write(xml).close()
  return { blocks, isCut: length >= characters }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
