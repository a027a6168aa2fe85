import MiniSearch, { type Options } from 'minisearch'

/** A place that search can find: a page, a section, or a row such as an error code. */
export interface Place {
  readonly id: number
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly about: string
  readonly text: string
}

const FILLERS = new Set(
  'a an and are as at be by can do does for from has have how i if in is it me my of on or that the this to was we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** The same for the index and for what is typed. */
const OPTIONS: Options<Place> = {
  fields: ['page', 'heading', 'about', 'text'],
  storeFields: ['url', 'page', 'heading', 'text'],
  tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u),
  processTerm: (term) => {
    const word = term.toLowerCase()
    return FILLERS.has(word) || word === '' ? null : word.replace(/(?<=\w{4})(?:s|es|ed|ing)$/, '')
  },
  searchOptions: {
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.3 : false),
    boost: { page: 3, heading: 3, about: 5 },
    boostDocument: (_id, _term, stored) => weightOf(String(stored?.['url'])),
    combineWith: 'OR',
  },
}

/** Guides answer questions; the reference of the API is for those who look for it. */
const weightOf = (url: string): number =>
  url.startsWith('/docs/api/') ? 0.3 : url.includes('#row.') ? 0.6 : url.includes('#') ? 1 : 1.5

export function writeIndex(places: readonly Place[]): string {
  const index = new MiniSearch(OPTIONS)
  index.addAll(places)
  return JSON.stringify(index)
}

export interface Found {
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

const MOST = 12

/** The best place of each page. */
export function searcher(index: string): (query: string) => readonly Found[] {
  const places = MiniSearch.loadJSON(index, OPTIONS)
  return (query) => {
    const pages = new Map<string, Found>()
    for (const { url, page, heading, text } of places.search(query.slice(0, 200)))
      if (!pages.has(page))
        pages.set(page, {
          url: String(url),
          page: String(page),
          heading: String(heading),
          text: String(text),
        })
    return [...pages.values()].slice(0, MOST)
  }
}
