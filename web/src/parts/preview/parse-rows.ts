const SEPARATORS = [',', ';', '\t', '|'] as const

/** The first rows of CSV or TSV. The separator is the one that is most frequent in the first line. */
export function parseRows(
  text: string,
  limits: { readonly rows: number; readonly columns: number },
): readonly (readonly string[])[] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/))
  const count = (separator: string): number => firstLine.split(separator).length
  const separator = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row.slice(0, limits.columns))
    row = []
  }
  while (at < text.length && rows.length < limits.rows) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at, separator)
    row.push(field.value)
    at = field.end
    if (text[at] === separator) {
      at++
      if (at === text.length) row.push('')
    } else {
      if (text[at] === '\r' && text[at + 1] === '\n') at++
      at++
      endRow()
    }
  }
  if (row.length > 0 && rows.length < limits.rows) endRow()
  return rows
}

interface Field {
  readonly value: string
  /** Where the separator, the line break or the end of the text is. */
  readonly end: number
}

function plainField(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { value: text.slice(start, end), end }
}

function quotedField(text: string, start: number): Field {
  let value = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { value: value + text.slice(at), end: text.length }
    value += text.slice(at, quote)
    at = quote + 1
    if (text[at] !== '"') return { value, end: at }
    value += '"'
    at++
  }
}
