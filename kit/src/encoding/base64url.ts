import { fromUtf8 } from './utf8.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = valuesOf(ALPHABET)

/** Encodes bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  for (let at = 0; at < letters.length; at++) {
    const byte = Math.floor((at * 3) / 4)
    const pair = (bytes[byte]! << 8) | (bytes[byte + 1] ?? 0)
    letters[at] = ALPHABET.charCodeAt((pair >> (10 - ((at * 6) & 7))) & 63)
  }
  return fromUtf8(letters)!
}

/**
 * Decodes base64url, or returns undefined. Padding, other alphabets and stray bits are rejected, so each value has
 * one spelling.
 */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  return decode(text, VALUES)
}

/** The value of each letter by its code, or -1. */
export function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1)
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
  return values
}

/** Decodes text without padding. */
export function decode(text: string, values: Int8Array): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8))
  let bits = 0
  let pending = 0
  let at = 0
  for (let next = 0; next < text.length; next++) {
    const value = values[text.charCodeAt(next)] ?? -1
    if (value < 0) return undefined
    pending = ((pending << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (pending >> bits) & 0xff
    }
  }
  return (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
