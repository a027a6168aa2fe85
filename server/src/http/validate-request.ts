import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { Refusal } from '../refusals.ts'
import { PATTERN_MESSAGES } from './schema-parts.ts'

/** Checks that a schema cannot express. Each returns its problems. */
interface ExtraChecks {
  readonly body?: ExtraCheck
  readonly querystring?: ExtraCheck
  /** Schemas that the body may refer to by name. */
  readonly named?: Readonly<Record<string, TSchema>>
}

export type ExtraCheck = (value: Readonly<Record<string, unknown>>) => readonly Problem[]

const MAX_PROBLEMS_SHOWN = 50

/** More than fit into a request of the largest size. */
const MAX_PROBLEMS_FOUND = 10_000

Settings.Set({ maxErrors: MAX_PROBLEMS_FOUND })

/** Validates bodies and query strings with the schemas that describe them. The error names every problem. */
export function validateRequest(extra: ExtraChecks = {}): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart, contentType }) => {
    // Multipart and binary bodies are streamed. An unknown ID in a path is a 404, and headers are read where they are used.
    if (contentType !== undefined) return () => true
    if (httpPart === 'body') return catching(bodyValidator(resolve(schema, extra.named), extra.body))
    return httpPart === 'querystring' ? catching(queryValidator(schema, extra.querystring)) : () => true
  }
}

type Validate = (value: unknown) => unknown

const catching = (validate: Validate) => (value: unknown) => {
  try {
    return { value: validate(value) }
  } catch (error) {
    return { error: error as Error }
  }
}

export function bodyValidator(schema: Schema, extra?: ExtraCheck): Validate {
  const problems = compileOnFirstUse(schema, extra)
  return (body) => {
    if (!isObject(body))
      throw new Refusal('body_not_an_object', `The body must be ${describeObject(schema)}.`)
    const trimmed = trimStrings(schema, body)
    refuse('body_invalid', problems(trimmed))
    return trimmed
  }
}

export function queryValidator(schema: Schema, extra?: ExtraCheck): Validate {
  const problems = compileOnFirstUse(schema, extra)
  return (query) => {
    const converted = convertIntegers(schema, query as Readonly<Record<string, unknown>>)
    refuse('query_invalid', problems(converted))
    return converted
  }
}

function resolve(schema: Schema, named: ExtraChecks['named'] = {}): Schema {
  if (schema.$ref === undefined) return schema
  const found = named[schema.$ref.replace(/#$/, '')]
  if (found === undefined) throw new Error(`${schema.$ref} is not among the named schemas of this route`)
  return found
}

function compileOnFirstUse(schema: Schema, extra: ExtraCheck = () => []) {
  let compiled: ReturnType<typeof Compile> | undefined
  return (value: Readonly<Record<string, unknown>>): readonly Problem[] => {
    compiled ??= Compile(schema)
    return compiled.Check(value)
      ? extra(value)
      : [...problemsOf(schema, compiled.Errors(value)[1]), ...extra(value)]
  }
}

function refuse(code: 'body_invalid' | 'query_invalid', problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const rest = problems.length - MAX_PROBLEMS_SHOWN
  const shown = problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(({ text }) => text)
    .join('; ')
  const param = problems[0]?.param
  throw new Refusal(code, rest > 0 ? `${shown}; and ${rest} more.` : `${shown}.`, { param })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const describeObject = ({ required = [] }: Schema): string =>
  ['a JSON object', required.join(', ')].filter((text) => text !== '').join(' with ')

/** Strings whose schema says `trim` lose leading and trailing white space before they are validated. */
function trimStrings(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const trimmed = Object.entries(schema.properties ?? {}).flatMap(([name, { trim, anyOf }]) => {
    const value = body[name]
    const applies = trim === true || anyOf?.some((each) => each.trim === true) === true
    return applies && typeof value === 'string' ? [[name, value.trim()]] : []
  })
  return trimmed.length === 0 ? body : { ...body, ...Object.fromEntries(trimmed) }
}

/** A query string holds text alone. */
function convertIntegers(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const integers = Object.entries(query).flatMap(([name, value]) =>
    schema.properties?.[name]?.type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)
      ? [[name, Number(value)]]
      : [],
  )
  return { ...query, ...Object.fromEntries(integers) }
}

/** The parts of JSON Schema that request schemas use, and `trim`, which is our own. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[] | undefined
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly trim?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** As TypeBox reports it. */
interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
}

/** One thing that is wrong with a request, such as `label is missing`. */
export interface Problem {
  /** The member or parameter, such as `items[2].title`. */
  readonly param: string
  readonly text: string
}

/** `problem('label', 'is missing')`. */
export const problem = (param: string, what: string): Problem => ({ param, text: `${param} ${what}` })

const MAX_NAME_SHOWN = 100

/** One problem for each member that is missing, unknown or invalid. */
export function problemsOf(schema: Schema, errors: readonly SchemaError[]): readonly Problem[] {
  const problems = new Map<string, Problem>()
  for (const error of errors) {
    const { keyword, instancePath, params } = error as SchemaError & { readonly params: MemberLists }
    const member = (name: string): string => `${instancePath}/${name}`
    for (const name of params.requiredProperties ?? [])
      problems.set(member(name), problem(nameOf(member(name)), 'is missing'))
    for (const name of params.additionalProperties ?? [])
      problems.set(member(name), unknownName(name, nameOf(member(name))))
    const isOfMember =
      instancePath !== '' && keyword !== 'boolean' && params.additionalProperties === undefined
    if (isOfMember && !problems.has(instancePath))
      problems.set(instancePath, problem(nameOf(instancePath), wording(schema, error)))
  }
  return [...problems.values()]
}

export const unknownName = (name: string, param = name): Problem => ({
  param: param.slice(0, MAX_NAME_SHOWN),
  text: `${JSON.stringify(name.slice(0, MAX_NAME_SHOWN))} is not allowed here`,
})

interface MemberLists {
  readonly requiredProperties?: readonly string[]
  readonly additionalProperties?: readonly string[]
}

/** `/keep/0` is shown as `keep[0]`. */
const nameOf = (pointer: string): string =>
  decode(
    pointer
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.'),
  )

const decode = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

function wording(root: Schema, { keyword, schemaPath }: SchemaError): string {
  const failed = schemaAt(root, schemaPath)
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return `must have ${range(failed.minLength, failed.maxLength)} characters`
    case 'minItems':
    case 'maxItems':
      return `must have ${range(failed.minItems, failed.maxItems)} items`
    case 'maxProperties':
      return `must have at most ${failed.maxProperties} members`
    case 'pattern':
      return `must be ${PATTERN_MESSAGES[failed.pattern ?? ''] ?? `text that matches ${failed.pattern}`}`
    default:
      return `must be ${describe(schemaAt(root, schemaPath.replace(/\/anyOf(\/\d+)?$/, '')))}`
  }
}

const schemaAt = (root: Schema, pointer: string): Schema =>
  pointer
    .split('/')
    .slice(1)
    .reduce(
      (schema: unknown, key) => (schema as Readonly<Record<string, unknown>>)[decode(key)],
      root,
    ) as Schema

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** What a value of this schema is, in words. */
function describe(schema: Schema): string {
  const { anyOf, type = [], format } = schema
  if (anyOf !== undefined) return anyOf.map(describe).join(' or ')
  if (schema.enum !== undefined) return `one of ${schema.enum.filter((value) => value !== '').join(', ')}`
  if (format === 'date-time') return 'a date-time (RFC 3339)'
  if (format === 'date') return 'a date'
  const types = [type].flat().map((name) => TYPE_NAMES[name])
  const { minimum, maximum } = schema
  if (minimum === undefined && maximum === undefined) return types.join(' or ')
  const preposition = minimum === undefined || maximum === undefined ? 'of' : 'from'
  return `${types.join(' or ')} ${preposition} ${range(minimum, maximum)}`
}
