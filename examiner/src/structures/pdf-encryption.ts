import type { RandomAccess } from '@kitseal/kit'
import { BytesFinder } from '../search/find-bytes.ts'
import { bytesAt, chunks, joined, viewOf } from '../platform/sources.ts'

const DICTIONARY_BYTES = 8192
const MAX_CANDIDATES = 100
const PADDING = Uint8Array.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a'.match(/../g) ?? [],
  (byte) => Number.parseInt(byte, 16),
)

/**
 * Whether a PDF opens with the empty password: it only restricts printing or copying (ISO 32000-2, 7.6.4). `trailer` is the
 * text of a trailer with /Encrypt.
 */
export async function opensWithoutPassword(source: RandomAccess, trailer: string): Promise<boolean> {
  const reference = /\/Encrypt\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(trailer)?.[1]
  const id = stringOf(trailer, 'ID') ?? new Uint8Array(0)
  const texts = reference === undefined ? [trailer] : await objectsNumbered(source, reference)
  for (const text of texts) if (await emptyPasswordFits(text, id)) return true
  return false
}

/** The start of each object with this number. Offsets in damaged files are wrong, so it is searched for. */
async function objectsNumbered(source: RandomAccess, number: string): Promise<readonly string[]> {
  const finder = new BytesFinder(new TextEncoder().encode(`${number} 0 obj`), MAX_CANDIDATES)
  for await (const bytes of chunks(source)) finder.push(bytes)
  const decoder = new TextDecoder('latin1')
  return Promise.all(finder.at.map(async (at) => decoder.decode(await bytesAt(source, at, DICTIONARY_BYTES))))
}

async function emptyPasswordFits(dictionary: string, id: Uint8Array): Promise<boolean> {
  if (!/\/Filter\s*\/Standard\b/.test(dictionary)) return false
  const revision = numberOf(dictionary, 'R') ?? 0
  const [owner, user] = [stringOf(dictionary, 'O'), stringOf(dictionary, 'U')]
  if (owner === undefined || user === undefined) return false
  if (revision >= 5) {
    if (user.length < 48) return false
    const salt = user.slice(32, 40)
    const expected = revision === 5 ? await digest('SHA-256', salt) : await hardenedHash(salt)
    return startsWith(user, expected.subarray(0, 32))
  }
  return legacyFits(dictionary, revision, owner, user, id)
}

/** In bytes: what the file says, which some programs write in bytes, then what programs use without that. */
function keyLengths(dictionary: string): readonly number[] {
  const stated = Array.from(dictionary.matchAll(/\/Length\s+(\d{1,3})(?![\d.])/g), ([, text]) => Number(text))
  const lengths = stated.slice(0, 8).flatMap((length) => [length >> 3, length])
  return [...new Set([...lengths, 5, 16])].filter((length) => length >= 5 && length <= 16)
}

/** Algorithms 4 and 5: the user entry is what the key of the empty password makes of the padding and the ID. */
function legacyFits(
  dictionary: string,
  revision: number,
  owner: Uint8Array,
  user: Uint8Array,
  id: Uint8Array,
): boolean {
  const permissions = new Uint8Array(4)
  viewOf(permissions).setInt32(0, numberOf(dictionary, 'P') ?? 0, true)
  const hidesMetadata = revision >= 4 && /\/EncryptMetadata\s+false/.test(dictionary)
  const more = Uint8Array.from(hidesMetadata ? [255, 255, 255, 255] : [])
  const digested = md5(joined([PADDING, owner.subarray(0, 32), permissions, id, more]))
  return keyLengths(dictionary).some((length) => {
    let key = digested
    if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key.subarray(0, length))
    key = key.subarray(0, length)
    let value = revision === 2 ? PADDING : md5(joined([PADDING, id]))
    for (let round = 0; round < (revision === 2 ? 1 : 20); round++)
      value = rc4(
        key.map((byte) => byte ^ round),
        value,
      )
    return startsWith(user, value)
  })
}

const HASHES = ['SHA-256', 'SHA-384', 'SHA-512'] as const
const MAX_ROUNDS = 320

/** Algorithm 2.B, for the empty password. */
async function hardenedHash(salt: Uint8Array): Promise<Uint8Array> {
  let key = await digest('SHA-256', salt)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const repeated = new Uint8Array(key.length * 64)
    for (let copy = 0; copy < 64; copy++) repeated.set(key, copy * key.length)
    const aes = await crypto.subtle.importKey('raw', new Uint8Array(key.subarray(0, 16)), 'AES-CBC', false, [
      'encrypt',
    ])
    const iv = new Uint8Array(key.subarray(16, 32))
    // The padding that is added at the end is not part of the result.
    const encrypted = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, aes, repeated))
    const text = encrypted.subarray(0, repeated.length)
    const choice = text.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = await digest(HASHES[choice] ?? 'SHA-256', text)
    if (round >= 63 && (text.at(-1) ?? 0) <= round - 31) break
  }
  return key
}

async function digest(name: (typeof HASHES)[number], bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(name, new Uint8Array(bytes)))
}

function numberOf(dictionary: string, key: string): number | undefined {
  const value = new RegExp(`/${key}\\s+(-?\\d{1,12})(?![\\d.])`).exec(dictionary)?.[1]
  return value === undefined ? undefined : Number(value)
}

function stringOf(dictionary: string, key: string): Uint8Array | undefined {
  const found = new RegExp(`/${key}\\s*\\[?\\s*(?=[(<])`).exec(dictionary)
  return found === null ? undefined : pdfStringAt(dictionary, found.index + found[0].length)
}

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte)

// MD5 and RC4, only to tell whether a PDF opens without a password. Browsers have neither, and nothing is protected by them here.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const CONSTANTS = Uint32Array.from({ length: 64 }, (_, index) => Math.abs(Math.sin(index + 1)) * 2 ** 32)

/** RFC 1321. */
function md5(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, message.length * 8, true)
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let block = 0; block < padded.length; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      const [mixed = 0, word = 0] = [
        [(b & c) | (~b & d), step],
        [(d & b) | (~d & c), 5 * step + 1],
        [b ^ c ^ d, 3 * step + 5],
        [c ^ (b | ~d), 7 * step],
      ][round] as readonly number[]
      const sum = a + mixed + (CONSTANTS[step] ?? 0) + view.getUint32(block + (word % 16) * 4, true)
      const shift = SHIFTS[round * 4 + (step % 4)] ?? 0
      ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | ((sum >>> 0) >>> (32 - shift)))) | 0]
    }
    state[0] = (state[0] ?? 0) + a
    state[1] = (state[1] ?? 0) + b
    state[2] = (state[2] ?? 0) + c
    state[3] = (state[3] ?? 0) + d
  }
  return new Uint8Array(state.buffer)
}

export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index)
  let j = 0
  const swap = (i: number): void => {
    const kept = box[i] ?? 0
    box[i] = box[j] ?? 0
    box[j] = kept
  }
  for (let i = 0; i < 256; i++) {
    j = (j + (box[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i)
  }
  j = 0
  return data.map((byte, index) => {
    const i = (index + 1) & 255
    j = (j + (box[i] ?? 0)) & 255
    swap(i)
    return byte ^ (box[((box[i] ?? 0) + (box[j] ?? 0)) & 255] ?? 0)
  })
}

/** How far a string may go. Names and keys are short. */
const MAX_STRING = 4096

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The bytes of a literal or hexadecimal string. */
function pdfStringAt(text: string, at: number): Uint8Array {
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
