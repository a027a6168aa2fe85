// Writes the lists of docs/reference/evidence-rules.md and the types in spec/schemas/profile.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { FILE_TYPES, type FileType } from './src/file-types.ts'
import { RECOGNISERS } from './src/recognise/recognisers.ts'
import { RULES } from './src/rules.ts'

export const PAGE = new URL('../docs/reference/evidence-rules.md', import.meta.url)
const SCHEMA = new URL('../spec/schemas/profile.json', import.meta.url)

function examination({ content, checkStructure, checkText, isCode }: FileType): string {
  if (isCode === true) return 'as text, with a notice'
  if (content === 'text') return checkText === undefined ? 'as text' : 'parsed'
  return content === 'binary' && checkStructure === undefined ? 'not examined' : 'structure'
}

const types = [...Map.groupBy(FILE_TYPES, examination)]
  .filter(([how]) => how !== 'not examined')
  .map(
    ([how, group]) =>
      `- **${how}**: ${group.flatMap(({ endings }) => endings.map((ending) => `\`.${ending}\``)).join(' ')}`,
  )
const rules = [...Map.groupBy(Object.entries(RULES), ([, rule]) => rule.class)].map(
  ([kind, group]) =>
    `### Class ${kind}\n\n${group.map(([code, { message }]) => `- \`${code}\`: ${message}`).join('\n')}\n`,
)
const formats = [...new Set(RECOGNISERS.map(({ format }) => format))].join(', ')

/** The page with what is between its marks written anew. */
export function withLists(page: string): string {
  const parts = { types: types.join('\n'), rules: rules.join('\n').trimEnd(), formats: `${formats}.` }
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n\\n)[^]*?(\\n\\n<!-- /${name} -->)`),
        (_all, start: string, end: string) => start + part + end,
      ),
    page,
  )
}

if (import.meta.main) {
  writeFileSync(PAGE, withLists(readFileSync(PAGE, 'utf8')))
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'))
  schema.$defs.item.properties.types.items.enum = FILE_TYPES.map(({ id }) => id)
  writeFileSync(SCHEMA, `${JSON.stringify(schema, null, 2)}\n`)
}
