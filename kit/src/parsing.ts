import type { Reason, Why } from './texts/english.ts'
import { isJsonObject, type JsonValue, parseStrictJson } from './encoding/strict-json.ts'

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly problems: readonly string[]
      /** The only problem, for other languages. */ readonly reason?: Reason
    }

/** What is wrong, in words that are translated as far as there are any. */
export const whyNot = ({ problems, reason }: Extract<Parsed<unknown>, { ok: false }>): readonly Why[] =>
  reason === undefined ? problems : [reason]

/** Parses strict JSON, and what it is about. `what` is named if it is none. */
export function parseJson<T>(
  json: Uint8Array | string,
  parse: (value: JsonValue) => Parsed<T>,
  what?: string,
): Parsed<T> {
  try {
    return parse(parseStrictJson(json))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON'
    return { ok: false, problems: [what === undefined ? why : `${what} is not strict JSON: ${why}`] }
  }
}

/** The result of a parser that throws errors of this class for what it does not accept. */
export function parsedOr<T>(Malformed: new (problem: string) => Error, parse: () => T): Parsed<T> {
  try {
    return { ok: true, value: parse() }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problems: [error.message] }
    throw error
  }
}

/** Null for anything but strict JSON. */
export function jsonOrNull(json: Uint8Array): JsonValue {
  const parsed = parseJson(json, (value) => ({ ok: true, value }))
  return parsed.ok ? parsed.value : null
}

/** Returns what is wrong with a value, or undefined. */
export type Rule = (value: JsonValue) => string | undefined

/** A member that may be missing. */
interface OptionalRule {
  readonly optional: Rule
}

export const optional = (rule: Rule): OptionalRule => ({ optional: rule })

export type Rules = Readonly<Record<string, Rule | OptionalRule>>

/** Parses an object with the members of `rules`, and no others. Reports all problems. */
export function parseObject<T>(what: string, value: JsonValue, rules: Rules): Parsed<T> {
  if (!isJsonObject(value)) return { ok: false, problems: [`${what} must be a JSON object`] }
  const problems: string[] = []
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(rules, name)) problems.push(`unknown member ${JSON.stringify(name)}`)
  }
  for (const name of Object.keys(rules)) {
    const rule = rules[name]!
    const isOptional = typeof rule !== 'function'
    if (isOptional && !Object.hasOwn(value, name)) continue
    const member = value[name]
    const problem = member === undefined ? 'is missing' : (isOptional ? rule.optional : rule)(member)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
  }
  return problems.length === 0 ? { ok: true, value: value as T } : { ok: false, problems }
}

export const nonEmptyString: Rule = (value) =>
  typeof value === 'string' && value.length > 0 ? undefined : 'must be a non-empty string'

export const identifier: Rule = matching(/^[A-Za-z0-9_-]{1,200}$/, 'must be a URL-safe identifier')

export const sha256Text: Rule = matching(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex characters')

export const count: Rule = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : 'must be a non-negative integer'

export const instant: Rule = (value) =>
  typeof value === 'string' && isInstant(value)
    ? undefined
    : 'must be a UTC time with milliseconds (2026-01-31T12:00:00.000Z)'

export function literal(text: string): Rule {
  return (value) => (value === text ? undefined : `must be ${JSON.stringify(text)}`)
}

export function oneOf(values: readonly string[]): Rule {
  return (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`
}

export function matching(pattern: RegExp, problem: string): Rule {
  return (value) => (typeof value === 'string' && pattern.test(value) ? undefined : problem)
}

/** RFC 3339, in UTC with milliseconds and Z, and a date that exists. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}
