import { zipSync } from 'fflate'
import readSheets from 'read-excel-file/universal'
import { type OfficePackage, OfficeProblem, openPackage, xmlText } from './open-package.ts'

export type Cell = string | number | boolean | Date | null | undefined

export interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly Cell[])[]
}

const MAX_CELLS = 2_000_000

/** The sheets of an XLSX file: values, no formulas. Throws if the file cannot be read. */
export const readWorkbook = async (bytes: Uint8Array): Promise<readonly Sheet[]> =>
  sheetsOf(await openPackage(bytes))

/** The parts are passed on without compression: the reader would unpack without a limit, in workers that pages do not allow. */
export async function sheetsOf({ parts }: OfficePackage): Promise<readonly Sheet[]> {
  if (cellCount(parts) > MAX_CELLS) throw new OfficeProblem('large')
  const stored = zipSync(Object.fromEntries(parts), { level: 0 })
  const sheets = await readSheets(stored.buffer as ArrayBuffer)
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as Sheet['rows'] }))
}

/** The reader fills the gaps, so one cell in the last row and column of a sheet would be billions. */
function cellCount(parts: OfficePackage['parts']): number {
  let count = 0
  for (const [name, bytes] of parts) {
    if (!/\.xml$/i.test(name)) continue
    let [rows, columns] = [0, 0]
    for (const [, address = ''] of xmlText(bytes).matchAll(/\sr\s*=\s*["']([^"']*)/g)) {
      // No program writes an address with references.
      if (address.includes('&')) throw new OfficeProblem('damaged')
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
