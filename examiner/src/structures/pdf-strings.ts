/** How far a string may go. Names and keys are short. */
const MAX_STRING = 4096

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The bytes of a literal or hexadecimal string. */
export function pdfStringAt(text: string, at: number): Uint8Array {
  if (text[at] === '<') {
    const hex = text
      .slice(at + 1, Math.max(at + 1, text.slice(0, at + MAX_STRING).indexOf('>', at)))
      .replaceAll(/[^0-9a-f]/gi, '')
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

/** The text of a string: in UTF-16 after its mark, or in one byte per character. */
export function pdfTextAt(text: string, at: number): string {
  const bytes = pdfStringAt(text, at)
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff
  return new TextDecoder(isWide ? 'utf-16be' : 'latin1').decode(bytes)
}

/** Brackets in a string are escaped or in pairs. */
function endOfString(text: string, from: number): number {
  const end = Math.min(text.length, from + MAX_STRING)
  let depth = 0
  for (let at = from; at < end; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return end
}
