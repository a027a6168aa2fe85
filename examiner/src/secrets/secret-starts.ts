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

type Start = Omit<SecretStart, 'pairAt'>

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
const DIGIT_0 = 0x30

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
    const rarest = rarestPairs(start)
    for (const pairAt of [rarest, rarest + 1])
      for (const pair of pairsAt(start, pairAt))
        byPair.set(pair, [...(byPair.get(pair) ?? []), { ...start, pairAt }])
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
const NO_WORD = ALL.filter((byte) => !/\w/.test(String.fromCharCode(byte)))

/** The bytes that a start can have at an index: any outside of it, but no letter before a word. */
function bytesAt({ bytes, isCaseless, isWord }: Start, at: number): readonly number[] {
  const byte = bytes[at]
  if (byte === undefined) return isWord && at < 0 ? NO_WORD : ALL
  return isCaseless && isLetter(byte) ? [byte, byte & ~32] : [byte]
}

const pairsAt = (start: Start, at: number): readonly number[] =>
  bytesAt(start, at).flatMap((first) => bytesAt(start, at + 1).map((second) => first | (second << 8)))

/** The index of two neighbouring pairs that are rare together. */
function rarestPairs(start: Start): number {
  const costs = Array.from({ length: start.bytes.length }, (_, index) =>
    [...pairsAt(start, index - 1), ...pairsAt(start, index)].reduce(
      (sum, pair) => sum + (COSTS[pair] as number),
      0,
    ),
  )
  return costs.indexOf(Math.min(...costs)) - 1
}

/** The most common pairs in logs, tables, JSON, English and source code, the most common first. 0 is any digit. */
const COMMON =
  '  00 ": ":0..0er0--00::0 0ro",reed0 esleseste ortet , onenssr 0, sinve fcecoanomy de pit a0"s us' +
  'th0TT00Z {sh tlie"megeheicnar0ntmaptatprkeamd pomptiageyuertepexn ol b mise.as }nod"el--aral ipl' +
  'iene nov ce0osricceafondpaby uho},.cngtr hs"ppm d,"tec o"lxa"Ackblpeha"0frApubsi,0@e rtsch dm,to' +
  'idun A,"0@acZ,,rok,upufia  equimod [adbelans"rulsolsiollt0t"evh0k"e,ur[00]Achd]:d[ifrsZ tyncotoo' +
  'kictta],vio "i l'

/** How common each pair is, roughly. */
const COSTS = new Float64Array(65_536).fill(1e-5)
for (let at = 0; at < COMMON.length; at += 2) {
  const [firsts, seconds] = [digitsAt(at), digitsAt(at + 1)]
  const cost = 1 / (at / 2 + 4) / (firsts.length * seconds.length)
  for (const first of firsts) for (const second of seconds) COSTS[first | (second << 8)] = cost
}

function digitsAt(at: number): readonly number[] {
  const code = COMMON.charCodeAt(at)
  return code === DIGIT_0 ? Array.from({ length: 10 }, (_, digit) => DIGIT_0 + digit) : [code]
}
