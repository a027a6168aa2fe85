import { PATTERN_MESSAGES } from './schema-parts.ts'

/** The parts of JSON Schema that request schemas use, and `trim`, which is our own. */
export interface Schema {
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
export interface SchemaError {
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

/** More than fit into a request of the largest size. */
export const MAX_PROBLEMS_FOUND = 10_000

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
