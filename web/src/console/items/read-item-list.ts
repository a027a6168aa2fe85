import { itemIdProblem, MAX_ITEM_ID, parseDue, repeatedIds, type RequestedItem } from '@kitseal/examiner'
import type { Cell } from '@kitseal/examiner/read-workbook'
import { delimitedRows } from '../../core/delimited-rows.ts'

/** The items of a list, or what is wrong with it. Problems name the row, as spreadsheets number them. */
export type ItemList =
  | { readonly ok: true; readonly items: readonly RequestedItem[] }
  | { readonly ok: false; readonly problems: readonly string[] }

interface ListFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Also reads owner, source, recipients and due days. */
  readonly isProgram?: boolean | undefined
}

const MAX_LIST_BYTES = 4 * 1024 * 1024
const MAX_ITEMS = 500
const MAX_PROBLEMS = 20

/** Reads a list of items from CSV (with any common separator) or XLSX: the first sheet and the first row that names the columns. */
export async function readItemList({ name, bytes, isProgram = false }: ListFile): Promise<ItemList> {
  if (bytes.length > MAX_LIST_BYTES) return failed('The file is larger than 4 MB.')
  const isSpreadsheet = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (!isSpreadsheet && /\.(?:xls|ods|numbers)$/i.test(name))
    return failed('This is not an XLSX file. Save the list as XLSX or CSV.')
  try {
    const sheets = isSpreadsheet ? await sheetsIn(bytes) : [rowsOfText(bytes)]
    const rows = sheets.find((sheet) => headOf(sheet) >= 0) ?? []
    return rows.length === 0 ? failed(noTitle(sheets)) : itemsIn(rows, isProgram)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed(`The file cannot be read (${reason}). Save the list as XLSX or CSV.`)
  }
}

type Rows = readonly (readonly Cell[])[]

async function sheetsIn(bytes: Uint8Array): Promise<readonly Rows[]> {
  // Loaded on demand: most lists are CSV.
  const { readWorkbook } = await import('@kitseal/examiner/read-workbook')
  return readWorkbook(bytes)
}

/** Column names in English and German, without case and signs. */
const COLUMNS: Readonly<Record<keyof RequestedItem, readonly string[]>> = {
  id: words(
    'id itemid item number no nr ref reference control controlid key nummer lfdnr kennung referenz kontrolle',
  ),
  title: words(
    'title name request evidence document question requirement what summary titel bezeichnung nachweis anforderung dokument unterlage frage thema',
  ),
  description: words(
    'description details detail notes note comment guidance text beschreibung erläuterung hinweis hinweise bemerkung kommentar',
  ),
  due_at: words('due dueat duedate dueon dueby deadline date fällig fälligam fälligkeit frist termin datum'),
  due_days: words('duedays dueindays dueafter dueafterdays days fristtage fristintagen tage'),
  owner: words(
    'owner ownername owneremail responsible assignee assignedto verantwortlich verantwortlicher zuständig',
  ),
  source: words('source quelle herkunft'),
  recipients: words(
    'recipients recipient supplier suppliers supplieremail vendor email emails empfänger lieferant lieferanten',
  ),
}

const OF_REQUEST: readonly (keyof RequestedItem)[] = ['id', 'title', 'description', 'due_at']
const OF_PROGRAM: readonly (keyof RequestedItem)[] = ['due_days', 'owner', 'source', 'recipients']

const SOURCES: Readonly<Record<string, RequestedItem['source']>> = {
  internal: 'internal',
  intern: 'internal',
  request: 'request',
  supplier: 'request',
  external: 'request',
  extern: 'request',
  lieferant: 'request',
}
const MAX_DUE_DAYS = 3660

function words(text: string): readonly string[] {
  return text.split(' ')
}

const plain = (cell: Cell): string =>
  textOf(cell)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Lists may begin with a heading and some lines of text. */
const MAX_ROWS_ABOVE = 20

const headOf = (rows: Rows): number =>
  rows.slice(0, MAX_ROWS_ABOVE).findIndex((row) => row.some((cell) => COLUMNS.title.includes(plain(cell))))

function noTitle(sheets: readonly Rows[]): string {
  const [first = []] = sheets
  const found = (first.find((row) => row.some((cell) => textOf(cell) !== '')) ?? [])
    .map((cell) => oneLine(textOf(cell)).slice(0, 40))
    .filter((name) => name !== '')
  const has = found.length === 0 ? 'It is empty.' : `The first row has: ${found.slice(0, 8).join(', ')}.`
  return `A row must name the columns: id, title, description, due. There is no column "title". ${has}`
}

function itemsIn(rows: Rows, isProgram: boolean): ItemList {
  const head = headOf(rows)
  const names = (rows[head] ?? []).map(plain)
  const columns = new Map(
    [...OF_REQUEST, ...(isProgram ? OF_PROGRAM : [])].map((member) => [
      member,
      COLUMNS[member].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1,
    ]),
  )
  const hasIds = columns.get('id') !== -1
  const filled = [...rows.entries()].filter(
    ([index, row]) => index > head && row.some((cell) => textOf(cell) !== ''),
  )
  const problems: string[] = []
  const items = filled.map(([index, row], at) => {
    const cell = (member: keyof RequestedItem): string => textOf(row[columns.get(member) ?? -1])
    const id = hasIds ? folderName(cell('id')) : String(at + 1)
    const { item, faults } = itemOf(id, cell)
    problems.push(...faults.map((fault) => `Row ${index + 1}: ${fault}`))
    return item
  })
  if (items.length === 0) return failed('The list has no rows below the column names.')
  if (items.length > MAX_ITEMS)
    return failed(
      `The list has ${items.length} rows. A ${isProgram ? 'program' : 'request'} can have ${MAX_ITEMS}.`,
    )
  for (const at of repeatedIds(items.map(({ id }) => id)).filter((each) => items[each]?.id !== ''))
    problems.push(`Row ${(filled[at]?.[0] ?? 0) + 1}: the ID ${JSON.stringify(items[at]?.id)} is used above`)
  return problems.length === 0 ? { ok: true, items } : { ok: false, problems: shortened(problems) }
}

/** An item, and what is wrong with it. */
function itemOf(id: string, cell: (member: keyof RequestedItem) => string) {
  const [title, description, owner, due] = [cell('title'), cell('description'), cell('owner'), cell('due_at')]
  const [days, source, recipients] = [cell('due_days'), cell('source'), cell('recipients')]
  const idProblem = id === '' ? undefined : itemIdProblem(id)
  const dueAt = due === '' ? '' : parseDue(isoDate(due))
  const addresses = recipients.split(/[\s,;]+/).filter((address) => address !== '')
  const isDays = days === '' || (/^\d+$/.test(days) && Number(days) <= MAX_DUE_DAYS)
  const faults = [
    id === '' && 'the ID is missing',
    idProblem !== undefined && `the ID ${JSON.stringify(id)} ${idProblem}`,
    title === '' && 'the title is missing',
    title.length > 200 && 'the title is longer than 200 characters',
    description.length > 2000 && 'the description is longer than 2,000 characters',
    dueAt === undefined && `the due date ${JSON.stringify(due)} is not a date such as 2026-12-01`,
    !isDays && `the due days ${JSON.stringify(days)} are not a number from 0 to ${MAX_DUE_DAYS}`,
    source !== '' &&
      SOURCES[plain(source)] === undefined &&
      `the source ${JSON.stringify(source)} is neither "internal" nor "request"`,
    addresses.some((address) => !/^[^@]+@[^@]+$/.test(address)) &&
      `${JSON.stringify(recipients)} is not an email address`,
  ].filter((fault) => fault !== false)
  const item: RequestedItem = {
    id,
    title: oneLine(title),
    ...(description !== '' && { description }),
    ...(dueAt && { due_at: dueAt }),
    ...(isDays && days !== '' && { due_days: Number(days) }),
    ...(owner !== '' && { owner: oneLine(owner) }),
    ...(source !== '' && { source: SOURCES[plain(source)] }),
    ...(addresses.length > 0 && { recipients: addresses }),
  }
  return { item, faults }
}

const failed = (problem: string): ItemList => ({ ok: false, problems: [problem] })

const shortened = (problems: readonly string[]): readonly string[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [...problems.slice(0, MAX_PROBLEMS), `and ${problems.length - MAX_PROBLEMS} more`]

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return String(cell)
    .normalize('NFC')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** "A/1: new" becomes "A-1- new": an ID is the name of a folder. */
const folderName = (text: string): string =>
  oneLine(text)
    .replaceAll(/[/\\<>:"|?*]/g, '-')
    .replace(/[. ]+$/, '')
    .slice(0, MAX_ITEM_ID)

/** 1.12.2026 is German. 03/04/2026 is two dates, so dates with slashes are refused. */
const isoDate = (text: string): string =>
  text.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )

/** In UTF-8, or UTF-16 with a byte order mark. */
const rowsOfText = (bytes: Uint8Array): Rows => [...delimitedRows(decode(bytes), rejectUnclosed)]

function rejectUnclosed(row: number): never {
  throw new Error(`the quoted field in row ${row} is not closed`)
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // What spreadsheets write that do not write UTF-8.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
