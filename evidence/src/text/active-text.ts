// docs/decisions/0208
import type { Finding } from '../rules.ts'

/** A SYLK spreadsheet with Excel 4.0 macros states it in an `O` record with `E`. */
export function sylkMacros(head: Uint8Array): readonly Finding[] {
  const start = new TextDecoder('latin1').decode(head)
  if (!start.startsWith('ID;')) return []
  if (/^O;(?:[^;\r\n]*;)*E\b/m.test(start))
    return [{ code: 'macros', detail: 'it is a SYLK spreadsheet with macros' }]
  return /^C;.*;E[^;\r\n]*\|[^\r\n]*!/m.test(start)
    ? [{ code: 'active_content', detail: 'a formula starts another program (DDE)' }]
    : []
}

/** Longer than the start of a tag up to an attribute of interest. */
const OVERLAP = 4096
/** What may be between the letters of a scheme: browsers skip it. */
const GAP = String.raw`(?:[\t\r\n]|&(?:tab|newline|#x?0{0,6}[9ad]|#0{0,6}1[03]);?)*`
const SCHEME = [...'javascript'].map((letter) => `(?:${letter}|&#${reference(letter)};?)`).join(GAP)

function reference(letter: string): string {
  const code = letter.charCodeAt(0)
  return `(?:0{0,6}${code}|x0{0,6}${code.toString(16)})`
}

const SIGNS: readonly (readonly [pattern: RegExp, detail: string])[] = [
  [/<(?:[a-z][\w.-]{0,30}:)?script[\s>/]/i, 'scripts'],
  [/<(?:iframe|frame|object|embed|applet|(?:svg:)?foreignobject|hta:application)[\s>/]/i, 'other documents'],
  [new RegExp(`${SCHEME}${GAP}(?::|&colon;|&#58;)`, 'i'), 'links that run a script'],
  [
    /vbscript:|data:(?:text\/html|image\/svg|application\/xhtml)[^"'>]{0,60},|\ssrcdoc\s*=/i,
    'links that run a script',
  ],
  [/http-equiv\s*=\s*["']?\s*refresh/i, 'a redirection'],
]
const HANDLER = /[\s"'/]on[a-z]{3,30}\s*=/gi

/** Finds what runs when HTML or SVG is opened in a browser, at any offset. */
export class ActiveMarkup {
  readonly #decoder = new TextDecoder('latin1')
  #carried = ''
  readonly #found = new Set<string>()

  push(bytes: Uint8Array): void {
    const text = this.#carried + this.#decoder.decode(bytes)
    this.#carried = text.slice(-OVERLAP)
    for (const [pattern, detail] of SIGNS)
      if (!this.#found.has(detail) && pattern.test(text)) this.#found.add(detail)
    if (!this.#found.has('handlers') && hasHandler(text)) this.#found.add('handlers')
  }

  get findings(): readonly Finding[] {
    if (this.#found.size === 0) return []
    return [{ code: 'active_content', detail: `it contains ${[...this.#found].join(', ')}` }]
  }
}

/** An attribute such as `onload`, inside of a tag. */
function hasHandler(text: string): boolean {
  for (const { index } of text.matchAll(HANDLER)) {
    const tag = text.slice(Math.max(0, index - OVERLAP), index + 1)
    const start = tag.search(/<[a-z][^<]*$/i)
    if (start !== -1 && !/>/.test(tag.slice(start).replaceAll(/"[^"]*"|'[^']*'/g, ''))) return true
  }
  return false
}
