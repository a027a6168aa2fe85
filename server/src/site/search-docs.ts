/** A place in the documentation that search can find. */
export interface SearchEntry {
  readonly url: string
  /** The page it is on. */
  readonly page: string
  readonly heading: string
  readonly text: string
}

export interface SearchHit {
  readonly entry: SearchEntry
  readonly excerpt: string
}

const MOST_HITS = 30
const EXCERPT_CHARACTERS = 180

/** Entries that contain every word of the query; matches in headings come first. */
export function searchDocs(entries: readonly SearchEntry[], query: string): readonly SearchHit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, words) }))
}

function scoreOf({ page, heading, text }: SearchEntry, words: readonly string[]): number {
  const title = `${page} ${heading}`.toLowerCase()
  const body = text.toLowerCase()
  if (!words.every((word) => title.includes(word) || body.includes(word))) return 0
  return 1 + words.filter((word) => title.includes(word)).length
}

function excerptOf(text: string, words: readonly string[]): string {
  const body = text.toLowerCase()
  const found = words.map((word) => body.indexOf(word)).filter((index) => index >= 0)
  const first = Math.min(...(found.length > 0 ? found : [0]))
  // Start at a word.
  const start = text.lastIndexOf(' ', Math.max(0, first - EXCERPT_CHARACTERS / 3)) + 1
  const excerpt = text.slice(start, start + EXCERPT_CHARACTERS)
  return `${start > 0 ? '…' : ''}${excerpt}${start + EXCERPT_CHARACTERS < text.length ? '…' : ''}`
}
