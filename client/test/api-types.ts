// Generates TypeScript types from the OpenAPI description. Existing generators need the compiler API of TypeScript 5,
// which TypeScript 7 does not have.
import { readFileSync } from 'node:fs'

export const root = new URL('../../', import.meta.url)
export const GENERATED = 'client/src/api-types.generated.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly description?: string
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
}

/** The generated source: types of every resource, error code and operation. */
export function apiTypes(text = readFileSync(new URL('spec/openapi.json', root), 'utf8')): string {
  const api = JSON.parse(text) as Description
  const operations = Object.entries(api.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )
    // HEAD responses have no body.
    .filter(({ method }) => method !== 'head')
  return [
    '// Generated from spec/openapi.json by client/test/write-api-types.ts.',
    ...declarations(api.components.schemas),
    '/** `data` of each type of event. */',
    `export interface EventData {\n${Object.entries(api.webhooks).map(eventType).join('')}}\n`,
    '/** Parameters, body and response of each operation. */',
    `export interface Operations {\n${operations.map(operationType).join('')}}\n`,
    '/** Method and path of each operation. */',
    `export const OPERATIONS = {\n${operations.map(operationEndpoint).join('')}} as const satisfies {`,
    '  readonly [Name in keyof Operations]: readonly [method: string, path: string]',
    '}',
    '',
  ].join('\n')
}

/** One declaration per schema. A schema that contains another one of them refers to it by name. */
export function declarations(schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const names: Names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]))
  return Object.entries(schemas).map(([name, schema]) => declaration(name, schema, names))
}

type Names = ReadonlyMap<Schema, string>

interface OperationOnPath {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

function eventType([type, { post }]: [string, { readonly post: Operation }]): string {
  const data = post.requestBody?.content['application/json']?.schema.properties?.['data'] ?? {}
  return `${comment(post.summary, '  ')}  readonly '${type}': ${typeOf(data, '  ')}\n`
}

function operationEndpoint({ path, method, operation }: OperationOnPath): string {
  return `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],\n`
}

function operationType({ operation }: OperationOnPath): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return [
    comment(summary, '  '),
    `  readonly ${operationId}: {\n`,
    `    readonly path: ${parametersType(parameters.filter((one) => one.in === 'path'))}\n`,
    `    readonly query: ${parametersType(parameters.filter((one) => one.in === 'query'))}\n`,
    `    readonly body: ${contentType(requestBody?.content)}\n`,
    `    readonly response: ${contentType(response?.content)}\n`,
    '  }\n',
  ].join('')
}

/** The type of a JSON body, which may also be asked for as JSON Lines; `Blob` for anything else. */
function contentType(content: Content | undefined): string {
  if (content === undefined) return 'undefined'
  const types = Object.keys(content).filter(
    (type) => type !== 'application/jsonl' && type !== 'application/x-www-form-urlencoded',
  )
  const [json, ...others] = [content['application/json'], ...types]
  return json === undefined || others.length > 1 ? 'Blob' : typeOf(json.schema, '    ')
}

function parametersType(parameters: readonly Parameter[]): string {
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
    return `readonly ${/[ |&]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
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
