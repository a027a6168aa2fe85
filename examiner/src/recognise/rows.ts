import { parseDelimited } from '../request/parse-delimited.ts'
import { UnexpectedShape } from './members.ts'

/** What follows `start` in each line that begins with it. Patterns would take too long on lines that are made for it. */
export function linesAfter(text: string, start: string): readonly string[] {
  const found: string[] = []
  const all = `\n${text}`
  for (let at = all.indexOf(`\n${start}`); at !== -1; at = all.indexOf(`\n${start}`, at + 1)) {
    const from = at + 1 + start.length
    const end = all.indexOf('\n', from)
    found.push(all.slice(from, end === -1 ? undefined : end).trim())
  }
  return found
}

/** The rows of a CSV file by the names in its first row. A row with another number of fields means that it is damaged. */
export function rowsByName(bytes: Uint8Array): readonly ReadonlyMap<string, string>[] {
  const [header = [], ...rows] = parseDelimited(bytes)
  return rows.map((row) => {
    if (row.length !== header.length) throw new UnexpectedShape()
    return new Map(header.map((name, index) => [name, row[index] as string]))
  })
}
