import { type PairTable, pairTable } from '../search/word-scan.ts'
import { HTML_RULES, TABLE_RULES, XML_RULES } from './markup-rules.ts'
import { CONTENT_RULES, isLetter, SECRET_RULES, type SecretRule } from './secret-rules.ts'

/**
 * A literal that a secret can start with. Text is looked at two bytes at a time, so an occurrence shows one of two
 * neighbouring pairs of it, depending on where it is. They are chosen to be rare in ordinary text.
 */
export interface SecretStart {
  readonly bytes: Uint8Array
  /** The index of the pair. */
  readonly pairAt: number
  readonly rules: readonly SecretRule[]
  /** Whether no rule matches after a letter, a digit or an underscore. */
  readonly isWord: boolean
  /** Whether letters match in both cases. `bytes` are in lower case. */
  readonly isCaseless: boolean
}

/** The starts of all rules for a kind of text. */
export interface Starts {
  /** The number of line breaks in a pair, and `IN_START` if it is in a start. */
  readonly table: PairTable
  /** The starts that contain a pair. */
  withPair(pair: number): readonly SecretStart[]
}

/** At least as long as any start. */
export const LONGEST_START = 32
/** For pairs in a start; the number of line breaks is below it. */
export const IN_START = 32
const NEWLINE = 10

/** An image is read like other XML, without asking for its namespace. */
export type Markup = 'html' | 'xml' | 'svg' | 'table'

const RULES_OF: Readonly<Record<Markup, readonly SecretRule[]>> = {
  html: HTML_RULES,
  xml: XML_RULES,
  svg: XML_RULES,
  table: TABLE_RULES,
}

const made = new Map<Markup | undefined, Starts>()

/** Made when they are first needed. */
export function startsFor(markup: Markup | undefined): Starts {
  let starts = made.get(markup)
  if (starts === undefined) {
    const more = markup === undefined ? [] : RULES_OF[markup]
    starts = startsOf([...SECRET_RULES, ...CONTENT_RULES, ...more])
    made.set(markup, starts)
  }
  return starts
}

function startsOf(rules: readonly SecretRule[]): Starts {
  const byPair = new Map<number, SecretStart[]>()
  for (const text of new Set(rules.flatMap(({ starts }) => starts))) {
    const own = rules.filter(({ starts }) => starts.includes(text))
    const start = {
      bytes: new TextEncoder().encode(text),
      rules: own,
      isWord: own.every(({ pattern }) => /^\(\?<!\[?\\w/.test(pattern.source)),
      isCaseless: own.some(({ isCaseless }) => isCaseless === true),
    }
    const rarest = rarestPairs(text)
    for (const pairAt of [rarest, rarest + 1])
      for (const first of bytesAt(start, pairAt))
        for (const second of bytesAt(start, pairAt + 1)) {
          const pair = first | (second << 8)
          byPair.set(pair, [...(byPair.get(pair) ?? []), { ...start, pairAt }])
        }
  }
  const lists: readonly (readonly SecretStart[])[] = [[], ...byPair.values()]
  const listOfPair = new Uint16Array(65_536)
  for (const [index, pair] of [...byPair.keys()].entries()) listOfPair[pair] = index + 1
  return {
    table: pairTable(
      (first, second) =>
        Number(first === NEWLINE) +
        Number(second === NEWLINE) +
        (byPair.has(first | (second << 8)) ? IN_START : 0),
    ),
    withPair: (pair) => lists[listOfPair[pair] as number] as readonly SecretStart[],
  }
}

const ALL = Array.from({ length: 256 }, (_, byte) => byte)

/** The bytes that a start can have at an index: any outside of it. */
function bytesAt(
  { bytes, isCaseless }: Pick<SecretStart, 'bytes' | 'isCaseless'>,
  at: number,
): readonly number[] {
  const byte = bytes[at]
  if (byte === undefined) return ALL
  return isCaseless && isLetter(byte) ? [byte, byte & ~32] : [byte]
}

/** The index of two neighbouring pairs that are rare together. A start of one or two bytes has only one of its own. */
function rarestPairs(text: string): number {
  if (text.length < 3) return text.length - 2
  const pairCost = (at: number): number => frequency(text[at] ?? '') * frequency(text[at + 1] ?? '')
  const costs = Array.from({ length: text.length - 2 }, (_, at) => pairCost(at) + pairCost(at + 1))
  return costs.indexOf(Math.min(...costs))
}

/** Roughly, in English, logs and JSON. Lines of dashes are common, and so are addresses. */
function frequency(letter: string): number {
  if (/[-/]/.test(letter)) return 12
  const rank = ' etaoinsrhldcumfpgwybvkxjqz'.indexOf(letter)
  if (rank !== -1) return 27 - rank
  if (/[A-Z]/.test(letter)) return 3
  return /\d/.test(letter) ? 10 : 4
}
