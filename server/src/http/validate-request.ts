import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
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

export type ExtraCheck = (value: Members) => readonly Problem[]

const MAX_PROBLEMS_SHOWN = 50

/** More than fit into a request of the largest size. */
const MAX_PROBLEMS_FOUND = 10_000

Settings.Set({ maxErrors: MAX_PROBLEMS_FOUND })

/** Validates bodies and query strings with the schemas that describe them. The error names every problem. */
export function validateRequest(extra: ExtraChecks = {}): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart, contentType }) => {
    // Multipart and binary bodies are streamed. An unknown ID in a path is a 404, and headers are read where they are used.
    if (contentType !== undefined || (httpPart !== 'body' && httpPart !== 'querystring')) return () => true
    const validate =
      httpPart === 'body'
        ? bodyValidator(resolve(schema, extra.named), extra.body)
        : queryValidator(schema, extra.querystring)
    return (value: unknown) => {
      try {
        return { value: validate(value) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  }
}

function resolve(schema: Schema, named: ExtraChecks['named'] = {}): Schema {
  if (schema.$ref === undefined) return schema
  const found = named[schema.$ref.replace(/#$/, '')]
  if (found === undefined) throw new Error(`${schema.$ref} is not among the named schemas of this route`)
  return found
}

/** Strings whose schema says `trim` lose leading and trailing white space before they are validated. */
export const bodyValidator = (schema: Schema, extra?: ExtraCheck) =>
  validator('body_invalid', schema, extra, ({ trim, anyOf }, text) =>
    trim === true || anyOf?.some((each) => each.trim === true) === true ? text.trim() : text,
  )

/** A query string holds text alone. */
export const queryValidator = (schema: Schema, extra?: ExtraCheck) =>
  validator('query_invalid', schema, extra, ({ type }, text) =>
    type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text,
  )

function validator(
  code: 'body_invalid' | 'query_invalid',
  schema: Schema,
  extra: ExtraCheck = () => [],
  read: (member: Schema, text: string) => string | number,
) {
  let compiled: ReturnType<typeof Compile> | undefined
  return (sent: unknown): Members => {
    if (!isObject(sent))
      throw new Refusal('body_not_an_object', `The body must be ${describeObject(schema)}.`)
    const value = Object.fromEntries(
      Object.entries(sent).map(([name, member]) => [
        name,
        typeof member === 'string' ? read(schema.properties?.[name] ?? {}, member) : member,
      ]),
    )
    // On first use: compiling all would take longer than the start.
    compiled ??= Compile(schema)
    const invalid = compiled.Check(value) ? [] : problemsOf(schema, compiled.Errors(value)[1])
    const problems = [...invalid, ...extra(value)]
    if (problems.length > 0) throw refusal(code, problems)
    return value
  }
}

function refusal(code: 'body_invalid' | 'query_invalid', problems: readonly Problem[]): Refusal {
  const shown = problems.slice(0, MAX_PROBLEMS_SHOWN).map(({ text }) => text)
  const rest = problems.length - shown.length
  const message = `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
  return new Refusal(code, message, { param: problems[0]?.param })
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const describeObject = ({ required = [] }: Schema): string =>
  ['a JSON object', required.join(', ')].filter((text) => text !== '').join(' with ')

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
function problemsOf(schema: Schema, errors: readonly TLocalizedValidationError[]): readonly Problem[] {
  const problems = new Map<string, Problem>()
  for (const error of errors) {
    const { keyword, instancePath, params } = error
    const member = (name: string): string => `${instancePath}/${name}`
    if (keyword === 'required')
      for (const name of params.requiredProperties)
        problems.set(member(name), problem(nameOf(member(name)), 'is missing'))
    if (keyword === 'additionalProperties')
      for (const name of params.additionalProperties)
        problems.set(member(name), unknownName(name, nameOf(member(name))))
    else if (instancePath !== '' && keyword !== 'boolean' && !problems.has(instancePath))
      problems.set(instancePath, problem(nameOf(instancePath), wording(schema, error)))
  }
  return [...problems.values()]
}

export const unknownName = (name: string, param = name): Problem => ({
  param: param.slice(0, MAX_NAME_SHOWN),
  text: `${JSON.stringify(name.slice(0, MAX_NAME_SHOWN))} is not allowed here`,
})

/** `/keep/0` is shown as `keep[0]`. */
const nameOf = (pointer: string): string =>
  decode(
    pointer
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.'),
  )

const decode = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

function wording(root: Schema, { keyword, schemaPath }: TLocalizedValidationError): string {
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
