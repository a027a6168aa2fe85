import { Lexer, LineCounter, parseAllDocuments } from 'yaml'
import { byteOrderMark } from './text-bytes.ts'
import { NOTHING_FOUND, type TextReport } from './text-check.ts'

const MAX_NESTING = 200
const QUIET = { logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const

/**
 * Whether a text is YAML. Aliases are looked at and never expanded, so a document cannot grow.
 */
export function yamlReport(bytes: Uint8Array): TextReport {
  const text = new TextDecoder(byteOrderMark(bytes) ?? 'utf-8').decode(bytes)
  if (nestsTooDeep(text)) return malformed(`it is nested deeper than ${MAX_NESTING}`)
  try {
    // Not the parser's own pretty errors: it makes one for each fault, with the line that it is in, however long that is.
    const lineCounter = new LineCounter()
    const documents = parseAllDocuments(text, { ...QUIET, lineCounter })
    const errors = 'errors' in documents ? documents.errors : documents.flatMap((document) => document.errors)
    const first = Array.isArray(errors) ? errors[0] : undefined
    if (first === undefined) return NOTHING_FOUND
    const { line, col } = lineCounter.linePos(first.pos[0])
    return malformed(`${first.message} at line ${line}, column ${col}`)
  } catch (error) {
    return malformed(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be parsed')
  }
}

function malformed(seen: string): TextReport {
  return { findings: [{ code: 'malformed_yaml', seen: seen.replace(/:$/, '') }], notes: [] }
}

/**
 * Counted before the parser sees it: it calls itself once for each level, and how often it can do that differs from one
 * thread to the next.
 */
function nestsTooDeep(text: string): boolean {
  if (linesNest(text)) return true
  // Most files have few brackets; of those in texts only the lexer knows that they are none.
  return bracketsNest(text.match(/[[{\]}]/g) ?? []) && bracketsNest(new Lexer().lex(text))
}

/** Each line stands in those above it that begin further to the left; "- " and "? " begin something as well. */
function linesNest(text: string): boolean {
  const columns: number[] = []
  for (const [line, indent = '', signs = ''] of text.matchAll(LINE_START)) {
    if (line.length === indent.length) continue
    while ((columns.at(-1) ?? -1) >= indent.length) columns.pop()
    columns.push(indent.length)
    for (const sign of signs.matchAll(/\S\s+/g)) columns.push(indent.length + sign.index + sign[0].length)
    if (columns.length > MAX_NESTING) return true
  }
  return false
}

const LINE_START = /^( *)((?:[-?][ \t]+)*)\S?/gm

function bracketsNest(tokens: Iterable<string>): boolean {
  let open = 0
  for (const token of tokens) {
    if (token === '[' || token === '{') open++
    else if ((token === ']' || token === '}') && open > 0) open--
    if (open > MAX_NESTING) return true
  }
  return false
}
