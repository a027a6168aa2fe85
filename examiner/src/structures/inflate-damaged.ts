import { copyOf, joined } from '../platform/sources.ts'

/** Reads single bytes of a stream; -1 at its end. */
export type NextByte = () => number

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12_289, 16_385, 24_577,
]
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const WINDOW_BYTES = 32_768
const MAX_BITS = 15

/** Codes of one alphabet: how many there are of each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

/** The start of what is inflated, as far as it can be read. */
export function inflated(zlib: Uint8Array, limitBytes: number): Uint8Array {
  let [at, length] = [0, 0]
  const parts: Uint8Array[] = []
  for (const part of inflateDamaged(() => (at < zlib.length ? (zlib[at++] as number) : -1))) {
    parts.push(copyOf(part))
    length += part.length
    if (length > limitBytes) break
  }
  return joined(...parts)
}

/**
 * Inflates zlib or raw deflate data (RFC 1950, 1951) in bounded memory, up to where it is damaged or cut off, as PDF readers
 * do. The inflaters of the platforms drop what they decoded before the damage, each at another place.
 */
export function* inflateDamaged(next: NextByte): Generator<Uint8Array> {
  const bits = new Bits(next)
  const output = new Output()
  bits.skipZlibHeader()
  try {
    for (let isLast = false; !isLast;) {
      isLast = bits.take(1) === 1
      const type = bits.take(2)
      if (type === 0) yield* storedBlock(bits, output)
      else if (type === 3) break
      else yield* codedBlock(bits, output, type === 1 ? FIXED : dynamicCodes(bits))
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
  yield output.rest()
}

class Damaged extends Error {}

class Bits {
  readonly #next: NextByte
  #held = 0
  #count = 0

  constructor(next: NextByte) {
    this.#next = next
  }

  take(count: number): number {
    while (this.#count < count) this.#load()
    const value = this.#held & ((1 << count) - 1)
    this.#held >>>= count
    this.#count -= count
    return value
  }

  /** The symbol of the next code (as in zlib's puff). */
  symbol({ counts, symbols }: Codes): number {
    let [code, first, index] = [0, 0, 0]
    for (let length = 1; length <= MAX_BITS; length++) {
      if (this.#count === 0) this.#load()
      code |= this.#held & 1
      this.#held >>>= 1
      this.#count--
      const count = counts[length] as number
      if (code - count < first) return symbols[index + (code - first)] as number
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new Damaged()
  }

  dropByte(): void {
    this.#held >>>= this.#count & 7
    this.#count &= ~7
  }

  /** Two bytes before the data, which some files lack. */
  skipZlibHeader(): void {
    try {
      while (this.#count < 16) this.#load()
    } catch {
      return
    }
    const [first, second] = [this.#held & 255, (this.#held >> 8) & 255]
    if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0) return
    this.#held = 0
    this.#count = 0
  }

  #load(): void {
    const byte = this.#next()
    if (byte < 0) throw new Damaged()
    this.#held |= byte << this.#count
    this.#count += 8
  }
}

/** Twice the window: the first half is what was returned before. */
class Output {
  #bytes = new Uint8Array(2 * WINDOW_BYTES)
  #length = 0
  #returned = 0

  get isFull(): boolean {
    return this.#length > 2 * WINDOW_BYTES - 258
  }

  add(byte: number): void {
    this.#bytes[this.#length++] = byte
  }

  copy(distance: number, count: number): void {
    if (distance > this.#length) throw new Damaged()
    const bytes = this.#bytes
    let to = this.#length
    for (let from = to - distance; to < this.#length + count; from++, to++) bytes[to] = bytes[from] as number
    this.#length = to
  }

  flush(): Uint8Array {
    const ready = this.rest()
    this.#bytes.copyWithin(0, this.#length - WINDOW_BYTES, this.#length)
    this.#length = WINDOW_BYTES
    this.#returned = WINDOW_BYTES
    return ready
  }

  rest(): Uint8Array {
    return this.#bytes.slice(this.#returned, this.#length)
  }
}

function* storedBlock(bits: Bits, output: Output): Generator<Uint8Array> {
  bits.dropByte()
  const length = bits.take(16)
  if ((length ^ bits.take(16)) !== 0xffff) throw new Damaged()
  for (let count = 0; count < length; count++) {
    if (output.isFull) yield output.flush()
    output.add(bits.take(8))
  }
}

function* codedBlock(bits: Bits, output: Output, [literals, distances]: Alphabets): Generator<Uint8Array> {
  for (;;) {
    if (output.isFull) yield output.flush()
    const symbol = bits.symbol(literals)
    if (symbol === 256) return
    if (symbol < 256) {
      output.add(symbol)
      continue
    }
    const length = LENGTH_BASE[symbol - 257]
    if (length === undefined) throw new Damaged()
    const count = length + bits.take(LENGTH_BITS[symbol - 257] as number)
    const code = bits.symbol(distances)
    const distance = DISTANCE_BASE[code]
    if (distance === undefined) throw new Damaged()
    output.copy(distance + bits.take(code < 4 ? 0 : (code >> 1) - 1), count)
  }
}

type Alphabets = readonly [literals: Codes, distances: Codes]

const FIXED: Alphabets = [
  codesOf(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))),
  codesOf(Array.from({ length: 30 }, () => 5)),
]

function dynamicCodes(bits: Bits): Alphabets {
  const literals = bits.take(5) + 257
  const distances = bits.take(5) + 1
  const used = bits.take(4) + 4
  const ofLengths = Array.from({ length: 19 }, () => 0)
  for (let at = 0; at < used; at++) ofLengths[CODE_ORDER[at] as number] = bits.take(3)
  const codes = codesOf(ofLengths)
  const lengths: number[] = []
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(codes)
    if (symbol < 16) lengths.push(symbol)
    else {
      const value = symbol === 16 ? lengths.at(-1) : 0
      if (value === undefined) throw new Damaged()
      const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
      for (let count = 0; count < times; count++) lengths.push(value)
    }
  }
  return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals, literals + distances))]
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = new Uint16Array(MAX_BITS + 1)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  const offsets = new Uint16Array(MAX_BITS + 2)
  for (let length = 1; length <= MAX_BITS; length++)
    offsets[length + 1] = (offsets[length] as number) + (counts[length] as number)
  const symbols = new Uint16Array(lengths.length)
  for (const [symbol, length] of lengths.entries()) if (length !== 0) symbols[offsets[length]!++] = symbol
  return { counts, symbols }
}
