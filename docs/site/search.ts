// Runs in the page: shows what the search finds while someone types. The index is loaded at the first letter.
import { type Found, searcher } from './search-index.ts'

const input = document.querySelector<HTMLInputElement>('nav input')
const list = document.querySelector<HTMLElement>('#found')
const article = document.querySelector<HTMLElement>('article')
let search: Promise<(query: string) => readonly Found[]> | undefined

async function show(): Promise<void> {
  if (input === null || list === null || article === null) return
  const query = input.value.trim()
  search ??= fetch('/docs/search.json').then(async (response) => searcher(await response.text()))
  const find = query === '' ? () => [] : await search
  if (input.value.trim() !== query) return
  list.hidden = query === ''
  article.hidden = query !== ''
  list.replaceChildren(...results(query, find(query)))
}

function results(query: string, found: readonly Found[]): readonly HTMLElement[] {
  if (found.length === 0)
    return [element('h1', `No results for “${query}”`), element('p', 'Try fewer or other words.')]
  const items = found.map(({ url, page, heading, text }) => {
    const link = element('a', page === heading ? page : `${page}: ${heading}`)
    link.setAttribute('href', url)
    const item = document.createElement('li')
    item.append(link, element('p', text.length > 200 ? `${text.slice(0, 200)}…` : text))
    return item
  })
  const hits = document.createElement('ol')
  hits.append(...items)
  return [element('h1', `Results for “${query}”`), hits]
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

input?.addEventListener('input', () => void show())
input?.form?.addEventListener('submit', (event) => {
  event.preventDefault()
  list?.querySelector<HTMLAnchorElement>('a')?.focus()
})
// A place on the page that is shown is reached by its link as well.
list?.addEventListener('click', (event) => {
  if (!(event.target instanceof HTMLAnchorElement) || input === null) return
  input.value = ''
  void show()
})
const asked = new URLSearchParams(location.search).get('q')
if (input !== null && asked !== null) {
  input.value = asked
  void show()
}
