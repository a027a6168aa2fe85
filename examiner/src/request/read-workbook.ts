import { webHost } from '@kitseal/kit'
import { zipSync } from 'fflate'
import readSheets from 'read-excel-file/universal'
import { openArchive, readSmallEntry } from '../archives/open-archive.ts'
import { FILE_PARTS } from '../limits.ts'
import { memorySource } from '../platform/sources.ts'
import { xmlText } from '../structures/office.ts'

export type Cell = string | number | boolean | Date | null | undefined

type Rows = readonly (readonly Cell[])[]

const MAX_UNPACKED_BYTES = 32 * 1024 * 1024
const MAX_CELLS = 2_000_000

/**
 * The sheets of an XLSX file: values, no formulas. Throws if the file cannot be read. Only XML is unpacked, within limits, and
 * passed on without compression: the reader would unpack without a limit, in workers that pages do not allow.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<readonly Rows[]> {
  const parts = await xmlParts(bytes)
  if (cellCount(parts) > MAX_CELLS) throw new Error('it is too large')
  const stored = zipSync(Object.fromEntries(parts), { level: 0 })
  const sheets = await readSheets(stored.buffer as ArrayBuffer)
  return sheets.map(({ data }) => data as Rows)
}

async function xmlParts(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const archive = await openArchive(memorySource(bytes), FILE_PARTS, () => {})
  if ('code' in archive) throw new Error('it is damaged')
  const wanted = archive.entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  if (wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_UNPACKED_BYTES)
    throw new Error('it is too large')
  const parts = new Map<string, Uint8Array>()
  for (const { name } of wanted) {
    const content = await readSmallEntry(archive, name, MAX_UNPACKED_BYTES, { host: webHost })
    if (content === undefined) throw new Error('it is damaged')
    parts.set(name, content)
  }
  return parts
}

/** The reader fills the gaps, so one cell in the last row and column of a sheet would be billions. */
function cellCount(parts: ReadonlyMap<string, Uint8Array>): number {
  let count = 0
  for (const [name, bytes] of parts) {
    if (!/\.xml$/i.test(name)) continue
    let [rows, columns] = [0, 0]
    for (const [, address = ''] of xmlText(bytes).matchAll(/\sr\s*=\s*["']([^"']*)/g)) {
      // No program writes an address with references.
      if (address.includes('&')) throw new Error('it is damaged')
      const [, letters = '', number = 0] = /^([A-Z]{0,3})(\d{1,7})$/.exec(address) ?? []
      rows = Math.max(rows, Number(number))
      columns = Math.max(columns, columnOf(letters))
    }
    count += rows * columns
  }
  return count
}

const columnOf = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + (letter.codePointAt(0) ?? 0) - 64, 0)
