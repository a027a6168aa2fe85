import { Lexer, LineCounter, parseAllDocuments } from 'yaml'
import { utf16Encoding } from '../detect/text-encoding.ts'
import { YAML_COST, YAML_FILE_BYTES } from '../limits.ts'
import { NO_FINDINGS, type StartTextCheck, type TextReport, tooLarge } from './text-check.ts'
import { YamlSkimmer } from './yaml-skim.ts'

const MAX_NESTING = 200
const QUIET = { logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const

/** Reads plain YAML of any size, and parses other YAML unless it is too large. */
export const startYamlCheck: StartTextCheck = ({ takeParsing }) => {
  const skimmer = new YamlSkimmer()
  return {
    push: (bytes) => skimmer.push(bytes),
    end({ whole }) {
      if (skimmer.end()) return NO_FINDINGS
      if (whole === undefined || whole.length > YAML_FILE_BYTES || !takeParsing(whole.length * YAML_COST)) {
        return tooLarge('YAML', '256 KB', '4 MB')
      }
      return checkYaml(whole)
    },
  }
}

/** Aliases are never expanded, so a small document stays small. */
function checkYaml(bytes: Uint8Array): TextReport {
  const text = new TextDecoder(utf16Encoding(bytes) ?? 'utf-8').decode(bytes)
  if (nestsTooDeep(text)) return malformed(`it is nested deeper than ${MAX_NESTING} levels`)
  try {
    // prettyErrors would quote the whole line for each error, however long it is.
    const lineCounter = new LineCounter()
    const documents = parseAllDocuments(text, { ...QUIET, lineCounter })
    const errors = 'errors' in documents ? documents.errors : documents.flatMap((document) => document.errors)
    const first = Array.isArray(errors) ? errors[0] : undefined
    if (first === undefined) return NO_FINDINGS
    const { line, col } = lineCounter.linePos(first.pos[0])
    return malformed(`${first.message} at line ${line}, column ${col}`)
  } catch (error) {
    return malformed(error instanceof Error ? error.message.slice(0, 200) : 'it cannot be parsed')
  }
}

function malformed(detail: string): TextReport {
  return { findings: [{ code: 'malformed_yaml', detail: detail.replace(/:$/, '') }], notes: [] }
}

/** Checked before parsing: the parser is recursive, and the stack size differs between threads. */
function nestsTooDeep(text: string): boolean {
  if (linesNest(text)) return true
  // Counting brackets is cheap. Only if there are many, the lexer tells which of them are inside strings.
  return bracketsNest(text.match(/[[{\]}]/g) ?? []) && bracketsNest(new Lexer().lex(text))
}

/** A line is nested in the lines above it that are indented less; "- " and "? " start a level, too. */
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
