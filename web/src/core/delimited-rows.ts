const SEPARATORS = [',', ';', '\t', '|']
const MAX_LINES = 50

/**
 * The rows of CSV (RFC 4180) with commas, semicolons, bars or tabs. `onUnclosed` gets the number of the row in which a quoted field
 * begins that has no end.
 */
export function* delimitedRows(
  content: string,
  onUnclosed?: (row: number) => void,
): Generator<readonly string[]> {
  // Excel writes `sep=;` above the column names.
  const named = /^sep=(.)\r?\n/.exec(content)
  const text = named === null ? content : content.slice(named[0].length)
  const separator = named?.[1] ?? likeliestSeparator(text)
  let rows = 0
  let row: string[] = []
  let field = ''
  let quotedSince = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (quotedSince > 0) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') {
        field += '"'
        at++
      } else quotedSince = 0
    } else if (character === '"' && field === '') quotedSince = rows + 1
    else if (character === separator) {
      row.push(field)
      field = ''
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++
      yield [...row, field]
      rows++
      row = []
      field = ''
    } else field += character
  }
  if (quotedSince > 0) onUnclosed?.(quotedSince)
  if (field !== '' || row.length > 0) yield [...row, field]
}

/** The separator that is most frequent in the first line that has one. */
function likeliestSeparator(text: string): string {
  const line = text.split(/[\r\n]/, MAX_LINES).find((each) => /[,;\t|]/.test(each)) ?? ''
  const counts = SEPARATORS.map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}
