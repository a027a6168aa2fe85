import { readFileSync } from 'node:fs'
import { CONSOLE_RESPONSES } from '../src/site/response-schemas.ts'
import { REFUSALS } from '../src/refusals.ts'
import { FIXED_LIMITS, type Limit, LIMITS } from '../src/settings/limits.ts'
import { type Setting, SETTINGS } from '../src/settings/settings.ts'
import { commandLineOperations } from '../../spec/generate/command-line.ts'
import type { OpenApi, Schemas } from '../../spec/generate/operations.ts'
import { pythonOperations } from '../../spec/generate/python.ts'
import { apiTypes, clientMethods, declarations } from '../../spec/generate/typescript.ts'
import { testService } from '../../test/kit/service.ts'

export const root = new URL('../../', import.meta.url)

/** The expected text of every generated file, by path. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const openapi = await openapiJson()
  const api = JSON.parse(openapi) as OpenApi
  return {
    'spec/openapi.json': openapi,
    'cli/src/operations.generated.json': commandLineOperations(api),
    'client/src/api-types.generated.ts': apiTypes(api),
    'client/src/methods.generated.ts': clientMethods(api),
    'python/kitseal/_operations.py': pythonOperations(api),
    'web/src/core/console-types.generated.ts': consoleTypes(),
    'spec/error-codes.md': withTable('spec/error-codes.md', 'codes', codesTable()),
    'docs/reference/limits.md': withTable(
      'docs/reference/limits.md',
      'constants',
      constantsTable(),
      withTable('docs/reference/limits.md', 'limits', limitsTable()),
    ),
    'docs/reference/settings.md': withTable('docs/reference/settings.md', 'settings', settingsList()),
  }
}

async function openapiJson(): Promise<string> {
  await using service = await testService({ KITSEAL_ISSUER: 'https://kits.example' })
  const response = await fetch(`${service.base}/openapi.json`)
  if (!response.ok) throw new Error(`/openapi.json returned ${response.status}: ${service.log()}`)
  return await response.text()
}

function consoleTypes(): string {
  return [
    '// Generated from server/src/site/response-schemas.ts by server/test/write-generated-files.ts.',
    ...declarations(CONSOLE_RESPONSES as Schemas),
  ].join('\n')
}

function codesTable(): string {
  const rows = Object.entries(REFUSALS).map(([code, [status, meaning]]) => [
    `\`${code}\``,
    `${status}`,
    meaning,
  ])
  return table(['code', 'status', 'meaning'], rows)
}

function limitsTable(): string {
  const rows = Object.values(LIMITS).map(({ what, per, fallback, setting, code, effect }: Limit) => [
    per === undefined ? what : `${what}, per ${per}`,
    setting === undefined ? fallback : `${fallback}; \`${setting}\``,
    code === undefined ? (effect ?? 'waits') : `${REFUSALS[code][0]} \`${code}\``,
  ])
  return table(['what', 'default; setting', 'response'], rows)
}

function constantsTable(): string {
  const rows = Object.values(FIXED_LIMITS).map(({ what, value }) => [
    what,
    (typeof value === 'number' ? [value] : Object.values(value))
      .map((each) => each.toLocaleString('en'))
      .join(' and '),
  ])
  return table(['what', 'value'], rows)
}

function settingsList(): string {
  const items = SETTINGS.map(
    ({ name, takes, meaning, fallback, fallbackText, secret }: Setting & { readonly name: string }) => {
      const preset = fallbackText ?? (fallback === undefined ? undefined : `\`${fallback}\``)
      const values = [
        takes === 'text' ? [] : takes.replace(/(?<=\d) to (?=\d)/, '–'),
        preset === undefined ? [] : `default ${preset}`,
        secret === true ? 'secret' : [],
      ].flat()
      return `- \`${name}\`: ${values.length === 0 ? meaning : meaning.replace(/\.(?= |$)/, () => ` (${values.join('; ')}).`)}\n`
    },
  )
  return items.join('')
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function withTable(
  path: string,
  name: string,
  content: string,
  text = readFileSync(new URL(path, root), 'utf8'),
): string {
  const [before, rest] = text.split(`<!-- ${name} -->`)
  const after = rest?.split(`<!-- /${name} -->`)[1]
  if (before === undefined || after === undefined) throw new Error(`${path} has no place for ${name}`)
  return `${before}<!-- ${name} -->\n\n${content}\n<!-- /${name} -->${after}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('')
}
