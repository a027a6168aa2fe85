import { type PairTable, pairTable } from '../detect/word-scan.ts'
import { MACRO_RULES, SECRET_RULES, type SecretRule } from './secret-rules.ts'

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
}

/** At least as long as any start. */
export const LONGEST_START = 32

const RULES = [...SECRET_RULES, ...MACRO_RULES]
const BY_PAIR = new Map<number, SecretStart[]>()
for (const text of new Set(RULES.flatMap(({ starts }) => starts))) {
  const bytes = new TextEncoder().encode(text)
  const rules = RULES.filter(({ starts }) => starts.includes(text))
  const isWord = rules.every(({ pattern }) => /^\(\?<!\[?\\w/.test(pattern.source))
  const rarest = rarestPairs(text)
  for (const pairAt of [rarest, rarest + 1]) {
    const pair = (bytes[pairAt] as number) | ((bytes[pairAt + 1] as number) << 8)
    BY_PAIR.set(pair, [...(BY_PAIR.get(pair) ?? []), { bytes, pairAt, rules, isWord }])
  }
}

const LISTS: readonly (readonly SecretStart[])[] = [[], ...BY_PAIR.values()]
const LIST_OF_PAIR = new Uint8Array(65_536)
for (const [index, pair] of [...BY_PAIR.keys()].entries()) LIST_OF_PAIR[pair] = index + 1

/** The starts that contain a pair. */
export function startsWith(pair: number): readonly SecretStart[] {
  return LISTS[LIST_OF_PAIR[pair] as number] as readonly SecretStart[]
}

/** For pairs in a start; the number of line breaks is below it. */
export const IN_START = 32
const NEWLINE = 10

/** The number of line breaks in a pair, and `IN_START` if it is in a start. */
export const STARTS_AND_LINES: PairTable = pairTable(
  (first, second) =>
    Number(first === NEWLINE) +
    Number(second === NEWLINE) +
    (BY_PAIR.has(first | (second << 8)) ? IN_START : 0),
)

/** The index of two neighbouring pairs that are rare together. */
function rarestPairs(text: string): number {
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
