import type { JsonValue } from '@kitseal/kit'
import { allProblems } from '../http/all-problems.ts'
import { lineProblem } from '../http/label.ts'
import { Refusal } from '../refusals.ts'

/** Reads one member of a body: its value, or what is wrong with it. */
export type Field<T> = (value: JsonValue | undefined) => Read<T>
type Read<T> = { readonly value: T } | { readonly problem: string }

type Values<Fields> = { readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never }

/** Reads a body that has these members and no others; a refusal names everything that is wrong with it. */
export function readMembers<const Fields extends Readonly<Record<string, Field<unknown>>>>(
  body: unknown,
  fields: Fields,
): Values<Fields> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new Refusal('body_not_an_object', 'The body must be a JSON object.')
  const members = body as Readonly<Record<string, JsonValue>>
  const problems = Object.keys(members)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => `${JSON.stringify(name.slice(0, 100))} is not expected here`)
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const read = field(Object.hasOwn(members, name) ? members[name] : undefined)
    if ('problem' in read) problems.push(`${name} ${read.problem}`)
    else values[name] = read.value
  }
  if (problems.length > 0) throw new Refusal('body_invalid', allProblems(problems))
  return values as Values<Fields>
}

export const optional =
  <T>(field: Field<T>): Field<T | undefined> =>
  (value) =>
    value === undefined || value === null ? { value: undefined } : field(value)

/** One line of text. */
export const line =
  (most: number, least = 1): Field<string> =>
  (value) => {
    if (typeof value !== 'string') return { problem: value === undefined ? 'is missing' : 'must be a string' }
    const text = value.trim()
    const length = Array.from(text).length
    if (length < least || length > most) return { problem: `must have ${least} to ${most} characters` }
    const problem = lineProblem(text)
    return problem === undefined ? { value: text } : { problem }
  }

export const oneOf =
  <const T extends string>(values: readonly T[]): Field<T> =>
  (value) => {
    const known = values.find((each) => each === value)
    return known === undefined ? { problem: `must be one of ${values.join(', ')}` } : { value: known }
  }

export const whole =
  (least: number, most: number): Field<number> =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? { value }
      : { problem: `must be a whole number from ${least} to ${most}` }

export const yesOrNo: Field<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }

/** What a library reads and judges by itself. */
export const anObject: Field<object> = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? { value }
    : { problem: 'must be an object' }

const MOST_NUMBERS = 1000

export const wholeNumbers: Field<readonly number[]> = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_NUMBERS &&
  value.every((each) => typeof each === 'number' && Number.isSafeInteger(each) && each >= 0)
    ? { value: [...new Set(value as readonly number[])] }
    : { problem: `must be a list of at most ${MOST_NUMBERS} whole numbers` }

const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+$/u

/** Compared as text, so that it has one spelling: lower case. */
export const emailAddress: Field<string> = (value) => {
  const read = line(254, 3)(value)
  if ('problem' in read) return read
  return EMAIL.test(read.value)
    ? { value: read.value.toLowerCase() }
    : { problem: 'must be an email address' }
}
