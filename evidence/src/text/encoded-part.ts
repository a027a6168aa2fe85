import { type RandomAccess, sourceRange } from '@kitseal/kit'
import { chunks, copyOf, joined } from '../platform/sources.ts'
import { Base64Decoder } from './base64-part.ts'

const ENCODINGS = ['base64', 'quoted-printable', 'x-uuencode', 'uuencode'] as const
type PartEncoding = (typeof ENCODINGS)[number]

/** A range of a message that is encoded. */
export interface EncodedPart {
  /** Its file name, without a path. */
  readonly name: string
  readonly encoding: PartEncoding
  readonly from: number
  readonly to: number
  /** How long its content is, if it was decoded already. */
  readonly sizeBytes: number | undefined
}

const ENCODING = /\ncontent-transfer-encoding:\s*([\w-]+)/i
const FILE_NAME = /\b(?:file)?name="?([^";=?*\n]{1,200})/i
const BOUNDARY = /\bboundary="?([^"\s;]{1,200})/i

/** The encoding in the header of a part, if its content differs from what is in the message. */
export function partEncoding(header: string): PartEncoding | undefined {
  const name = ENCODING.exec(header.replaceAll('\r', ''))?.[1]?.toLowerCase()
  return ENCODINGS.find((encoding) => encoding === name)
}

export function partName(header: string): string | undefined {
  const name = FILE_NAME.exec(header)?.[1]
    ?.replace(/^.*[\\/]/, '')
    .trim()
  return name === '' ? undefined : name
}

export const partBoundary = (header: string): string | undefined => BOUNDARY.exec(header)?.[1]

/** The content of a part. */
export async function* decodePart(
  source: RandomAccess,
  { encoding, from, to }: EncodedPart,
): AsyncGenerator<Uint8Array> {
  const encoded = chunks(sourceRange(source, from, to - from))
  if (encoding === 'base64') yield* decodeBase64(encoded)
  else
    for await (const line of linesOf(encoded))
      yield encoding === 'quoted-printable' ? unquoted(line) : uudecoded(line)
}

async function* decodeBase64(encoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [decoded, length] = [new Uint8Array(0), 0]
  const decoder = new Base64Decoder((text) => {
    for (let at = 0; at < text.length; at++) decoded[length++] = text.charCodeAt(at)
  })
  for await (const bytes of encoded) {
    ;[decoded, length] = [new Uint8Array(bytes.length), 0]
    decoder.push(bytes)
    yield decoded.subarray(0, length)
  }
}

const MAX_LINE = 64 * 1024
const [NEWLINE, RETURN, EQUALS, SPACE] = [0x0a, 0x0d, 0x3d, 0x20]

/** With their line breaks. An overlong line is read in parts. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const bytes of content) {
    const all = joined(rest, bytes)
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
    else if (next === NEWLINE || next === RETURN) break
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

/** A line of uuencoded data starts with its length. The lines around it are empty. */
function uudecoded(line: Uint8Array): Uint8Array {
  const length = ((line[0] as number) - SPACE) & 63
  // `begin` and `end` are longer or shorter than lines of data.
  const letters = 4 * Math.ceil(length / 3)
  const present = line.findLastIndex((byte) => byte !== NEWLINE && byte !== RETURN)
  if (present < letters || present > letters + 2) return new Uint8Array(0)
  const bytes = new Uint8Array(3 * Math.ceil(length / 3))
  const value = (at: number): number => ((line[at] ?? SPACE) - SPACE) & 63
  for (let group = 0; group * 3 < length; group++) {
    const at = 1 + group * 4
    const bits = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3)
    bytes.set([bits >> 16, (bits >> 8) & 255, bits & 255], group * 3)
  }
  return bytes.subarray(0, length)
}
