import { copyOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { MACRO_RULES, PASSWORD_SETTING, SECRET_RULES, type SecretRule } from './secret-rules.ts'

/** Longer than any pattern needs. */
const OVERLAP = 2048
const BEFORE = 64
/** At least as long as any start. */
const LONGEST_START = 32
const MAX_LISTED = 5
const MAX_FOUND = 100
/** The pattern for settings is slow. */
const MAX_SETTINGS_BYTES = 256 * 1024

/** Where a start is recognized: by two neighbouring bytes of it that are rare in ordinary text. */
interface Start {
  readonly bytes: Uint8Array
  readonly pairAt: number
  readonly rules: readonly SecretRule[]
}

const STARTS_BY_PAIR = new Map<number, Start[]>()
/** 1 for each pair of bytes that some start is recognized by. */
const IS_PAIR = new Uint8Array(65_536)
const RULES = [...SECRET_RULES, ...MACRO_RULES]
for (const text of new Set(RULES.flatMap(({ starts }) => starts))) {
  const bytes = new TextEncoder().encode(text)
  const pairAt = rarestPair(text)
  const pair = ((bytes[pairAt] ?? 0) << 8) | (bytes[pairAt + 1] ?? 0)
  const rules = RULES.filter(({ starts }) => starts.includes(text))
  STARTS_BY_PAIR.set(pair, [...(STARTS_BY_PAIR.get(pair) ?? []), { bytes, pairAt, rules }])
  IS_PAIR[pair] = 1
}

function cost(letter: string): number {
  if (/[A-Z\d]/.test(letter)) return 1
  return /[a-z]/.test(letter) ? 3 : 2
}

/** Upper-case letters and digits are rarer than lower-case letters; punctuation pairs with anything. */
function rarestPair(text: string): number {
  const costs = [...text].slice(0, -1).map((letter, at) => cost(letter) + cost(text[at + 1] ?? ''))
  // "--" fills whole lines of ordinary text.
  return costs.reduce(
    (best, one, at) => (one < (costs[best] ?? 9) && text[at] !== '-' ? at : best),
    costs.length - 1,
  )
}

type Code = NonNullable<SecretRule['code']> | 'possible_secret'

const CODES: readonly Code[] = ['private_key', 'macros', 'possible_secret']

interface Found {
  readonly title: string
  readonly line: number
  readonly code: Code
}

/** Searches a text for secrets and macros while it is read. What it reports never contains the secret. */
export class SecretFinder {
  readonly #found: Found[] = []
  #carried: Uint8Array = new Uint8Array(0)
  /** How much of the carried bytes was searched before. */
  #searched = 0
  #line = 1

  push(bytes: Uint8Array): void {
    if (this.#found.length >= MAX_FOUND || bytes.length === 0) return
    const carriedBytes = this.#carried.length
    if (carriedBytes > 0 && bytes.length <= OVERLAP) {
      this.#searchAndCarry(joined(this.#carried, bytes), this.#searched)
      return
    }
    // What starts in the carried bytes may end in this chunk.
    const start = carriedBytes === 0 ? 0 : LONGEST_START
    if (carriedBytes > 0)
      this.#search(
        joined(this.#carried, bytes.subarray(0, OVERLAP + start)),
        this.#searched,
        carriedBytes + start,
      )
    this.#searchAndCarry(bytes, start)
  }

  /** Leaves the last bytes for the next chunk. */
  #searchAndCarry(bytes: Uint8Array, from: number): void {
    const end = Math.max(from, bytes.length - OVERLAP)
    this.#search(bytes, from, end)
    const kept = Math.max(0, end - BEFORE)
    this.#carried = copyOf(bytes.subarray(kept))
    this.#searched = end - kept
  }

  /** `settings`: the whole of a small settings file. */
  end(settings: Uint8Array | undefined): readonly Finding[] {
    this.#search(this.#carried, this.#searched, this.#carried.length)
    if (settings !== undefined && settings.length <= MAX_SETTINGS_BYTES) this.#searchSettings(settings)
    return CODES.flatMap((code) => {
      const found = this.#found.filter((one) => one.code === code)
      return found.length === 0 ? [] : [{ code, detail: listed(found) }]
    })
  }

  #search(bytes: Uint8Array, from: number, to: number): void {
    let line = this.#line
    for (let at = from; at < to; at++) {
      const found = nextPair(bytes, at, to)
      line += countLines(bytes, at, Math.min(found, to))
      if (found >= to) break
      this.#match(bytes, found - 1, line)
      if (bytes[found] === NEWLINE) line++
      at = found
    }
    this.#line = line
  }

  #match(bytes: Uint8Array, at: number, line: number): void {
    const pair = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
    for (const { bytes: start, pairAt, rules } of STARTS_BY_PAIR.get(pair) ?? []) {
      const index = at - pairAt
      if (index < 0 || !startsAt(bytes, index, start)) continue
      const from = Math.max(0, index - BEFORE)
      const text = latin1.decode(bytes.subarray(from, index + OVERLAP))
      for (const { title, pattern, code = 'possible_secret' } of rules) {
        pattern.lastIndex = index - from
        if (pattern.test(text)) this.#add(title, line, code)
      }
    }
  }

  #searchSettings(bytes: Uint8Array): void {
    const text = latin1.decode(bytes)
    for (const { 0: match, index } of text.matchAll(PASSWORD_SETTING)) {
      const at = index + match.search(/\S/)
      this.#add('password or key in settings', text.slice(0, at).split('\n').length, 'possible_secret')
    }
  }

  #add(title: string, line: number, code: Code): void {
    if (this.#found.length >= MAX_FOUND) return
    if (this.#found.some((one) => one.line === line && one.code === code)) return
    this.#found.push({ title, line, code })
  }
}

const NEWLINE = 10

function startsAt(bytes: Uint8Array, index: number, start: Uint8Array): boolean {
  for (let offset = 0; offset < start.length; offset++) {
    if (bytes[index + offset] !== start[offset]) return false
  }
  return true
}

/** The index of the second byte of the next pair, at or after `from`. */
function nextPair(bytes: Uint8Array, from: number, to: number): number {
  let previous = from > 0 ? (bytes[from - 1] as number) : 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (IS_PAIR[(previous << 8) | byte] === 1) return at
    previous = byte
  }
  return to
}

function countLines(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) lines++
  return lines
}

const latin1 = new TextDecoder('latin1')

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}

function listed(found: readonly Found[]): string {
  const shown = found.slice(0, MAX_LISTED).map(({ line, title }) => `line ${line}: ${title}`)
  const more = found.length - shown.length
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '')
}
