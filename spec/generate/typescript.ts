// Generates TypeScript types from the OpenAPI description. Existing generators need the compiler API of TypeScript 5,
// which TypeScript 7 does not have.
import {
  type Content,
  isGenerated,
  type OpenApi,
  type Operation,
  operationsIn,
  type Schema,
  type Schemas,
} from './operations.ts'

const HEAD = '// Generated from spec/openapi.json by server/test/write-generated-files.ts.'

/** The types of every resource, error code and operation. */
export function apiTypes(api: OpenApi): string {
  const operations = operationsIn(api)
  return [
    HEAD,
    ...declarations(api.components.schemas),
    '/** `data` of each type of event. */',
    `export interface EventData {\n${Object.entries(api.webhooks).map(eventType).join('')}}\n`,
    '/** Parameters, body and response of each operation. */',
    `export interface Operations {\n${operations.map(operationType).join('')}}\n`,
    '/** Method and path of each operation. */',
    `export const OPERATIONS = {\n${operations.map(({ name, method, path }) => `  ${name}: ['${method}', '${path}'],\n`).join('')}} as const satisfies {`,
    '  readonly [Name in keyof Operations]: readonly [method: string, path: string]',
    '}',
    '',
  ].join('\n')
}

/** The methods of the client that are one operation each. */
export const clientMethods = (api: OpenApi): string =>
  [
    HEAD,
    "import type { Ask, Body, CallOptions, Query } from './call.ts'",
    "import type { Save, SaveOptions } from './download.ts'",
    '',
    '/** What is one operation of the API each. Parameters of the path come first, then the body or the query. */',
    'export const generatedMethods = (ask: Ask, save: Save) => ({',
    ...operationsIn(api)
      .filter((one) => isGenerated(one) || one.name === 'exchangeToken')
      .map(methodOf),
    '})',
    '',
  ].join('\n')

function methodOf({ name, summary, description, ids, query, body, answer, isIdempotent }: Operation): string {
  const given = ids.map((id) => `${camelCase(id.name)}: ${typeOf(id.schema, '')}`)
  const named = ids.map(({ name: id }) => (id === camelCase(id) ? id : `${id}: ${camelCase(id)}`))
  const about = comment(`${summary.replace(/\.$/, '')}. ${description}`.trim(), '  ')
  const method = (parameters: readonly string[], result: string, generic = ''): string =>
    `${about}  ${name}: ${generic}(${parameters.join(', ')}) => ${result},\n`
  const parameters = record([...(query.length > 0 ? ['...query'] : []), ...named])
  if (answer === 'file')
    return method(
      [...given, 'options: SaveOptions<Saved> = {}'],
      `save('${name}', ${parameters}, options)`,
      '<Saved = Blob>',
    )
  const isEmpty = body?.properties !== undefined && Object.keys(body.properties).length === 0
  const type = body !== undefined ? 'body: Body' : 'query: Query'
  const isOptional = body === undefined ? query.every((one) => one.required !== true) : allowsNothing(body)
  const isSent = body === undefined ? query.length > 0 : !isEmpty
  const sent = [
    ...(body === undefined ? [] : [isEmpty ? 'body: {}' : 'body']),
    ...(isIdempotent ? ['idempotent: true'] : []),
  ]
  return method(
    [
      ...given,
      ...(isSent ? [`${type}<'${name}'>${isOptional ? ' = {}' : ''}`] : []),
      'options?: CallOptions',
    ],
    `ask('${name}', ${parameters}, ${sent.length === 0 ? 'options' : record(['...options', ...sent])})`,
  )
}

const record = (members: readonly string[]): string =>
  members.length === 0 ? '{}' : `{ ${members.join(', ')} }`

/** Whether an empty object is a body. */
const allowsNothing = ({ properties, required = [] }: Schema): boolean =>
  properties !== undefined && required.length === 0

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** One declaration per schema. A schema that contains another one of them refers to it by name. */
export function declarations(schemas: Schemas): readonly string[] {
  const names: Names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]))
  return Object.entries(schemas).map(([name, schema]) => declaration(name, schema, names))
}

type Names = ReadonlyMap<Schema, string>

function eventType([type, { post }]: [string, OpenApi['webhooks'][string]]): string {
  const data = post.requestBody?.content['application/json']?.schema.properties?.['data'] ?? {}
  return `${comment(post.summary, '  ')}  readonly '${type}': ${typeOf(data, '  ')}\n`
}

const operationType = ({ name, summary, ids, query, content, response }: Operation): string =>
  [
    comment(summary, '  '),
    `  readonly ${name}: {\n`,
    `    readonly path: ${parametersType(ids)}\n`,
    `    readonly query: ${parametersType(query)}\n`,
    `    readonly body: ${contentType(content)}\n`,
    `    readonly response: ${contentType(response)}\n`,
    '  }\n',
  ].join('')

/** The type of a JSON body, which may also be asked for as JSON Lines; `Blob` for anything else. */
function contentType(content: Content | undefined): string {
  if (content === undefined) return 'undefined'
  const types = Object.keys(content).filter(
    (type) => type !== 'application/jsonl' && type !== 'application/x-www-form-urlencoded',
  )
  const [json, ...others] = [content['application/json'], ...types]
  return json === undefined || others.length > 1 ? 'Blob' : typeOf(json.schema, '    ')
}

function parametersType(parameters: Operation['ids']): string {
  if (parameters.length === 0) return '{}'
  const members = parameters.map(
    ({ name, required, schema }) =>
      `readonly ${key(name)}${required === true ? '' : '?'}: ${typeOf(schema, '    ')}`,
  )
  return `{ ${members.join('; ')} }`
}

function declaration(name: string, schema: Schema, names: Names): string {
  const type = bodyOf(schema, '', names)
  const isObject = type.startsWith('{') && schema.properties !== undefined
  const head = isObject ? `export interface ${name} ` : `export type ${name} = `
  return `${comment(schema.description, '')}${head}${type}\n`
}

const typeOf = (schema: Schema, indent: string, names: Names = new Map()): string =>
  names.get(schema) ?? bodyOf(schema, indent, names)

function bodyOf(schema: Schema, indent: string, names: Names): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)?.replace('#', '') ?? 'unknown'
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return [...new Set(union.map((one) => typeOf(one, indent, names)))].join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeOf(one, indent, names)).join(' & ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0
    ? 'unknown'
    : types.map((type) => plainType(type, schema, indent, names)).join(' | ')
}

function plainType(type: string, schema: Schema, indent: string, names: Names): string {
  if (type === 'integer') return 'number'
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, indent, names)
    return `readonly ${/[ |&]/.test(item) && !/^\{[^]*\}$/.test(item) ? `(${item})` : item}[]`
  }
  return type === 'object' ? objectType(schema, indent, names) : type
}

function objectType(schema: Schema, indent: string, names: Names): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  const inner = `${indent}  `
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${comment(member.description, inner)}${inner}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member, inner, names)}\n`,
  )
  const others =
    Object.values(patternProperties ?? {})[0] ??
    (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  if (others !== undefined) members.push(`${inner}readonly [name: string]: ${typeOf(others, inner, names)}\n`)
  if (members.length === 0) return 'Readonly<Record<string, unknown>>'
  return `{\n${members.join('')}${indent}}`
}

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('\n', ' ').replaceAll('*/', '* /')} */\n`
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
