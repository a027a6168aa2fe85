import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Section, renderMarkdown, sectionsOf } from './render-markdown.ts'

/** One page of the documentation, as listed in docs/README.md. */
export interface GuidePage {
  readonly url: string
  readonly title: string
  readonly kind: string
  /** Path in the repository. */
  readonly file: string
  readonly html: string
  /** The same as Markdown, with links to the Markdown of other pages. */
  readonly markdown: string
  /** What docs/README.md says about it. */
  readonly about: string
  readonly sections: readonly Section[]
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const INDEX = 'docs/README.md'

/** Reads and renders every page that docs/README.md lists; the index itself comes first. */
export function readGuidePages(root = ROOT): readonly GuidePage[] {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
  const listed = listedPages(read(INDEX))
  const urls = new Map(listed.map(({ file, url }) => [file, url])).set('spec/openapi.json', '/openapi.json')
  return listed.map(({ url, title, kind, file, about }) => {
    const text = read(file)
    const html = renderMarkdown(text, {
      linkUrl: (href) => pageUrl(urls, file, href),
      imageUrl: (href) => dataUrl(path.join(root, path.dirname(file), href)),
    })
    const markdown = withLinks(text, (href) => markdownUrl(pageUrl(urls, file, href)))
    return { url, title, kind, file, about, html, markdown, sections: sectionsOf(text) }
  })
}

type ListedPage = Pick<GuidePage, 'url' | 'title' | 'kind' | 'file' | 'about'>

/** `## Kind` headings with `- [Title](file.md)` items below them give the navigation and its order. */
export function listedPages(index: string): readonly ListedPage[] {
  let kind = ''
  const pages: ListedPage[] = [{ url: '/docs', title: 'Documentation', kind, file: INDEX, about: '' }]
  for (const line of index.split('\n')) {
    kind = /^## (.+)$/.exec(line)?.[1] ?? kind
    const [, title, href, about = ''] = /^- \[([^\]]+)\]\(([^)]+\.md)\)(?:: (.+))?/.exec(line) ?? []
    if (title === undefined || href === undefined) continue
    const file = path.posix.join('docs', href)
    // Pages from elsewhere in the repository, such as the specification, go by the kind they are listed under.
    const folder = /^docs\/([^/]+)\//.exec(file)?.[1] ?? slugOf(kind)
    const url = `/docs/${folder}/${slugOf(path.posix.basename(file, '.md'))}`
    pages.push({ url, title, kind, file, about })
  }
  return pages
}

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Where a link of a page leads in the served documentation; undefined for files that are not served. */
function pageUrl(urls: ReadonlyMap<string, string>, from: string, href: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [target = '', anchor] = href.split('#')
  const url = urls.get(path.posix.join(path.posix.dirname(from), target))
  return url === undefined || anchor === undefined ? url : `${url}#${anchor}`
}

/** The Markdown of a page of the documentation is at its address with `.md`. */
export const markdownUrl = (url: string | undefined): string | undefined =>
  url?.replace(/^(\/docs[^#]*)/, '$1.md')

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

/** Images are inlined: the content security policy allows no other source. */
const dataUrl = (file: string): string => {
  const type = path.extname(file).slice(1).replace('svg', 'svg+xml')
  return `data:image/${type};base64,${readFileSync(file).toString('base64')}`
}
