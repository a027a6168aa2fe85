import { fromUtf8 } from './utf8.ts'

const DIGITS = '0123456789abcdef'

/** Encodes bytes as lower-case hex. */
export function hex(bytes: Uint8Array): string {
  // Appending to a string letter by letter would leave a piece of garbage for each.
  const letters = new Uint8Array(bytes.length * 2)
  for (let at = 0; at < bytes.length; at++) {
    letters[at * 2] = DIGITS.charCodeAt(bytes[at]! >> 4)
    letters[at * 2 + 1] = DIGITS.charCodeAt(bytes[at]! & 15)
  }
  return fromUtf8(letters)!
}

/** The bytes, or undefined where the text is not lower-case hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
  return bytes
}
