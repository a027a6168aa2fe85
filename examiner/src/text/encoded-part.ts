import type { RandomAccess } from '@kitseal/kit'
import { chunks, copyOf, joined, memorySource, sourceRange } from '../platform/sources.ts'

/** How content is encoded in a message. `identity`: not at all. */
export const TRANSFER_ENCODINGS = ['base64', 'quoted-printable', 'uuencode', 'identity'] as const
export type TransferEncoding = (typeof TRANSFER_ENCODINGS)[number]

/** A range of a text that is encoded. */
export interface EncodedPart {
  /** A link has base64 up to the first character that is none. */
  readonly encoding: TransferEncoding | 'link'
  readonly from: number
  readonly to: number
}

/** The content of a part. */
export async function* decodePart(
  source: RandomAccess,
  { encoding, from, to }: EncodedPart,
): AsyncGenerator<Uint8Array> {
  const encoded = chunks(sourceRange(source, from, to - from))
  if (encoding === 'identity') yield* encoded
  else if (encoding === 'link') yield* decodeBase64(lettersOf(encoded))
  else if (encoding === 'base64') yield* decodeBase64(encoded)
  else if (encoding === 'uuencode') yield* uudecoded(encoded)
  else for await (const line of linesOf(encoded)) yield unquoted(line)
}

/** Links may have blanks and escaped line breaks. */
async function* lettersOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    const end = bytes.findIndex((byte) => IN_LINK[byte] === 0)
    yield end === -1 ? bytes : bytes.subarray(0, end)
    if (end !== -1) return
  }
}

const IN_LINK = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z\d+/=\s\\%]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/** Characters that are not base64 are skipped, as mail programs do. */
async function* decodeBase64(encoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [bits, bitCount] = [0, 0]
  for await (const letters of encoded) {
    const bytes = new Uint8Array(letters.length)
    let length = 0
    for (let at = 0; at < letters.length; at++) {
      const value = VALUES[letters[at] as number] as number
      // Content may be encoded in pieces, each with its own end.
      if (value === PADDING) bitCount = 0
      if (value > 63) continue
      bits = ((bits << 6) | value) & 0xffff
      bitCount += 6
      if (bitCount < 8) continue
      bitCount -= 8
      bytes[length++] = bits >> bitCount
    }
    yield bytes.subarray(0, length)
  }
}

const PADDING = 64
const VALUES = new Uint8Array(256).fill(255)
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=',
].entries())
  VALUES[letter.charCodeAt(0)] = value

const MAX_LINE = 64 * 1024
const [NEWLINE, RETURN, EQUALS, SPACE, TAB] = [0x0a, 0x0d, 0x3d, 0x20, 0x09]

/** With their line breaks. An overlong line is read in parts. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const bytes of content) {
    const all = joined([rest, bytes])
    let at = 0
    for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, at)) {
      yield all.subarray(at, end + 1)
      at = end + 1
    }
    rest = copyOf(all.subarray(at))
    if (rest.length <= MAX_LINE) continue
    yield rest
    rest = new Uint8Array(0)
  }
  if (rest.length > 0) yield rest
}

/** Quoted-printable (RFC 2045): `=41` is a byte, and `=` at the end joins lines. */
function unquoted(line: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(line.length)
  let length = 0
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] as number
    const next = line[at + 1] ?? NEWLINE
    if (byte !== EQUALS) bytes[length++] = byte
    else if (isBlank(line, at + 1)) break
    else {
      const value = Number.parseInt(String.fromCharCode(next, line[at + 2] ?? SPACE), 16)
      if (Number.isNaN(value)) bytes[length++] = byte
      else {
        bytes[length++] = value
        at += 2
      }
    }
  }
  return bytes.subarray(0, length)
}

/** Blanks at the end of a line are not part of it. */
function isBlank(line: Uint8Array, from: number): boolean {
  for (let at = from; at < line.length; at++)
    if (![NEWLINE, RETURN, SPACE, TAB].includes(line[at] as number)) return false
  return true
}

/** From `begin` to `end`. Data without these lines is decoded as well. */
async function* uudecoded(encoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isBase64 = false
  const base64: Uint8Array[] = []
  for await (const line of linesOf(encoded)) {
    const text = new TextDecoder('latin1').decode(line.subarray(0, 20))
    if (text.startsWith('begin-base64 ')) isBase64 = true
    else if (isBase64) base64.push(copyOf(line))
    else if (/^end\s*$/.test(text)) return
    else if (!/^begin [0-7]{3}/.test(text)) yield uudecodedLine(line)
  }
  yield* decodeBase64(chunks(memorySource(joined(base64))))
}

/** A line of data starts with its length. Spaces at its end may be missing. */
function uudecodedLine(line: Uint8Array): Uint8Array {
  const length = ((line[0] as number) - SPACE) & 63
  const letters = 4 * Math.ceil(length / 3)
  const present = line.findLastIndex((byte) => byte !== NEWLINE && byte !== RETURN)
  if (present > letters + 2) return new Uint8Array(0)
  const bytes = new Uint8Array(3 * Math.ceil(length / 3))
  const value = (at: number): number => (at > present ? 0 : ((line[at] ?? SPACE) - SPACE) & 63)
  for (let group = 0; group * 3 < length; group++) {
    const at = 1 + group * 4
    const bits = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3)
    bytes.set([bits >> 16, (bits >> 8) & 255, bits & 255], group * 3)
  }
  return bytes.subarray(0, length)
}
