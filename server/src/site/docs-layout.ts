import type { GuidePage } from './guide-pages.ts'
import { html, type Html, joined, raw } from './html.ts'
import type { SearchHit, SearchResult } from './search-docs.ts'

export interface Layout {
  readonly title: string
  readonly pages: readonly GuidePage[]
  /** The URL of the page being shown. */
  readonly url: string
  readonly main: Html
  /** Links within the page, shown below its entry in the navigation. */
  readonly within?: Html
  readonly query?: string
}

/** The frame of every documentation page: navigation, search and content, without scripts. */
export function docsLayout(layout: Layout): string {
  const { title, main, query = '' } = layout
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · kitseal</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#top">Skip to content</a>
        <nav aria-label="Contents">
          <a class="brand" href="/">kitseal</a>
          <form action="/docs/search" role="search">
            <input
              type="search"
              name="q"
              value="${query}"
              placeholder="Search"
              aria-label="Search the documentation"
              maxlength="200"
            />
          </form>
          <div class="beside">${contents(layout)}</div>
          <details>
            <summary>Contents</summary>
            ${contents(layout)}
          </details>
        </nav>
        <main id="top" tabindex="-1">${main}</main>
      </body>
    </html>`.text
}

/** Rendered twice: beside the text on wide screens, collapsed above it on narrow ones. The stylesheet shows one of them. */
function contents({ pages, url, within = html`` }: Layout): Html {
  const kinds = [...new Set(pages.map(({ kind }) => kind))]
  return joined(kinds, (kind) => {
    const links = joined(
      pages.filter((page) => page.kind === kind),
      (page) =>
        page.url === url
          ? html`<a href="${page.url}" aria-current="page">${page.title}</a>
              <div class="within">${within}</div>`
          : html`<a href="${page.url}">${page.title}</a>`,
    )
    return kind === ''
      ? links
      : html`<h2>${kind}</h2>
          ${links}`
  })
}

/** Links to the second-level headings of a page. */
export const headingLinks = ({ html: text }: GuidePage): Html =>
  raw(
    Array.from(
      text.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g),
      ([, anchor = '', heading = '']) => `<a href="#${anchor}">${heading.replaceAll(/<\/?a[^>]*>/g, '')}</a>`,
    ).join(''),
  )

export function searchResults(query: string, { hits, corrections }: SearchResult): Html {
  if (query === '')
    return html`<h1>Search</h1>
      <p>Enter a word, a question, an error code, a command or a setting.</p>`
  if (hits.length === 0)
    return html`<h1>No results for “${query}”</h1>
      <p>Try fewer or other words, or choose a page from the contents.</p>`
  return html`<h1>Results for “${query}”</h1>
    ${joined(
      corrections,
      ([typed, used]) => html`<p>No page contains “${typed}”. These are results for “${used}”.</p>`,
    )}
    <ol class="hits">
      ${joined(hits, hitItem)}
    </ol>`
}

const hitItem = ({ entry, excerpt, more }: SearchHit): Html =>
  html`<li>
    <a href="${entry.url}"
      >${entry.page === entry.heading ? entry.page : `${entry.page}: ${entry.heading}`}</a
    >
    <p>${joined(excerpt, ({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`))}</p>
    ${
      more.length === 0
        ? raw('')
        : html`<p>
            Also on this page:
            ${joined([...more.entries()], ([index, { url, heading }]) => html`${index === 0 ? '' : ', '}<a href="${url}">${heading}</a>`)}
          </p>`
    }
  </li>`
