// `node docs/site/build.ts` writes the documentation as static files into docs/dist: pages, their Markdown, and what searches them.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { layout } from './layout.ts'
import { markdownUrl, type Page, readSources, render } from './pages.ts'
import { apiSources } from './reference.ts'
import { type Place, writeIndex } from './search-index.ts'

const here = import.meta.dirname
const folder = path.join(here, '../dist')

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const pages = render([...readSources(), ...apiSources()])
const notFound = '<h1>Page not found</h1><p>Use the contents or the search.</p>'
const searching = '<h1>Search</h1><p>Enter a word, a question, an error code, a command or a setting.</p>'

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
cpSync(path.join(here, '../pictures'), path.join(folder, 'pictures'), { recursive: true })
const tokens = readFileSync(path.join(here, '../../web/src/parts/tokens.css'), 'utf8')
write('docs.css', `${tokens}\n${readFileSync(path.join(here, 'docs.css'), 'utf8')}`)
for (const page of pages) {
  const name = page.url === '/docs' ? 'index' : page.url.slice('/docs/'.length)
  write(`${name}.html`, layout(pages, page))
  write(`${name}.md`, page.markdown)
}
write('404.html', layout(pages, { url: '', title: 'Not found', html: notFound }))
write('search.html', layout(pages, { url: '', title: 'Search', html: searching }))
write('llms.txt', llmsText(pages))
write('search.json', writeIndex(placesOf(pages)))
const { outputFiles } = await build({
  entryPoints: [path.join(here, 'search.ts')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
})
write('search.js', outputFiles[0]?.text ?? '')

function write(name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (/\.(?:html|js|json|css)$/.test(name)) {
    writeFileSync(`${file}.gz`, gzipSync(text))
    writeFileSync(`${file}.br`, brotliCompressSync(text, QUICK))
  }
}

/** Every place that search can find. The front page only leads to the others. */
function placesOf(all: readonly Page[]): readonly Place[] {
  const places = all
    .filter(({ url }) => url !== '/docs')
    .flatMap(({ url, title, about, words, sections }) =>
      sections.map(({ heading, anchor, text }, index) => ({
        url: index === 0 ? url : `${url}#${anchor}`,
        page: title,
        heading: index === 0 ? title : heading,
        about: index === 0 ? `${about} ${words}` : '',
        text,
      })),
    )
  return places.map((place, id) => Object.assign(place, { id }))
}

/** The list of pages for programs that read text (llmstxt.org). */
function llmsText(all: readonly Page[]): string {
  const kinds = [...new Set(all.map(({ kind }) => kind))].filter((kind) => kind !== '')
  const lists = kinds.map((kind) => {
    const lines = all
      .filter((page) => page.kind === kind)
      .map(({ title, url, about }) => `- [${title}](${markdownUrl(url)})${about === '' ? '' : `: ${about}`}`)
    return `\n## ${kind}\n\n${lines.join('\n')}`
  })
  return [
    '# kitseal',
    '',
    '> kitseal seals evidence files into a signed kit that anyone can verify, offline, with the service or without it.',
    '',
    'Every page is Markdown at its address with `.md`. The API is described at [/openapi.json](/openapi.json). `kitseal mcp` connects an assistant.',
    ...lists,
    '',
  ].join('\n')
}
