// The parts of Markdown that the docs tests need.

export interface Fence {
  /** The language after the opening ```. */
  readonly info: string
  readonly body: string
}

const FENCE = /^(`{3,})([^\n]*)\n([\s\S]*?)^\1\s*$/gm

export const fencesOf = (text: string): readonly Fence[] =>
  Array.from(text.matchAll(FENCE), ([, , info = '', body = '']) => ({ info: info.trim(), body }))

/** The link targets of a text, outside code. */
export function linksOf(text: string): readonly string[] {
  const prose = text.replace(FENCE, '').replace(/`[^`\n]*`/g, '')
  const inline = prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)
  const defined = prose.matchAll(/^\[[^\]]+\]:\s*<?([^\s>]+)/gm)
  const pictures = prose.matchAll(/<(?:img|source)\b[^>]*?\ssrc(?:set)?="([^"]+)"/g)
  return [...inline, ...defined, ...pictures].map(([, to = '']) => to)
}

/** The anchors of a page's headings, as code hosts generate them. */
export function anchorsOf(text: string): readonly string[] {
  const seen = new Map<string, number>()
  return Array.from(text.replace(FENCE, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm), ([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
