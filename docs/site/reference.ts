// The API reference: a Markdown page for each resource, made from spec/openapi.json.
import { readFileSync } from 'node:fs'
import { slug, type Source } from './pages.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly (string | null)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly description?: string }>>
  readonly 'x-scope'?: string
  readonly 'x-role'?: string
  readonly 'x-error-codes'?: readonly string[]
  readonly 'x-codeSamples'?: readonly { readonly source: string }[]
}

/** The body of an event says what its subject and its data are. */
type EventType = Pick<Operation, 'summary' | 'tags' | 'requestBody'>

interface Described {
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: EventType }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const FILE = new URL('../../spec/openapi.json', import.meta.url)
const CODES = '/docs/reference/error-codes'

export function apiSources(): readonly Source[] {
  const api = JSON.parse(readFileSync(FILE, 'utf8')) as Described
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, said]) => ({ path, method: method.toUpperCase(), said })),
  )
  const usual = usualCodes(operations.map(({ said }) => said))
  return api.tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ said }) => said.tags?.includes(name))
    const schemas = schemasOf(own.map(({ said }) => said)).flatMap((each) => schemaText(each, api))
    const parts = own.map(({ path, method, said }) => operationText(method, path, said, usual))
    const events = Object.entries(api.webhooks).filter(([, { post }]) => post.tags?.includes(name))
    if (events.length > 0) parts.push(`## Types of events\n\n${events.map(eventText).join('')}`)
    return {
      url: `/docs/api/${slug(name)}`,
      title: name,
      kind: 'API',
      about: '',
      words: '',
      file: `docs/api/${slug(name)}.md`,
      markdown: `# ${name}\n\n${description}\n\n${parts.join('\n')}\n${schemas.join('\n')}`,
    }
  })
}

/** What more than half of the operations can answer is told once, on the page about the API. */
function usualCodes(operations: readonly Operation[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const said of operations)
    for (const code of said['x-error-codes'] ?? []) counts.set(code, (counts.get(code) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count * 2 > operations.length).map(([code]) => code))
}

function operationText(method: string, path: string, said: Operation, usual: ReadonlySet<string>): string {
  const { summary = said.operationId, description = '', responses } = said
  const scope = said['x-scope'] ?? 'none'
  const access =
    scope === 'none'
      ? 'No API key is needed.'
      : `Scope of the API key: \`${scope}\`. Role of a member: \`${said['x-role'] ?? ''}\`.`
  const parameters = (said.parameters ?? []).map(
    ({ name, in: place, required, description: about = '' }) =>
      `| \`${name}\` | ${place}${required === true ? ', required' : ''} | ${cell(about)} |`,
  )
  const bodies = Object.entries(said.requestBody?.content ?? {}).flatMap(([type, { schema = {} }]) =>
    [`| body | ${cell(type)} | ${linkOf(schema)} |`].concat(rowsOf(schema, '')),
  )
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content = {} }]) => {
      const [[type, { schema = {} }] = ['no body', {}]] = Object.entries(content)
      return `${status}: ${schema.$ref === undefined ? type : linkOf(schema)}`
    })
  const own = (said['x-error-codes'] ?? []).filter((code) => !usual.has(code))
  const codes = own.map((code) => `[\`${code}\`](${CODES}#row.${code})`)
  return [
    `## ${summary}`,
    `\`${method} ${path}\` · \`${said.operationId}\``,
    `${description} ${access}`,
    table(['parameter', 'where', 'meaning'], [...parameters, ...bodies]),
    `Response: ${answers.join(', ')}.`,
    codes.length === 0 ? '' : `Its own errors: ${codes.join(', ')}.`,
    ...(said['x-codeSamples'] ?? []).map(({ source }) => `\`\`\`sh\n${source}\n\`\`\``),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .concat('\n')
}

function eventText([type, { post }]: readonly [string, { readonly post: EventType }]): string {
  const { subject, data } = post.requestBody?.content['application/json']?.schema?.properties ?? {}
  const members = Object.keys(data?.properties ?? {}).map((member) => `\`${member}\``)
  const more = members.length === 0 ? '' : ` \`data\`: ${members.join(', ')}.`
  return `- \`${type}\`: ${post.summary ?? ''} \`subject\`: ${subject?.description ?? ''}${more}\n`
}

/** The names of the schemas that the operations send or return. */
function schemasOf(operations: readonly Operation[]): readonly string[] {
  const contents = operations.flatMap(({ requestBody, responses }) => {
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    return [requestBody?.content ?? {}].concat(good.map(([, { content = {} }]) => content))
  })
  const names = contents.flatMap((content) =>
    Object.values(content).flatMap(({ schema }) => (schema?.$ref === undefined ? [] : [nameOf(schema.$ref)])),
  )
  return [...new Set(names)]
}

function schemaText(name: string, { components }: Described): readonly string[] {
  const schema = components.schemas[name]
  if (schema === undefined) return []
  const rows = table(['member', 'type', 'meaning'], rowsOf(schema, ''))
  return [`## ${name}\n\n${schema.description ?? ''}\n\n${rows}\n`]
}

function rowsOf(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const optional = schema.required?.includes(name) === true ? '' : ', optional'
    const row = `| \`${prefix}${name}\` | ${typeOf(property)}${optional} | ${cell(property.description ?? '')} |`
    return [row].concat(rowsOf(property.items ?? {}, `${prefix}${name}[].`))
  })
}

const table = (heads: readonly string[], rows: readonly string[]): string =>
  rows.length === 0 ? '' : [`| ${heads.join(' | ')} |`, '| --- | --- | --- |', ...rows].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** What an operation sends or returns is described on its page. */
const linkOf = (schema: Schema): string =>
  schema.$ref === undefined ? typeOf(schema) : `[${typeOf(schema)}](#${typeOf(schema).toLowerCase()})`

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

function typeOf({ $ref, items, enum: values, anyOf, format, type }: Schema): string {
  if ($ref !== undefined) return nameOf($ref)
  if (items !== undefined) return `array of ${typeOf(items)}`
  if (values !== undefined) return cell(values.map((value) => value ?? 'null').join(' | '))
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  return format ?? [type ?? 'object'].flat().join(' or ')
}
