import { MEANT } from './docs-synonyms.ts'
import { distance, searchable, stemOf, type Word, wordsOf } from './docs-words.ts'

/** A place in the documentation that search can find. */
export interface SearchEntry {
  readonly url: string
  /** The page it is on. */
  readonly page: string
  readonly heading: string
  readonly text: string
  /** What the list of pages says about it. */
  readonly about: string
}

export interface SearchHit {
  readonly entry: SearchEntry
  readonly excerpt: readonly ExcerptPart[]
  /** Other places on the same page. */
  readonly more: readonly SearchEntry[]
}

export interface ExcerptPart {
  readonly text: string
  readonly isMatch: boolean
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** Words of the query that are on no page, and the words that were searched for instead. */
  readonly corrections: readonly (readonly [typed: string, used: string])[]
}

export interface DocsIndex {
  readonly places: readonly Place[]
  /** Every word, in lower case, and its stem. */
  readonly words: ReadonlyMap<string, string>
  readonly stems: ReadonlySet<string>
}

interface Place {
  readonly entry: SearchEntry
  /** In the form of `searchable`. */
  readonly fields: readonly [page: string, heading: string, text: string]
  /** A match counts less in a long text. */
  readonly weights: readonly [page: number, heading: number, text: number]
}

export function indexDocs(entries: readonly SearchEntry[]): DocsIndex {
  const words = new Map<string, string>()
  for (const { page, heading, text, about } of entries)
    for (const { written } of wordsOf(`${page} ${heading} ${text} ${about}`))
      for (const part of [written, ...written.split('_')]) words.set(part.toLowerCase(), stemOf(part))
  const places = entries.map((entry): Place => {
    const { page, heading, text, about } = entry
    const weights = [5, 4, 2 / (1 + Math.min(3, Math.max(SHORT, text.length / USUAL_CHARACTERS)))] as const
    return { entry, fields: [searchable(page), searchable(`${heading} ${about}`), searchable(text)], weights }
  })
  return { places, words, stems: new Set(words.values()) }
}

const USUAL_CHARACTERS = 800
/** Shorter texts, such as rows of a table, are not better for it. */
const SHORT = 0.5
const MOST_PAGES = 20
const MOST_MORE = 3
/** What a query can cost is bounded by its words and by their length. */
const MOST_WORDS = 12
const LONGEST_CORRECTED = 24
const MOST_COMPLETIONS = 8
const STOP_WORDS = new Set(
  'a about all am an and any are as at be by can cannot cant could did do does doesnt dont for from get has have how i if in into is it its kitseal me my not of on or our should so some than that the their them then there they this to use using want was we what when where which who why will with without wont would you your'.split(
    ' ',
  ),
)

/** Pages by how well their best place matches: in a title, then a heading, then the text; places with all words and with the phrase first. */
export function searchDocs(index: DocsIndex, query: string): SearchResult {
  const { places } = index
  const typed = distinct(wordsOf(query)).slice(0, MOST_WORDS)
  const corrections: (readonly [string, string])[] = []
  const terms = termsOf(typed, (word) => {
    if (index.stems.has(word.stem) || MEANT.has(word.stem)) return [word.stem]
    const completions = completionsOf(index, word)
    if (completions.length > 0) return [word.stem, ...completions]
    const correction = correctionOf(index, word)
    if (correction === undefined) return [word.stem]
    corrections.push([word.written, correction])
    return [stemOf(correction)]
  })
  const rated = terms.map((term) => rate(places, term))
  const total = rated.reduce((sum, { rarity }) => sum + rarity, 0)
  const phrase = typed.length > 1 ? phraseOf(typed) : undefined
  const name = phraseOf(meaningfulOf(typed))
  const found = places
    .map((place, at) => {
      const score = rated.reduce((sum, { rarity, strengths }) => sum + rarity * (strengths[at] ?? 0), 0)
      const matched = rated.reduce(
        (sum, { rarity, strengths }) => sum + ((strengths[at] ?? 0) > 0 ? rarity : 0),
        0,
      )
      return { place, score: score * (matched / total) ** 2 * phraseFactor(place, name, phrase) }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  const pages = [...Map.groupBy(found, ({ place }) => place.entry.page).values()].slice(0, MOST_PAGES)
  const hits = pages.flatMap(([best, ...others]) =>
    best === undefined
      ? []
      : {
          entry: best.place.entry,
          excerpt: excerptOf(best.place.entry.text, terms),
          more: [...new Map(others.map((other) => [other.place.entry.heading, other])).values()]
            .filter(
              ({ score, place }) =>
                score > best.score / 2 && place.entry.heading !== best.place.entry.heading,
            )
            .slice(0, MOST_MORE)
            .map(({ place }) => place.entry),
        },
  )
  return { hits, corrections }
}

const distinct = (words: readonly Word[]): readonly Word[] => [
  ...new Map(words.map((word) => [word.stem, word])).values(),
]

const meaningfulOf = (words: readonly Word[]): readonly Word[] =>
  words.filter(({ written }) => !STOP_WORDS.has(written.toLowerCase()))

/** In the form of `searchable`. */
const phraseOf = (words: readonly Word[]): string => ` ${words.map(({ stem }) => stem).join(' ')} `

/** One thing that is searched for: stems and phrases of stems, and how much a match of each counts. */
type Term = ReadonlyMap<string, number>

const COMPLETION = 0.8
const SYNONYM = 0.7

function termsOf(typed: readonly Word[], known: (word: Word) => readonly string[]): readonly Term[] {
  const meaningful = meaningfulOf(typed)
  const terms: Term[] = []
  for (let at = 0, length = 0; at < typed.length; at += length) {
    length = 1
    const phrases = [3, 2].map((count) => typed.slice(at, at + count).map(({ stem }) => stem))
    const phrase = phrases.find((stems) => stems.length > 1 && MEANT.has(stems.join(' ')))
    const word = typed[at]
    if (phrase !== undefined) {
      length = phrase.length
      terms.push(withSynonyms([phrase.join(' ')]))
    } else if (word !== undefined && (meaningful.length === 0 || meaningful.includes(word)))
      terms.push(withSynonyms(known(word)))
  }
  return terms
}

function withSynonyms([first = '', ...completions]: readonly string[]): Term {
  const synonyms = MEANT.get(first) ?? []
  return new Map([
    ...synonyms.map((stems) => [stems, SYNONYM] as const),
    ...completions.map((stem) => [stem, COMPLETION] as const),
    [first, 1],
  ])
}

/** The stems of words that begin with this one. */
function completionsOf({ words }: DocsIndex, { written }: Word): readonly string[] {
  if (written.length < 4) return []
  const beginning = written.toLowerCase()
  return [...words]
    .flatMap(([word, stem]) => (word.startsWith(beginning) ? stem : []))
    .slice(0, MOST_COMPLETIONS)
}

/** The word that this one may be a typing error for: of at most 6 letters, one may be wrong, otherwise two, and never the first. */
function correctionOf({ words }: DocsIndex, { written }: Word): string | undefined {
  if (written.length < 4 || written.length > LONGEST_CORRECTED) return undefined
  const typed = written.toLowerCase()
  let best: string | undefined
  let most = written.length < 7 ? 1 : 2
  for (const word of [...words.keys(), ...MEANT.keys()]) {
    if (word.length < 4 || word[0] !== typed[0]) continue
    const letters = distance(typed, word, most)
    if (letters > most) continue
    best = word
    most = letters - 1
  }
  return best
}

interface Rated {
  /** The fewer places have it, the more it says. */
  readonly rarity: number
  /** By place. */
  readonly strengths: readonly number[]
}

function rate(places: readonly Place[], term: Term): Rated {
  const strengths = places.map(({ fields, weights }) => {
    let best = 0
    for (const [stems, worth] of term) {
      const inFields = fields.map((field, index) => (weights[index] ?? 0) * often(field, ` ${stems} `))
      best = Math.max(best, worth * inFields.reduce((sum, value) => sum + value, 0))
    }
    return best
  })
  const matching = strengths.filter((strength) => strength > 0).length
  return { strengths, rarity: Math.log(1 + places.length / (1 + matching)) }
}

/** 0 if the field does not have it, 1 if once, and up to 2 if several times. */
function often(field: string, stems: string): number {
  let count = 0
  for (let at = field.indexOf(stems); at >= 0 && count < 5; at = field.indexOf(stems, at + stems.length - 1))
    count++
  return count === 0 ? 0 : 1 + (count - 1) / 4
}

/** A title or heading that is all that was typed, such as a term of the glossary, counts as a phrase. */
function phraseFactor({ fields: [page, heading, text] }: Place, name: string, phrase = '\0'): number {
  if ([page, heading].some((field) => field === name || field.includes(phrase))) return 2
  return text.includes(phrase) ? 1.4 : 1
}

const EXCERPT_CHARACTERS = 200

/** The stretch of the text with the most of the terms, with what matches marked. */
function excerptOf(text: string, terms: readonly Term[]): readonly ExcerptPart[] {
  const stems = new Map(
    terms.flatMap((term, index) =>
      [...term.keys()].flatMap((key) =>
        key
          .split(' ')
          .filter((stem) => !STOP_WORDS.has(stem))
          .map((stem) => [stem, index] as const),
      ),
    ),
  )
  const matches = wordsOf(text).flatMap(({ at, written, stem }) => {
    const term = stems.get(stem)
    return term === undefined ? [] : { at, end: at + written.length, term }
  })
  let first = { at: 0, kinds: 0 }
  for (const [index, { at }] of matches.entries()) {
    const kinds = new Set<number>()
    for (let next = index; (matches[next]?.end ?? Infinity) <= at + EXCERPT_CHARACTERS * 0.7; next++)
      kinds.add(matches[next]?.term ?? 0)
    if (kinds.size > first.kinds) first = { at, kinds: kinds.size }
  }
  // Begin at a word.
  const start = text.lastIndexOf(' ', Math.max(0, first.at - EXCERPT_CHARACTERS / 4)) + 1
  const end = Math.min(text.length, start + EXCERPT_CHARACTERS)
  const parts: ExcerptPart[] = [{ text: start > 0 ? '…' : '', isMatch: false }]
  let shown = start
  for (const match of matches.filter(({ at, end: to }) => at >= start && to <= end)) {
    parts.push({ text: text.slice(shown, match.at), isMatch: false })
    parts.push({ text: text.slice(match.at, match.end), isMatch: true })
    shown = match.end
  }
  parts.push({ text: `${text.slice(shown, end)}${end < text.length ? '…' : ''}`, isMatch: false })
  return parts.filter((part) => part.text !== '')
}
