/** What stands in a message: text, a number, a time, a list, or another message. Never ICU source. */
export type Value = string | number | boolean | Date | Message | readonly (string | Message)[]
export type Values<T = Value> = Readonly<Record<string, Value | T>>

/** A message as reports and responses carry it beside its English sentence. */
export interface Message {
  readonly key: string
  readonly args?: Values
}

/** How a language writes what stands in messages. */
export interface Writing {
  readonly number: (value: number) => string
  readonly date: (value: Date) => string
  /** `one`, `other` and so on. */
  readonly plural: (value: number) => string
  readonly list: (parts: readonly string[]) => string
}

/** Text, `#`, or an argument. */
export type Part = string | 0 | Argument

export interface Argument {
  readonly name: string
  readonly format?: string | undefined
  readonly cases: ReadonlyMap<string, readonly Part[]>
}

const TEXT = /(?:''|'[{}#](?:[^']|'')*'|[^{}#])+/y
const ARGUMENT = /\{\s*(\w+)\s*(?:,\s*(number|date|plural|select)\s*,?)?/y
const CASE = /\s*(=\d+|\w+)\s*\{/y
const CLOSE = /\s*\}/y

/** Parses ICU MessageFormat 1: `{name}`, and `number`, `date`, `plural` and `select`. An apostrophe quotes only before a brace or `#`. */
export function parseMessage(source: string): readonly Part[] {
  if (!/[{}'#]/.test(source)) return [source]
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    at += found?.[0].length ?? 0
    return found
  }
  const fail = (): never => {
    throw new Error(`not an ICU message, at character ${at}: ${source}`)
  }
  const argument = (isCounted: boolean): Argument => {
    const [, name = '', format] = take(ARGUMENT) ?? fail()
    const cases = new Map<string, readonly Part[]>()
    const branches = format === 'plural' || format === 'select'
    for (let found = branches ? take(CASE) : null; found !== null; found = take(CASE)) {
      cases.set(found[1] ?? '', parts(isCounted || format === 'plural'))
      if (take(CLOSE) === null) fail()
    }
    if (branches !== cases.has('other') || take(CLOSE) === null) fail()
    return { name, format, cases }
  }
  const parts = (isCounted: boolean): readonly Part[] => {
    const found: Part[] = []
    for (let text = take(TEXT); ; text = take(TEXT)) {
      if (text !== null) found.push(unquoted(text[0]))
      else if (source[at] === '{') found.push(argument(isCounted))
      else if (source[at] === '#') {
        at++
        found.push(isCounted ? 0 : '#')
      } else return found
    }
  }
  const all = parts(false)
  return at < source.length ? fail() : all
}

const unquoted = (text: string): string =>
  text.replaceAll(/''|'([{}#](?:[^']|'')*)'/g, (_, inner?: string) => inner?.replaceAll("''", "'") ?? "'")

/** The messages of a language. */
export class Texts {
  readonly #messages: Readonly<Record<string, string>>
  readonly #parsed = new Map<string, readonly Part[]>()
  readonly #writing: Writing

  constructor(messages: Readonly<Record<string, string>>, writing: Writing) {
    this.#messages = messages
    this.#writing = writing
  }

  /** The parts of a message, for arguments that are elements of a page. Undefined if it, or something in it, is not known. */
  rich<T = never>(key: string, args: Values<T> = {}): readonly (string | T)[] | undefined {
    if (!Object.hasOwn(this.#messages, key)) return undefined
    const parts = this.#parsed.get(key) ?? parseMessage(this.#messages[key] ?? '')
    this.#parsed.set(key, parts)
    const written = this.#write(parts, args, 0)
    return written.includes(undefined) ? undefined : (written as readonly (string | T)[])
  }

  find(key: string, args?: Values): string | undefined {
    return this.rich(key, args)?.join('')
  }

  #write<T>(parts: readonly Part[], args: Values<T>, count: number): readonly (string | T | undefined)[] {
    return parts.flatMap((part): readonly (string | T | undefined)[] => {
      if (typeof part === 'string') return [part]
      if (part === 0) return [this.#writing.number(count)]
      const { name, format, cases } = part
      const value = args[name]
      if (value === undefined) return [undefined]
      if (format === 'select')
        return this.#write(cases.get(String(value)) ?? cases.get('other') ?? [], args, count)
      if (format !== 'plural') return [this.#value(value, format)]
      const number = Number(value)
      const chosen =
        cases.get(`=${number}`) ?? cases.get(this.#writing.plural(number)) ?? cases.get('other') ?? []
      return this.#write(chosen, args, number)
    })
  }

  #value<T>(value: Value | T, format?: string): string | T | undefined {
    if (format === 'number') return this.#writing.number(Number(value))
    if (format === 'date') {
      const time = new Date(value as string)
      return Number.isNaN(time.getTime()) ? undefined : this.#writing.date(time)
    }
    if (Array.isArray(value)) {
      const parts = value.flatMap((one) => (this.#value(one as Value) as string | undefined) ?? [])
      return parts.length < value.length ? undefined : this.#writing.list(parts)
    }
    if (typeof value === 'object' && value !== null && 'key' in value && 'args' in value) {
      const { key, args } = value as Message
      return this.find(key, args)
    }
    return typeof value === 'number' ? String(value) : (value as string | T)
  }
}
