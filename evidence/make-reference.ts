// Writes the tables of docs/reference/evidence-rules.md and the types in spec/schemas/profile.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { FILE_TYPES, type FileType } from './src/file-types.ts'
import { RECOGNISERS } from './src/recognise/recognisers.ts'
import { RULES } from './src/rules.ts'

const PAGE = new URL('../docs/reference/evidence-rules.md', import.meta.url)
const SCHEMA = new URL('../spec/schemas/profile.json', import.meta.url)

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n')

function examination({ content, checkStructure, checkText, isCode }: FileType): string {
  if (isCode === true) return 'as text, with a notice'
  if (content === 'text') return checkText === undefined ? 'as text' : 'parsed'
  return content === 'binary' && checkStructure === undefined ? 'not examined' : 'structure'
}

const types = table(
  ['type', 'extensions', 'examined'],
  FILE_TYPES.map((type) =>
    row(type.title, type.endings.map((ending) => `\`.${ending}\``).join(' ') || 'any', examination(type)),
  ),
)
const rules = table(
  ['code', 'class', 'message', 'remedy'],
  Object.entries(RULES).map(([code, rule]) => row(`\`${code}\``, rule.class, rule.message, rule.remedy)),
)

/** Replaces the first table after a heading. */
function withTable(page: string, heading: string, text: string): string {
  const at = page.indexOf('\n|', page.indexOf(`\n## ${heading}\n`)) + 1
  const end = page.indexOf('\n\n', at)
  return page.slice(0, at) + text + page.slice(end)
}

const READS = { json: 'JSON', xml: 'XML', text: 'text' }

const formats = table(
  ['format', 'read from'],
  [...Map.groupBy(RECOGNISERS, ({ format }) => format)].map(([format, rows]) =>
    row(format, [...new Set(rows.map(({ reads }) => READS[reads]))].join(', ')),
  ),
)

let page = readFileSync(PAGE, 'utf8')
page = withTable(page, 'Types', types)
page = withTable(page, 'Findings', rules)
writeFileSync(PAGE, withTable(page, 'Output of tools', formats))
const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'))
schema.$defs.item.properties.types.items.enum = FILE_TYPES.map(({ id }) => id)
writeFileSync(SCHEMA, `${JSON.stringify(schema, null, 2)}\n`)
