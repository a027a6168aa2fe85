// `node examiner/test/write-reference.ts` writes the lists of docs/reference/evidence-rules.md and the types in spec/schemas/profile.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { FILE_TYPES, type FileType } from '../src/file-types.ts'
import { RECOGNISERS } from '../src/recognise/recognisers.ts'
import { RULES } from '../src/rules.ts'

export const PAGE = new URL('../../docs/reference/evidence-rules.md', import.meta.url)
const SCHEMA = new URL('../../spec/schemas/profile.json', import.meta.url)

function examination({ content, checkStructure, checkText, isCode }: FileType): string {
  if (isCode === true) return 'as text, with a notice'
  if (content === 'text') return checkText === undefined ? 'as text' : 'parsed'
  return content === 'binary' && checkStructure === undefined ? 'not examined' : 'structure'
}

/** The first extension of each type; text of no other kind needs no list. */
const types = [...Map.groupBy(FILE_TYPES, examination)]
  .filter(([how]) => how !== 'not examined' && how !== 'as text')
  .map(
    ([how, group]) =>
      `- **${how}**: ${group.flatMap(({ endings }) => endings.slice(0, 1).map((ending) => `\`.${ending}\``)).join(' ')}`,
  )

/** Codes that say the same as their message. */
export const PLAIN =
  /^(?:encrypted_(?:archive|pdf|office)|malformed_(?:pdf|office|signature|image|json|xml|csv|yaml|eml)|empty_(?:submission|archive|text)|private_key|virus_found|scan_failed|too_\w+|nested_too_deep|more_\w+|name_absolute|macros|partly_examined|checksum_mismatch|checksum_list_malformed|profile_item_missing|kit_(?:altered|key_revoked|verified))$/
const rules = [...Map.groupBy(Object.entries(RULES), ([, rule]) => rule.class)].map(([kind, group]) => {
  const plain = group.filter(([code]) => PLAIN.test(code)).map(([code]) => `\`${code}\``)
  const explained = group
    .filter(([code]) => !PLAIN.test(code))
    .map(([code, { message }]) => `- \`${code}\`: ${message}`)
  return `### Class ${kind}\n\n${[...explained, ...(plain.length === 0 ? [] : [`- ${plain.join(', ')}`])].join('\n')}\n`
})
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
