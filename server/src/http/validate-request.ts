import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { Refusal } from '../refusals.ts'
import { MAX_PROBLEMS_FOUND, type Problem, problemsOf, type Schema } from './schema-problems.ts'

/** Checks that a schema cannot express. Each returns its problems. */
export interface ExtraChecks {
  readonly body?: ExtraCheck
  readonly querystring?: ExtraCheck
  /** Schemas that the body may refer to by name. */
  readonly named?: Readonly<Record<string, TSchema>>
}

export type ExtraCheck = (value: Readonly<Record<string, unknown>>) => readonly Problem[]

const MAX_PROBLEMS_SHOWN = 50

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
