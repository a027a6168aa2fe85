import { parseDelimited } from '../request/parse-delimited.ts'
import { UnexpectedShape } from './members.ts'

/** The rows of a CSV file by the names in its first row. A row with another number of fields means that it is damaged. */
export function rowsByName(bytes: Uint8Array): readonly ReadonlyMap<string, string>[] {
  const [header = [], ...rows] = parseDelimited(bytes)
  return rows.map((row) => {
    if (row.length !== header.length) throw new UnexpectedShape()
    return new Map(header.map((name, index) => [name, row[index] as string]))
  })
}
