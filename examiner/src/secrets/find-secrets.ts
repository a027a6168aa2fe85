import { type Reason } from '@kitseal/kit/internal'
import { BLOCK_BYTES, blockAt, blockSum, countNewlines, wordsIn } from '../search/word-scan.ts'
import { FILE_PARTS } from '../limits.ts'
import { copyOf, joined } from '../platform/sources.ts'
import { type Finding, detailOf, detailsOf, type PlainDetail } from '../rules.ts'
import { isLetter, PASSWORD_SETTING } from './secret-rules.ts'
import {
  IN_START,
  LONGEST_START,
  type Markup,
  type SecretStart,
  type Starts,
  startsFor,
} from './secret-starts.ts'

/** Longer than any pattern needs. */
const OVERLAP = 2048
/** How far a pattern looks back: in markup, to the start of a tag. */
const BEFORE = 64
const BEFORE_IN_MARKUP = 4096
/** Nobody writes about so many handlers. */
const MAX_CANDIDATES = 20_000
const MAX_LISTED = 5
const MAX_FOUND = 100
const MAX_LINKS = FILE_PARTS + 1
/** The pattern for settings is slow. */
const MAX_SETTINGS_BYTES = 256 * 1024

type Code = 'private_key' | 'macros' | 'executable_content' | 'possible_secret'

const CODES: readonly Code[] = ['private_key', 'macros', 'executable_content', 'possible_secret']

interface Found {
  /** What it is, and how it starts. */
  readonly what: Reason
  readonly line: number
  readonly code: Code
}

/**
 * Searches a text for secrets and macros while it is read, and markup for what runs in a browser, in one pass. What it
 * reports never contains the secret.
 */
export class SecretFinder {
  readonly #markup: Markup | undefined
  readonly #before: number
  #starts: Starts
  #active: PlainDetail | undefined
  #candidates = 0
  #hasNamespace = false
  readonly #found: Found[] = []
  #carried: Uint8Array = new Uint8Array(0)
  /** How much of the carried bytes was searched before. */
  #searched = 0
  #line = 1
  #range = { from: 0, to: 0 }
  /** The offset of the bytes that are searched, in the text. */
  #offset = 0
  #readBytes = 0
  /** Where the content of each link with base64 starts. */
  readonly linksAt: number[] = []

  constructor(markup?: Markup) {
    this.#markup = markup
    this.#before = markup === undefined ? BEFORE : BEFORE_IN_MARKUP
    this.#starts = startsFor(markup)
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const carriedBytes = this.#carried.length
    const offset = this.#readBytes
    this.#readBytes += bytes.length
    this.#offset = offset - carriedBytes
    if (carriedBytes > 0 && bytes.length <= OVERLAP + this.#before) {
      this.#searchAndCarry(joined([this.#carried, bytes]), this.#searched)
      return
    }
    // What starts in the carried bytes may end in this chunk.
    const start = carriedBytes === 0 ? 0 : this.#before
    if (carriedBytes > 0)
      this.#search(
        joined([this.#carried, bytes.subarray(0, OVERLAP + start)]),
        this.#searched,
        carriedBytes + start,
      )
    this.#offset = offset
    this.#searchAndCarry(bytes, start)
  }

  /** Leaves the last bytes for the next chunk. */
  #searchAndCarry(bytes: Uint8Array, from: number): void {
    const end = Math.max(from, bytes.length - OVERLAP)
    this.#search(bytes, from, end)
    const kept = Math.max(0, end - this.#before)
    this.#carried = copyOf(bytes.subarray(kept))
    this.#searched = end - kept
  }

  /** `settings`: the whole of a small settings file. */
  end(settings: Uint8Array | undefined): readonly Finding[] {
    this.#offset = this.#readBytes - this.#carried.length
    this.#search(this.#carried, this.#searched, this.#carried.length)
    if (settings !== undefined && settings.length <= MAX_SETTINGS_BYTES) this.#searchSettings(settings)
    const found = CODES.flatMap((code): readonly Finding[] => {
      const ofCode = this.#found.filter((one) => one.code === code)
      return ofCode.length === 0 ? [] : [{ code, detail: detailOfAll(ofCode) }]
    })
    // Browsers run what is in other XML only in a namespace that they know.
    if (this.#active === undefined || (this.#markup === 'xml' && !this.#hasNamespace)) return found
    return [
      ...found,
      { code: 'active_content', detail: detailOf('detail.contains', { what: detailOf(this.#active) }) },
    ]
  }

  /** Reports secrets that start from `from` up to `to`. */
  #search(bytes: Uint8Array, from: number, to: number): void {
    const all = wordsIn(bytes)
    const { words, start } = all
    const { table } = this.#starts
    const text = new DecodedWindow(bytes)
    // The end of the last start may be behind `to`.
    const end = Math.min(bytes.length, to + LONGEST_START)
    const first = Math.min(end, blockAt(all, from))
    this.#range = { from, to }
    this.#matchPairs(text, from, first, 1)
    let line = this.#line + countNewlines(bytes, from, Math.min(first, to))
    // Whole blocks before `to`, so that their line breaks count.
    const lastBlock = (to - start - BLOCK_BYTES) >> 2
    let index = (first - start) >> 2
    for (; index <= lastBlock; index += 4) {
      const sum = blockSum(words, index, table)
      if (sum >= IN_START) {
        this.#line = line
        this.#matchPairs(text, start + index * 4, start + index * 4 + BLOCK_BYTES, 2)
      }
      line += sum & (IN_START - 1)
    }
    this.#line = line
    const at = Math.max(first, start + index * 4)
    this.#matchPairs(text, at, end, 1)
    this.#line += countNewlines(bytes, Math.min(at, to), to)
  }

  /** Looks at pairs whose first byte is from `begin`, in the current line, up to `end`. */
  #matchPairs(text: DecodedWindow, begin: number, end: number, step: 1 | 2): void {
    const { bytes } = text
    const { table, withPair } = this.#starts
    for (let at = begin; at < end; at += step) {
      const pair = (bytes[at] as number) | ((bytes[at + 1] ?? 0) << 8)
      if ((table[pair] as number) < IN_START) continue
      for (const start of withPair(pair)) {
        const index = at - start.pairAt
        if (startsAt(bytes, index, start)) this.#match(text, index, start, begin)
      }
    }
  }

  /** `begin` is in the current line. */
  #match(text: DecodedWindow, index: number, { rules, bytes }: SecretStart, begin: number): void {
    if (index < this.#range.from || index >= this.#range.to) return
    if (rules.every(({ mayMatch }) => mayMatch?.(text.bytes, index) === false)) return
    const from = Math.max(0, index - this.#before)
    const around = text.slice(from, index + OVERLAP)
    for (const { title, pattern, matches, code = 'possible_secret' } of rules) {
      if (code === 'active_content' && this.#active !== undefined) continue
      pattern.lastIndex = index - from
      if (!pattern.test(around)) continue
      if (code === 'namespace') this.#hasNamespace = true
      else if (code === 'link') {
        if (this.linksAt.length < MAX_LINKS) this.linksAt.push(this.#offset + from + pattern.lastIndex)
      } else if (code === 'active_content') {
        const isMatch = ++this.#candidates > MAX_CANDIDATES || matches?.(around, index - from) !== false
        if (isMatch) this.#active = title as PlainDetail
      } else if (this.#found.length < MAX_FOUND && matches?.(around, index - from) !== false) {
        this.#add(
          foundAs(code, title, masked(latin1.decode(bytes))),
          this.#line + lineBreaks(text.bytes, begin, index),
          code,
        )
      }
    }
  }

  #searchSettings(bytes: Uint8Array): void {
    const text = latin1.decode(bytes)
    for (const { 0: match, index } of text.matchAll(PASSWORD_SETTING)) {
      const at = index + match.search(/\S/)
      const name = masked(`${/[\w.-]+/.exec(match)?.[0]}=`)
      this.#add(detailOf('thing.settings', { name }), text.slice(0, at).split('\n').length, 'possible_secret')
    }
  }

  #add(what: Reason, line: number, code: Code): void {
    if (this.#found.length >= MAX_FOUND) return
    if (this.#found.some((one) => one.line === line && one.code === code)) return
    this.#found.push({ what, line, code })
  }
}

const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0))

function startsAt(
  bytes: Uint8Array,
  index: number,
  { bytes: start, isWord, isCaseless }: SecretStart,
): boolean {
  for (let offset = start.length - 1; offset >= 0; offset--) {
    const byte = bytes[index + offset] as number
    const wanted = start[offset] as number
    if (byte !== wanted && !(isCaseless && isLetter(wanted) && (byte | 32) === wanted)) return false
  }
  return !isWord || index === 0 || IS_WORD[bytes[index - 1] as number] === 0
}

/** Line breaks between two places, in either order. */
function lineBreaks(bytes: Uint8Array, from: number, to: number): number {
  return to < from ? -countNewlines(bytes, to, from) : countNewlines(bytes, from, to)
}

const WINDOW_BYTES = 16 * 1024

/** Decodes the text around a place. Places that are close together share the work. */
class DecodedWindow {
  readonly bytes: Uint8Array
  #from = 0
  #text = ''

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  slice(from: number, to: number): string {
    const end = Math.min(to, this.bytes.length)
    if (from < this.#from || end > this.#from + this.#text.length) {
      this.#from = from
      this.#text = latin1.decode(this.bytes.subarray(from, from + WINDOW_BYTES))
    }
    return this.#text.slice(from - this.#from, end - this.#from)
  }
}

/** Only the start, which is the same for every secret of its kind. */
const masked = (start: string): string => `${start}…`

const latin1 = new TextDecoder('latin1')

/** A title is a key if it has translations, and else the name of a kind of secret. */
export function foundAs(code: string, title: string, start: string): Reason {
  if (code === 'private_key') return detailOf('thing.key', { format: title })
  if (code !== 'possible_secret') return detailOf(title as PlainDetail)
  if (title === 'thing.connection' || title === 'thing.token') return detailOf(title, { start })
  return detailOf('thing.secret', { title, start })
}

function detailOfAll(found: readonly Found[]): Reason | undefined {
  const list = detailsOf(
    found.slice(0, MAX_LISTED).map(({ line, what }) => detailOf('detail.line', { line, what })),
  )
  const count = found.length - MAX_LISTED
  return list === undefined || count <= 0 ? list : detailOf('detail.andMore', { list, count })
}
