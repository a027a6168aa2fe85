import { type PlainDetail } from '../rules.ts'
import { isLetter, type SecretRule } from './secret-rules.ts'

/** What may be between the letters of a scheme: browsers skip it. */
const GAP = String.raw`(?:[\t\r\n]|&(?:tab|newline|#x?0{0,6}[9ad]|#0{0,6}1[03]);?)*`
const SCHEME = [...'javascript'].map((letter) => `(?:${letter}|&#${reference(letter)};?)`).join(GAP)
/** In a value: `JavaScript: a language` is text. */
const LINK = new RegExp(
  String.raw`(?<=["'=][^!-~]{0,40})(?:${SCHEME}|vbscript)${GAP}\s*(?::|&colon;|&#58;)`,
  'iy',
)
function reference(letter: string): string {
  const code = letter.charCodeAt(0)
  return `(?:0{0,6}${code}|x0{0,6}${code.toString(16)})`
}

const sign = (
  title: PlainDetail,
  starts: readonly string[],
  pattern: RegExp,
  more: Pick<SecretRule, 'mayMatch' | 'matches'> = {},
): SecretRule => ({ title, starts, pattern, ...more, code: 'active_content', isCaseless: true })

/** What runs or loads something when HTML is opened in a browser. */
export const HTML_RULES: readonly SecretRule[] = [
  sign('thing.scripts', ['<script'], /<script[\s>/]/iy),
  sign('thing.documents', ['<iframe', '<object', '<embed'], /<(?:iframe|object|embed)[\s>/]/iy),
  sign(
    'thing.handlers',
    [...' \t\n\f\r"\'/'].map((before) => `${before}on`),
    /[\s"'/]on[a-z]{3,30}\s*=/iy,
    { mayMatch: isAssigned, matches: isInTag },
  ),
  sign('thing.scriptLinks', ['j', '&#', 'vbs'], LINK, { mayMatch: isInValue }),
  sign('thing.opensItself', ['http-equiv'], /http-equiv/iy, {
    matches: isRefresh,
  }),
]

/** In SVG and other XML, where names have prefixes. Browsers run scripts of these namespaces, and XSLT has its own. */
export const XML_RULES: readonly SecretRule[] = [
  ...HTML_RULES,
  sign('thing.scripts', [':script'], /:script[\s>/]/iy),
  sign('thing.documents', ['foreignobject'], /foreignObject[\s>/]/iy),
  sign('thing.scriptLinks', ['data:'], /data:(?:text\/html|image\/svg|application\/xhtml)/iy),
  {
    title: 'namespace',
    starts: ['www.w3.org/'],
    pattern: /www\.w3\.org\/(?:1999\/(?:xhtml|XSL)|2000\/svg)/y,
    code: 'namespace',
  },
]

/** Space, tab and the line breaks. */
const SPACE_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x20 || byte === 9 || byte === 10 || byte === 13 ? 1 : 0,
)
const [EQUALS, QUOTE, APOSTROPHE] = [0x3d, 0x22, 0x27]

/** Whether a name with a value is at `at`, after one byte. */
function isAssigned(bytes: Uint8Array, at: number): boolean {
  let index = at + 1
  while (index < at + 34 && isLetter((bytes[index] ?? 0) | 32)) index++
  while (index < at + 80 && SPACE_BYTES[bytes[index] ?? 0] === 1) index++
  return bytes[index] === EQUALS || index >= at + 80
}

/** Whether `at` is the start of a value. */
function isInValue(bytes: Uint8Array, at: number): boolean {
  let index = at - 1
  while (index > at - 40 && (bytes[index] ?? 0x21) <= 0x20) index--
  const before = bytes[index]
  return before === EQUALS || before === QUOTE || before === APOSTROPHE
}

const MAX_TAGS = 5

/** Whether what starts at `at` is an attribute. Without the start of a tag at hand, it may be one. */
function isInTag(text: string, at: number): boolean {
  let start = text.lastIndexOf('<', at)
  if (start === -1) return at > 2000 && !text.slice(0, at).includes('>')
  // A value may contain the sign that starts a tag.
  for (let left = MAX_TAGS; left > 0 && start !== -1; left--) {
    if (/^<[a-z]/i.test(text.slice(start, start + 2)) && isOpenAt(text, start, at)) return true
    start = start === 0 ? -1 : text.lastIndexOf('<', start - 1)
  }
  return false
}

/** A `>` in quotes does not end a tag. */
function isOpenAt(text: string, start: number, at: number): boolean {
  let quote = ''
  for (let index = start; index <= at; index++) {
    const letter = text[index] as string
    if (quote === '' && letter === '>') return false
    if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    else if (letter === quote) quote = ''
  }
  return true
}

const MAX_META = 500

/** A page that another one replaces, with an address of its own. */
function isRefresh(text: string, at: number): boolean {
  const start = text.lastIndexOf('<', at)
  if (start === -1 || at - start > MAX_META || !/^<meta\b/i.test(text.slice(start, start + 6))) return false
  const tag = text.slice(start, at + MAX_META).split('>', 1)[0] ?? ''
  if (!/http-equiv\s{0,20}=\s{0,20}["']?\s{0,20}refresh/i.test(tag)) return false
  return /\burl\s{0,20}=\s{0,20}["']?\s{0,20}(?:[a-z][a-z\d+.-]{0,40}:|\/\/|\\\\)/i.test(tag)
}

/** Functions that load or run something when a spreadsheet program opens a table. */
const CALLS =
  'hyperlink webservice importxml importdata importhtml importfeed importrange image filterxml rtd dde exec call register register.id sql.request shell'

/** In tables. */
export const TABLE_RULES: readonly SecretRule[] = [
  sign(
    'thing.callingFormula',
    CALLS.split(' ').flatMap((name) => [`${name}(`, `${name} (`]),
    /[a-z.]{3,12} ?\(/iy,
    { matches: isFormula },
  ),
  sign('thing.ddeFormula', ['|'], /\|[^\n\r]{0,500}!/y, {
    mayMatch: (bytes, at) => bytes.subarray(at, at + 500).includes(0x21),
    matches: (text, at) =>
      /[A-Za-z_][\w.]{0,60}['" ]{0,4}$/.test(text.slice(Math.max(0, at - 80), at)) && isFormula(text, at),
  }),
]

/** Whether a field of the line before `at` starts like a formula. */
function isFormula(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - 512), at)
  let isStart = at < 512 || /[\n\r]/.test(line)
  for (const letter of line.slice(Math.max(line.lastIndexOf('\n'), line.lastIndexOf('\r')) + 1)) {
    if (isStart && /[=+@\-\uff1d\uff0b\uff0d\uff20]/.test(letter)) return true
    if (/[,;\t|]/.test(letter)) isStart = true
    else if (!/[ "']/.test(letter)) isStart = false
  }
  return false
}
