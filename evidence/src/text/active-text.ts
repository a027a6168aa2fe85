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
/** In a value: `JavaScript: a language` is text. */
const LINK = new RegExp(String.raw`["'=]\s*(?:${SCHEME}|vbscript)${GAP}\s*(?::|&colon;|&#58;)`, 'i')

function reference(letter: string): string {
  const code = letter.charCodeAt(0)
  return `(?:0{0,6}${code}|x0{0,6}${code.toString(16)})`
}

/** One literal each, which is searched for much faster than several at once. */
const SIGNS: readonly (readonly [pattern: RegExp, detail: string])[] = [
  [/<script[\s>/]/i, 'scripts'],
  [/<iframe[\s>/]/i, 'other documents'],
  [/<object[\s>/]/i, 'other documents'],
  [/<embed[\s>/]/i, 'other documents'],
]
/** In SVG and other XML, where names have prefixes. */
const XML_SIGNS: typeof SIGNS = [
  [/:script[\s>/]/i, 'scripts'],
  [/foreignObject[\s>/]/i, 'other documents'],
  [/data:(?:text\/html|image\/svg|application\/xhtml)/i, 'links that run a script'],
]
/** A page that another one replaces, with an address of its own. */
const REFRESH =
  /<meta\b(?=[^>]{0,500}\bhttp-equiv\s*=\s*["']?\s*refresh)[^>]{0,500}?\burl\s*=\s*["']?\s*(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i
const MAY_LINK = [/&(?:#|colon|tab)/i, /script\s*:/i]
const MAX_CANDIDATES = 5000
const HANDLER = /[\s"'/]on[a-z]{3,30}\s*=/gi

/** Finds what runs when HTML or SVG is opened in a browser, at any offset. Stops at the first. */
export class ActiveMarkup {
  readonly #decoder = new TextDecoder()
  readonly #signs: typeof SIGNS
  #carried = ''
  #found: string | undefined

  constructor(language: 'html' | 'xml') {
    this.#signs = language === 'html' ? SIGNS : [...SIGNS, ...XML_SIGNS]
  }

  push(bytes: Uint8Array): void {
    if (this.#found !== undefined) return
    const text = this.#decoder.decode(bytes)
    if (this.#carried !== '') this.#search(this.#carried + text.slice(0, OVERLAP))
    this.#search(text)
    this.#carried = text.slice(-OVERLAP)
  }

  #search(text: string): void {
    this.#found ??= this.#signs.find(([pattern]) => pattern.test(text))?.[1]
    if (this.#found === undefined && hasHandler(text)) this.#found = 'handlers, which run a script'
    if (this.#found === undefined && /http-equiv/i.test(text) && REFRESH.test(text))
      this.#found = 'a link that opens another page by itself'
    if (this.#found === undefined && MAY_LINK.some((sign) => sign.test(text)) && LINK.test(text))
      this.#found = 'links that run a script'
  }

  get findings(): readonly Finding[] {
    return this.#found === undefined ? [] : [{ code: 'active_content', detail: `it contains ${this.#found}` }]
  }
}

/** An attribute such as `onload`, inside of a tag. */
function hasHandler(text: string): boolean {
  let candidates = 0
  for (const { index } of text.matchAll(HANDLER)) {
    // Nobody writes about so many of them.
    if (++candidates > MAX_CANDIDATES) return true
    const tag = text.slice(Math.max(0, index - OVERLAP), index + 1)
    const start = tag.search(/<[a-z][^<]*$/i)
    if (start !== -1 && !/>/.test(tag.slice(start).replaceAll(/"[^"]*"|'[^']*'/g, ''))) return true
  }
  return false
}
