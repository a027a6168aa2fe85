import { Marked, type Tokens } from 'marked'
import { escaped } from './html.ts'

export interface LinkTargets {
  /** The URL of a link, or undefined to show its text without a link. */
  readonly linkUrl: (href: string) => string | undefined
  readonly imageUrl: (href: string) => string
}

/** Renders one of our own Markdown files. Headings get the anchors that code hosts give them. */
export function renderMarkdown(text: string, { linkUrl, imageUrl }: LinkTargets): string {
  const anchors = anchorCounter()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }: Tokens.Heading): string {
        return `<h${depth} id="${anchors(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const url = linkUrl(href)
        const shown = this.parser.parseInline(tokens)
        return url === undefined ? shown : `<a href="${escaped(url)}">${shown}</a>`
      },
      image({ href, text: description }: Tokens.Image): string {
        const image = `<img src="${imageUrl(href)}" alt="${escaped(description)}">`
        if (!href.includes('-light.')) return image
        const dark = imageUrl(href.replace('-light.', '-dark.'))
        return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">${image}</picture>`
      },
      html: () => '',
    },
  })
  const parsed = marked.parse(text, { async: false }) as string
  const rows = new Set<string>()
  return parsed
    .replaceAll(ROW_START, (start, code: string | undefined, term: string | undefined) => {
      const anchor = rowAnchor(code ?? term ?? '')
      if (rows.has(anchor)) return start
      rows.add(anchor)
      return `${start} id="${anchor}"`
    })
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

const ROW_START =
  /<(?:tr|li)(?=>(?:\n<td>)?(?:<code>([\w.-]+)<\/code>(?:<\/td>|:)|<strong>([\w -]+)<\/strong>[:,]))/g

/** The text between two headings, or a row or list item that begins with a name such as an error code or a term, for search. */
export interface Section {
  readonly heading: string
  readonly anchor: string
  readonly text: string
}

const NAMED_ROW = /^(?:\| `([\w.-]+)` *\||- `([\w.-]+)`: |- \*\*([\w -]+)\*\*[:,] )(.*(?:\n +\S.*)*)$/gm
/** No heading has a dot in its anchor. */
const rowAnchor = (name: string): string => `row.${name.replaceAll(' ', '-')}`

export function sectionsOf(markdown: string): readonly Section[] {
  const anchors = anchorCounter()
  const fences: string[] = []
  // Lines that start with # inside a code block are not headings.
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
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
