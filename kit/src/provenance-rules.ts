import { isJsonObject, type JsonObject, type JsonValue } from './encoding/strict-json.ts'
import { type Parsed, parseObject, type Rule } from './parsing.ts'

/** A member that may be missing. */
interface OptionalRule {
  readonly optional: Rule
}

export const optional = (rule: Rule): OptionalRule => ({ optional: rule })

export type OptionalRules = Readonly<Record<string, Rule | OptionalRule>>

/** Like parseObject, with members that may be missing. */
export function parseMembers<T>(what: string, value: JsonValue, rules: OptionalRules): Parsed<T> {
  const asked = Object.entries(rules).flatMap(([name, rule]): readonly (readonly [string, Rule])[] => {
    if (typeof rule === 'function') return [[name, rule]]
    return isJsonObject(value) && Object.hasOwn(value, name) ? [[name, rule.optional]] : []
  })
  return parseObject<T>(what, value, Object.fromEntries(asked))
}

/** Control characters, line separators and those that change the direction of text. */
const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'
const ONE_LINE = new RegExp(`^[^${HIDDEN}]*$`, 'u')
const LINES = new RegExp(`^(?:[^${HIDDEN}]|[\\t\\n])*$`, 'u')

const textRule =
  (pattern: RegExp, maxLength: number, kind: string): Rule =>
  (value) =>
    typeof value === 'string' && value.length > 0 && pattern.test(value) && [...value].length <= maxLength
      ? undefined
      : `must be ${kind} of 1 to ${maxLength} characters, without control characters`

export const lineOf = (maxLength: number): Rule => textRule(ONE_LINE, maxLength, 'one line')

/** With line breaks and tabs. */
export const textOf = (maxLength: number): Rule => textRule(LINES, maxLength, 'a text')

/** A text from elsewhere as one line that a report can have; undefined if nothing is left. */
export function asLine(text: string, maxLength: number): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(new RegExp(`[${HIDDEN}]+`, 'gu'), ' ')
    .trim()
  return line === '' ? undefined : [...line].slice(0, maxLength).join('')
}

const DATE =
  /^(?:19[7-9]\d|20\d\d)-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** A day from 1970 to 2099, or an RFC 3339 time on one. */
const date: Rule = (value) =>
  typeof value === 'string' && DATE.test(value) && isDay(value.slice(0, 10))
    ? undefined
    : 'must be a date (2026-01-31) or a time with its zone (2026-01-31T12:00:00Z)'

function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const DAY_MS = 86_400_000

/** The last millisecond of a day, or a time, in milliseconds. */
export const endOf = (text: string): number => Date.parse(text) + (text.length === 10 ? DAY_MS - 1 : 0)

const inside =
  (rules: OptionalRules): Rule =>
  (value) => {
    const parsed = parseMembers<JsonObject>('it', value, rules)
    return parsed.ok ? undefined : `is wrong: ${parsed.problems.join('; ')}`
  }

const period: Rule = (value) => {
  const problem = inside({ from: date, to: date })(value)
  if (problem !== undefined) return problem
  const { from, to } = value as { readonly from: string; readonly to: string }
  return Date.parse(from) <= endOf(to) ? undefined : 'must not end before it begins'
}

/** The members of StatedProvenance. */
export const stated: OptionalRules = {
  collector: optional(
    inside({ name: lineOf(200), version: optional(lineOf(100)), command: optional(textOf(2000)) }),
  ),
  collected_at: optional(date),
  period: optional(period),
  system: optional(lineOf(500)),
  query: optional(textOf(4000)),
}
