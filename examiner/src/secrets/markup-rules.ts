import { SPACE_BYTES } from '../text/text-bytes.ts'
import { isLetter, type SecretRule } from './secret-rules.ts'

/** What may be between the letters of a scheme: browsers skip it. */
const GAP = String.raw`(?:[\t\r\n]|&(?:tab|newline|#x?0{0,6}[9ad]|#0{0,6}1[03]);?)*`
const SCHEME = [...'javascript'].map((letter) => `(?:${letter}|&#${reference(letter)};?)`).join(GAP)
/** In a value: `JavaScript: a language` is text. */
const LINK = new RegExp(
  String.raw`(?<=["'=][^!-~]{0,40})(?:${SCHEME}|vbscript)${GAP}\s*(?::|&colon;|&#58;)`,
  'iy',
)
/** A page that another one replaces, with an address of its own. */
const REFRESH =
  /<meta\b(?=[^>]{0,500}\bhttp-equiv\s*=\s*["']?\s*refresh)[^>]{0,500}?\burl\s*=\s*["']?\s*(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i

function reference(letter: string): string {
  const code = letter.charCodeAt(0)
  return `(?:0{0,6}${code}|x0{0,6}${code.toString(16)})`
}

const sign = (
  title: string,
  starts: readonly string[],
  pattern: RegExp,
  more: Pick<SecretRule, 'mayMatch' | 'matches'> = {},
): SecretRule => ({ title, starts, pattern, ...more, code: 'active_content', isCaseless: true })

/** What runs or loads something when HTML is opened in a browser. */
export const HTML_RULES: readonly SecretRule[] = [
  sign('scripts', ['<script'], /<script[\s>/]/iy),
  sign('other documents', ['<iframe', '<object', '<embed'], /<(?:iframe|object|embed)[\s>/]/iy),
  sign(
    'handlers, which run a script',
    [...' \t\n\f\r"\'/'].map((before) => `${before}on`),
    /[\s"'/]on[a-z]{3,30}\s*=/iy,
    { mayMatch: isAssigned, matches: isInTag },
  ),
  sign('links that run a script', ['j', '&#', 'vbs'], LINK, { mayMatch: isInValue }),
  sign('a link that opens another page by itself', ['http-equiv'], /http-equiv/iy, {
    matches: (text) => REFRESH.test(text),
  }),
]

/** In SVG and other XML, where names have prefixes. Browsers run scripts of these namespaces, and XSLT has its own. */
export const XML_RULES: readonly SecretRule[] = [
  ...HTML_RULES,
  sign('scripts', [':script'], /:script[\s>/]/iy),
  sign('other documents', ['foreignobject'], /foreignObject[\s>/]/iy),
  sign('links that run a script', ['data:'], /data:(?:text\/html|image\/svg|application\/xhtml)/iy),
  {
    title: 'namespace',
    starts: ['www.w3.org/'],
    pattern: /www\.w3\.org\/(?:1999\/(?:xhtml|XSL)|2000\/svg)/y,
    code: 'namespace',
  },
]

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

/** Whether what starts at `at` is an attribute. */
function isInTag(text: string, at: number): boolean {
  const before = text.slice(0, at + 1)
  const start = before.search(/<[a-z][^<]*$/i)
  return start !== -1 && !/>/.test(before.slice(start).replaceAll(/"[^"]*"|'[^']*'/g, ''))
}
