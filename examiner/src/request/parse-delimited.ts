/** The rows of CSV (RFC 4180) with commas, semicolons or tabs, in UTF-8 or UTF-16 with a byte order mark. */
export function parseDelimited(bytes: Uint8Array): readonly (readonly string[])[] {
  const decoded = decode(bytes)
  // Excel writes `sep=;` above the column names.
  const named = /^sep=(.)\r?\n/.exec(decoded)
  const text = named === null ? decoded : decoded.slice(named[0].length)
  const separator = named?.[1] ?? likeliestSeparator(text)
  const rows: string[][] = []
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
    } else if (character === '"' && field === '') quotedSince = rows.length + 1
    else if (character === separator) {
      row.push(field)
      field = ''
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++
      rows.push([...row, field])
      row = []
      field = ''
    } else field += character
  }
  if (quotedSince > 0) throw new Error(`the quoted field in row ${quotedSince} is not closed`)
  return field === '' && row.length === 0 ? rows : [...rows, [...row, field]]
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

const MAX_LINES = 50

/** The separator that is most frequent in the first line that has one. */
function likeliestSeparator(text: string): string {
  const line = text.split(/[\r\n]/, MAX_LINES).find((each) => /[,;\t|]/.test(each)) ?? ''
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}
