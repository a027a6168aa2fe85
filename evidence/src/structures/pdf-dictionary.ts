/** Parses a PDF dictionary: each key with the first token of its value. Undefined if there is none. */
export function pdfDictionary(text: string, from: number): ReadonlyMap<string, string> | undefined {
  const tokens = pdfTokens(text, from)
  if (tokens.next().value !== '<<') return undefined
  const entries = new Map<string, string>()
  let depth = 1
  let key: string | undefined
  for (const token of tokens) {
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

const DELIMITERS = '()<>[]{}/%'
const SPACES = '\0\t\n\f\r '

function* pdfTokens(text: string, from: number): Generator<string, undefined> {
  let at = from
  while (at < text.length) {
    const character = text[at] as string
    if (SPACES.includes(character)) at++
    else if (character === '%') at = endOfLine(text, at)
    else if (text.startsWith('<<', at) || text.startsWith('>>', at)) {
      yield text.slice(at, at + 2)
      at += 2
    } else if (character === '(') {
      yield '()'
      at = endOfString(text, at)
    } else if (character === '<') {
      yield '<>'
      const end = text.indexOf('>', at)
      at = end === -1 ? text.length : end + 1
    } else if (character === '[' || character === ']' || '{})>'.includes(character)) {
      yield character
      at++
    } else {
      const end = endOfWord(text, at)
      yield decodeName(text.slice(at, end))
      at = end
    }
  }
  return undefined
}

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

function endOfWord(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && !DELIMITERS.includes(text[at] as string) && !SPACES.includes(text[at] as string))
    at++
  return at
}

/** Names may escape any character as # and two hex digits. */
function decodeName(word: string): string {
  if (!word.startsWith('/') || !word.includes('#')) return word
  return word.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
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
  return Uint8Array.from(decoded, (letter) => letter.charCodeAt(0))
}
