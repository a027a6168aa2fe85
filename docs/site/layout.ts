import { escaped, type Page } from './pages.ts'

/** The frame of every page: navigation, search and content. */
export function layout(pages: readonly Page[], page: Pick<Page, 'url' | 'title' | 'html'>): string {
  const navigation = contents(pages, page)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · kitseal</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
</head>
<body>
<a class="skip" href="#top">Skip to content</a>
<nav aria-label="Contents">
<a class="brand" href="/">kitseal</a>
<form action="/docs/search" role="search">
<input type="search" name="q" placeholder="Search" aria-label="Search the documentation" maxlength="200" autocomplete="off">
</form>
<div class="beside">${navigation}</div>
<details><summary>Contents</summary>${navigation}</details>
</nav>
<main id="top" tabindex="-1">
<section id="found" aria-live="polite" hidden></section>
<article>${page.html}</article>
</main>
</body>
</html>
`
}

/** Stands twice: beside the text on wide screens, collapsed above it on narrow ones. The stylesheet shows one of them. */
function contents(pages: readonly Page[], { url, html }: Pick<Page, 'url' | 'html'>): string {
  const kinds = [...new Set(pages.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const links = pages
        .filter((page) => page.kind === kind)
        .map(({ url: to, title }) => {
          if (to !== url) return `<a href="${to}">${escaped(title)}</a>`
          const within = url === '/docs' ? '' : `<div class="within">${headings(html)}</div>`
          return `<a href="${to}" aria-current="page">${escaped(title)}</a>${within}`
        })
      return (kind === '' ? '' : `<h2>${escaped(kind)}</h2>`) + links.join('')
    })
    .join('')
}

const headings = (html: string): string =>
  Array.from(
    html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g),
    ([, anchor = '', heading = '']) => `<a href="#${anchor}">${heading.replaceAll(/<\/?a[^>]*>/g, '')}</a>`,
  ).join('')
