/** What a recogniser read from a file, as it is there. It is checked and shortened before it is shown. */
export interface Stated {
  readonly tool?: unknown
  readonly version?: unknown
  readonly target?: unknown
  /** Text, or seconds or milliseconds since 1970. */
  readonly time?: unknown
  readonly counts?: Tally
}

/** Reads elements one by one. A path is made of local names: `testsuites/testsuite/testcase`. */
export interface ElementReader {
  open?(path: string, element: Element): void
  /** The text of an element that has no other elements, when it ends. */
  text?(path: string, text: string): void
  close?(path: string): void
  end(): Stated | undefined
}

export interface Element {
  /** The namespace. */
  readonly uri: string
  attribute(name: string): string | undefined
}

/**
 * One format. `mark` is what the first bytes of every such file match, so that other files are not parsed. The reader looks
 * for the certain mark, and returns undefined if anything is not as the format has it.
 */
export type Recogniser = { readonly format: string; readonly mark: RegExp } & (
  | { readonly reads: 'json'; read(values: readonly unknown[]): Stated | undefined }
  | { readonly reads: 'xml'; start(): ElementReader }
  | { readonly reads: 'text'; read(bytes: Uint8Array, text: string): Stated | undefined }
)

/** Counts by name, in the order in which they are shown. */
export class Tally {
  readonly #counts: Map<string, number>

  /** These names are shown even if their count is zero. */
  constructor(...shown: readonly string[]) {
    this.#counts = new Map(shown.map((name) => [name, 0]))
  }

  static just(name: string, total: number): Tally {
    const counts = new Tally()
    counts.add(name, total)
    return counts
  }

  add(name: string, more = 1): void {
    this.#counts.set(name, this.of(name) + more)
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  list(): readonly { readonly name: string; readonly count: number }[] {
    return [...this.#counts].map(([name, total]) => ({ name, count: total }))
  }
}

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
