import type { Tally } from './tally.ts'

// Reads parsed JSON whose shape nobody promised.

/** A member of an object, of a member of it, and so on. Undefined if there is none. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function has(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => Object.hasOwn(value, name))
}

/** The elements of a list. No list at all counts as an empty one: tools leave it out or write null. */
export function elements(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new UnexpectedShape()
  return value
}

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new UnexpectedShape()
  return value
}

/** A file has the mark of a format, but not its shape. */
export class UnexpectedShape extends Error {
  override readonly name = 'UnexpectedShape'
}

/** The value of a file that has one. */
export function only(values: readonly unknown[]): unknown {
  if (values.length !== 1) throw new UnexpectedShape()
  return values[0]
}

/** Records that are written one by one, or in one list, or in one list for each page. */
export function recordsIn(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
}

/** The same records, if there are some and each has the mark. */
export function marked(
  records: readonly unknown[],
  hasMark: (record: unknown) => boolean,
): readonly unknown[] {
  if (records.length === 0 || !records.every(hasMark)) throw new UnexpectedShape()
  return records
}

/** Counts a status under the name that is shown for it. Statuses that are not in the table are `other`. */
export function count(counts: Tally, names: Readonly<Record<string, string>>, status: unknown): void {
  const key = text(status)
  counts.add(Object.hasOwn(names, key) ? (names[key] as string) : 'other')
}

/** `account 1`, or `3 accounts`. Undefined if there is none. */
export function oneOrMany(noun: string, values: Iterable<unknown>, plural = `${noun}s`): string | undefined {
  const distinct = new Set([...values].filter((value) => typeof value === 'string' && value !== ''))
  const [first] = distinct
  if (first === undefined) return undefined
  return distinct.size === 1 ? `${noun} ${first as string}`.trim() : `${distinct.size} ${plural}`
}
