import { endOfString, PdfLexer } from './pdf-lexer.ts'

/** Parses a PDF dictionary: each key with the first token of its value. Undefined if there is none. */
export function pdfDictionary(text: string, from: number): ReadonlyMap<string, string> | undefined {
  const tokens = new PdfLexer(text, from)
  if (tokens.next() !== '<<') return undefined
  const entries = new Map<string, string>()
  let depth = 1
  let key: string | undefined
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    const isTop = depth === 1
    if (isTop && token === '>>') return entries
    if (isTop && key === undefined) {
      if (!token.startsWith('/')) {
        // The rest of a reference such as `12 0 R`; its first number was the value.
        if (/^(?:\d+|R)$/.test(token)) continue
        return undefined
      }
      key = token
    } else if (isTop && key !== undefined) {
      entries.set(key, token)
      key = undefined
    }
    if (token === '<<' || token === '[') depth++
    else if (token === '>>' || token === ']') depth--
    if (depth < 1 || depth > 100) return undefined
  }
  return undefined
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The bytes of a literal or hexadecimal string. */
export function pdfStringAt(text: string, at: number): Uint8Array {
  if (text[at] === '<') {
    const hex = text.slice(at + 1, Math.max(at + 1, text.indexOf('>', at))).replaceAll(/[^0-9a-f]/gi, '')
    return Uint8Array.from(hex.match(/..?/g) ?? [], (pair) => Number.parseInt(pair.padEnd(2, '0'), 16))
  }
  const inner = text.slice(at + 1, endOfString(text, at) - 1)
  const decoded = inner.replaceAll(/\\(?:([0-7]{1,3})|\r\n|([^]))/g, (_, octal?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    return letter === undefined || letter === '\n' || letter === '\r' ? '' : (ESCAPES[letter] ?? letter)
  })
  return Uint8Array.from(decoded, byteOf)
}

/** TextDecoder reads Latin-1 as Windows-1252, which has other letters for some bytes. */
const WINDOWS_1252 = new Map(
  Array.from(
    new TextDecoder('latin1').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (letter, byte) => [letter.charCodeAt(0), byte],
  ),
)

function byteOf(letter: string): number {
  const code = letter.charCodeAt(0)
  return code < 256 ? code : (WINDOWS_1252.get(code) ?? 0)
}
