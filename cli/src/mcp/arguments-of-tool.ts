import { InputError } from '../input-error.ts'

interface Argument {
  readonly is: 'text' | 'texts' | 'number' | readonly string[]
  readonly what: string
  readonly optional?: true
}

/** The arguments of a tool: its schema and its parser are made from the same table. */
export type Arguments = Readonly<Record<string, Argument>>

type ValueOf<A extends Argument> = A['is'] extends 'texts'
  ? readonly string[]
  : A['is'] extends 'number'
    ? number
    : A['is'] extends readonly (infer Word)[]
      ? Word
      : string

export type Parsed<Table extends Arguments> = {
  readonly [Name in keyof Table]: Table[Name]['optional'] extends true
    ? ValueOf<Table[Name]> | undefined
    : ValueOf<Table[Name]>
}

const MAX_TEXT = 4096
const MAX_TEXTS = 100

export function schemaOf(table: Arguments): object {
  const properties = Object.entries(table).map(([name, { is, what: description }]) => [
    name,
    { ...typeOf(is), description },
  ])
  const required = Object.keys(table).filter((name) => table[name]?.optional !== true)
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    required,
    additionalProperties: false,
  }
}

function typeOf(is: Argument['is']): object {
  const text = { type: 'string', maxLength: MAX_TEXT }
  if (is === 'text') return text
  if (is === 'texts') return { type: 'array', items: text, minItems: 1, maxItems: MAX_TEXTS }
  return is === 'number' ? { type: 'integer', minimum: 1 } : { type: 'string', enum: is }
}

/** The arguments if each is as the table says and there are no others. Throws an InputError that names every problem. */
export function parseArgumentsOf<Table extends Arguments>(table: Table, given: unknown): Parsed<Table> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InputError('the arguments must be an object')
  const values = new Map<string, unknown>(Object.entries(given))
  const unknown = [...values.keys()].filter((name) => !Object.hasOwn(table, name))
  const problems = unknown.map((name) => `there is no argument ${JSON.stringify(name)}`)
  for (const [name, { is, optional }] of Object.entries(table)) {
    const value = values.get(name)
    if (value === undefined && optional !== true) problems.push(`${name} is required`)
    else if (value !== undefined && !fits(is, value)) problems.push(`${name} must be ${wordsFor(is)}`)
  }
  if (problems.length > 0) throw new InputError(...problems)
  return Object.fromEntries(values) as Parsed<Table>
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT

function fits(is: Argument['is'], value: unknown): boolean {
  if (is === 'text') return isText(value)
  if (is === 'number') return Number.isSafeInteger(value) && (value as number) >= 1
  if (is !== 'texts') return is.some((word) => word === value)
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_TEXTS && value.every(isText)
}

function wordsFor(is: Argument['is']): string {
  if (is === 'text') return `text of at most ${MAX_TEXT} characters`
  if (is === 'texts') return `a list of 1 to ${MAX_TEXTS} texts`
  return is === 'number' ? 'a whole number from 1' : `one of ${is.join(', ')}`
}
