const encoder = new TextEncoder()
// ignoreBOM keeps a byte order mark as a character, so that the parser can reject it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Decodes UTF-8, or returns undefined for other bytes. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return a.length === b.length
}

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

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The value of each letter by its code, or -1. */
const VALUES = new Int8Array(128).fill(-1)
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value

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
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8))
  let bits = 0
  let pending = 0
  let at = 0
  for (let next = 0; next < text.length; next++) {
    const value = VALUES[text.charCodeAt(next)] ?? -1
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

/** Encodes bytes as base64 with padding (RFC 4648, section 4). */
export function base64(bytes: Uint8Array): string {
  const text = base64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/**
 * Decodes base64, or returns undefined. Each value has one spelling: padding is required, and stray bits are rejected.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || /[-_]/.test(text)) return undefined
  const letters = text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return fromBase64url(letters)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** A copy of data that the caller owns and may change later. Taken before the first `await`. */
export function copyInput<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (value instanceof Uint8Array) return copyBytes(value)
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
}

/** Not slice(), which does not copy a Buffer. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
