import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked, type Tokens } from 'marked'

/** A page of the documentation, before it is rendered. */
export interface Source {
  readonly url: string
  readonly title: string
  /** The heading of docs/README.md under which it is listed. */
  readonly kind: string
  /** What docs/README.md says about it. */
  readonly about: string
  /** Other words that people search it by, in a comment there. */
  readonly words: string
  readonly markdown: string
  /** Its path in the repository; links are relative to it. */
  readonly file: string
}

export interface Page extends Source {
  readonly html: string
  readonly sections: readonly Section[]
}

/** The text between two headings, or a row or item that begins with a name, such as an error code. */
export interface Section {
  readonly heading: string
  readonly anchor: string
  readonly text: string
}

const root = path.join(import.meta.dirname, '../..')
const INDEX = 'docs/README.md'

const LISTED = /^- \[([^\]]+)\]\(([^)]+\.md)\)(?:: ([^<]+?))?(?: <!-- (.*) -->)?$/

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** `## Kind` headings with `- [Title](file.md): about` items below them give the navigation and its order. */
export function readSources(): readonly Source[] {
  const index = read(INDEX)
  const pages: Source[] = [
    { url: '/docs', title: 'Documentation', kind: '', about: '', words: '', file: INDEX, markdown: index },
  ]
  let kind = ''
  for (const line of index.split('\n')) {
    kind = /^## (.+)$/.exec(line)?.[1] ?? kind
    const [, title, href, about = '', words = ''] = LISTED.exec(line) ?? []
    if (title === undefined || href === undefined) continue
    const file = path.posix.join('docs', href)
    const folder = /^docs\/([^/]+)\//.exec(file)?.[1] ?? slug(kind)
    const url = `/docs/${folder}/${slug(path.posix.basename(file, '.md'))}`
    pages.push({ url, title, kind, about, words, file, markdown: read(file) })
  }
  return pages
}

export const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Renders our own Markdown. Headings get the anchors that code hosts give them; links lead to served pages, or become text. */
export function render(sources: readonly Source[]): readonly Page[] {
  const urls = new Map(sources.map(({ file, url }) => [file, url])).set('spec/openapi.json', '/openapi.json')
  return sources.map((source) => {
    const target = (href: string) => urlOf(urls, source.file, href)
    const html = htmlOf(source.markdown, target)
    const markdown = withLinks(source.markdown, (href) => markdownUrl(target(href)))
    return { ...source, markdown, html, sections: sectionsOf(source.markdown) }
  })
}

/** Undefined for files that are not served. */
function urlOf(urls: ReadonlyMap<string, string>, from: string, href: string): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const url = urls.get(path.posix.join(path.posix.dirname(from), file))
  return url === undefined || anchor === undefined ? url : `${url}#${anchor}`
}

/** The Markdown of a page is at its address with `.md`. */
export const markdownUrl = (url: string | undefined): string | undefined =>
  url?.replace(/^(\/docs[^#]*)/, '$1.md')

function htmlOf(text: string, target: (href: string) => string | undefined): string {
  const anchors = anchorCounter()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }: Tokens.Heading): string {
        return `<h${depth} id="${anchors(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const url = target(href)
        const shown = this.parser.parseInline(tokens)
        return url === undefined ? shown : `<a href="${escaped(url)}">${shown}</a>`
      },
      image({ href, text: description }: Tokens.Image): string {
        const picture = `/docs/pictures/${path.posix.basename(href)}`
        const image = `<img src="${picture}" alt="${escaped(description)}">`
        if (!href.includes('-light.')) return image
        const dark = picture.replace('-light.', '-dark.')
        return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">${image}</picture>`
      },
      html: () => '',
    },
  })
  const rows = new Set<string>()
  return (marked.parse(text, { async: false }) as string)
    .replaceAll(NAMED_ROW_HTML, (start, code: string | undefined, term: string | undefined) => {
      const anchor = rowAnchor(code ?? term ?? '')
      if (rows.has(anchor)) return start
      rows.add(anchor)
      return `${start} id="${anchor}"`
    })
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

const NAMED_ROW_HTML =
  /<(?:tr|li)(?=>(?:\n<td>)?(?:<code>([\w.-]+)<\/code>(?:<\/td>|:)|<strong>([\w -]+)<\/strong>[:,]))/g
const NAMED_ROW = /^(?:\| `([\w.-]+)` *\||- `([\w.-]+)`: |- \*\*([\w -]+)\*\*[:,] )(.*(?:\n +\S.*)*)$/gm
/** No heading has a dot in its anchor. */
const rowAnchor = (name: string): string => `row.${name.replaceAll(' ', '-')}`

function sectionsOf(markdown: string): readonly Section[] {
  const anchors = anchorCounter()
  const fences: string[] = []
  // Lines that start with # inside a code block are no headings.
  const hidden = markdown.replaceAll(/^```[^]*?^```/gm, (fence) => `\0${fences.push(fence) - 1}\0`)
  return hidden
    .split(/^(?=#{1,6} )/m)
    .filter((part) => part.startsWith('#'))
    .flatMap((part) => {
      const [first = '', ...rest] = part.split('\n')
      const heading = first.replace(/^#+ /, '')
      const rows: Section[] = []
      const body = rest
        .join('\n')
        .replaceAll(NAMED_ROW, (_all, ...[cell, item, term, text]: readonly (string | undefined)[]) => {
          const name = cell ?? item ?? term ?? ''
          rows.push({ heading: name, anchor: rowAnchor(name), text: plain(text ?? '') })
          return ''
        })
        .replaceAll(/\0(\d+)\0/g, (_all, index: string) => fences[Number(index)] ?? '')
      const section: Section = { heading: plain(heading), anchor: anchors(heading), text: plain(body) }
      return [section].concat(rows)
    })
}

/** Markdown with other links, and without those that lead nowhere. Code stays as it is. */
const withLinks = (text: string, linkUrl: (href: string) => string | undefined): string =>
  text.replaceAll(
    /^```[^]*?^```|`[^`\n]*`|(!?)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(([^)\s]+)\)/gm,
    (all, image: string | undefined, shown: string | undefined, href: string | undefined) => {
      if (shown === undefined || href === undefined) return all
      const url = image === '!' ? undefined : linkUrl(href)
      return url === undefined ? shown : `[${shown}](${url})`
    },
  )

/** Markdown without its marks, on one line. */
const plain = (text: string): string =>
  text
    .replaceAll(/<!--[^]*?-->/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\|[ :|-]+\|$/gm, ' ')
    .replaceAll(/^```.*$|^>|^ *- |\|/gm, ' ')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

function anchorCounter(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
