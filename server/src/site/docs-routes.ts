import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ANY_ORIGIN, DOCS_HEADERS, PAGE_HEADERS } from '../http/headers.ts'
import { Refusal } from '../refusals.ts'
import { apiContents, apiMarkdown, apiReference } from './api-reference.ts'
import { openapiText } from './description-routes.ts'
import { API_PAGE, docsEntries } from './docs-entries.ts'
import { docsLayout, headingLinks, searchResults } from './docs-layout.ts'
import { type GuidePage, markdownUrl, readGuidePages } from './guide-pages.ts'
import { html, raw } from './html.ts'
import type { Described } from './openapi-document.ts'
import { type DocsIndex, indexDocs, searchDocs } from './search-docs.ts'

const NOT_FOUND = html`<h1>Page not found</h1>
  <p>Use the navigation or the search.</p>`

/** Serves docs/ and the API reference at /docs, without scripts, and as Markdown with `.md`. */
export function registerDocsRoutes(app: FastifyInstance): void {
  const style = readFileSync(new URL('docs.css', import.meta.url), 'utf8')
  let loaded: Docs | undefined
  const docs = (): Docs => (loaded ??= renderDocs(JSON.parse(openapiText(app)) as Described))
  const options = { schema: { hide: true }, config: { ignoresQuery: true } } as const

  app.get('/docs', options, (_request, reply) => sendHtml(reply, docs().texts.get('/docs') ?? ''))
  app.get('/docs/:kind/:page', options, (request, reply) => {
    const { kind, page } = request.params as { readonly kind: string; readonly page: string }
    const url = `/docs/${kind}/${page}`
    const markdown = docs().markdown.get(url)
    if (markdown !== undefined) return sendMarkdown(reply, markdown)
    const text = docs().texts.get(url)
    if (text !== undefined) return sendHtml(reply, text)
    // Browsers get a page, programs the JSON error.
    if (request.headers.accept?.includes('text/html') !== true)
      throw new Refusal('route_not_found', 'There is no such page in the documentation.')
    return sendHtml(reply.code(404), docsLayout({ ...docs(), title: 'Not found', url: '', main: NOT_FOUND }))
  })
  for (const url of ['/docs.md', '/llms.txt'])
    app.get(url, options, (_request, reply) => sendMarkdown(reply, docs().markdown.get(url) ?? ''))
  app.get('/docs/search', options, (request, reply) => {
    const { q } = request.query as { readonly q?: unknown }
    const query = typeof q === 'string' ? q.slice(0, 200).trim() : ''
    const { pages, index } = docs()
    const main = searchResults(query, searchDocs(index, query))
    return sendHtml(reply, docsLayout({ title: 'Search', pages, url: '/docs/search', main, query }))
  })
  app.get('/docs/docs.css', options, (_request, reply) =>
    reply.headers(PAGE_HEADERS).type('text/css; charset=utf-8').send(style),
  )
}

const sendHtml = (reply: FastifyReply, text: string): FastifyReply =>
  reply.headers(DOCS_HEADERS).type('text/html; charset=utf-8').send(text)

/** Any website may read it, as it may read the API description. */
const sendMarkdown = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({ ...PAGE_HEADERS, ...ANY_ORIGIN })
    .type('text/markdown; charset=utf-8')
    .send(text)

interface Docs {
  readonly pages: readonly GuidePage[]
  readonly texts: ReadonlyMap<string, string>
  /** By address with `.md`, and /llms.txt. */
  readonly markdown: ReadonlyMap<string, string>
  readonly index: DocsIndex
}

function renderDocs(api: Described): Docs {
  const pages = readGuidePages()
  const texts = pages.map((page) => {
    const { url, title } = page
    const isApi = url === API_PAGE
    const main = isApi
      ? html`${raw(page.html)}${apiReference(api)}`
      : html`<article>${raw(page.html)}</article>`
    const within = isApi ? apiContents(api) : url === '/docs' ? html`` : headingLinks(page)
    return [url, docsLayout({ title, pages, url, main, within })] as const
  })
  const markdown = pages.map(
    (page) =>
      [
        markdownUrl(page.url) ?? '',
        page.url === API_PAGE ? `${page.markdown}\n${apiMarkdown(api)}` : page.markdown,
      ] as const,
  )
  return {
    pages,
    texts: new Map(texts),
    markdown: new Map(markdown).set('/llms.txt', llmsText(pages)),
    index: indexDocs(docsEntries(pages, api)),
  }
}

/** The list of pages for programs that read text (llmstxt.org). */
function llmsText(pages: readonly GuidePage[]): string {
  const kinds = [...new Set(pages.map(({ kind }) => kind))].filter((kind) => kind !== '')
  const listOf = (kind: string): string => {
    const lines = pages
      .filter((page) => page.kind === kind)
      .map(({ title, url, about }) => `- [${title}](${markdownUrl(url)})${about === '' ? '' : `: ${about}`}`)
    return `\n## ${kind}\n\n${lines.join('\n')}`
  }
  return [
    '# kitseal',
    '',
    '> kitseal seals evidence files into a signed kit that anyone can verify, offline, with the service or without it.',
    '',
    'Every page is Markdown at its address with `.md`. The API is described at [/openapi.json](/openapi.json). `kitseal mcp` connects an assistant.',
    ...kinds.map(listOf),
    '',
  ].join('\n')
}
