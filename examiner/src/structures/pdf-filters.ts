import { inflateDamaged, type NextByte } from './inflate-damaged.ts'

/** How a stream is decoded. */
export interface PdfFilters {
  /** Names without their slash, in the order in which they are decoded. */
  readonly names: readonly string[]
  /** Bytes of a row with a PNG predictor. */
  readonly rowBytes?: number | undefined
}

type Filter = (next: NextByte) => Generator<Uint8Array>

const FILTERS: Readonly<Record<string, Filter>> = {
  FlateDecode: inflateDamaged,
  Fl: inflateDamaged,
  LZWDecode: lzw,
  LZW: lzw,
  RunLengthDecode: runLength,
  RL: runLength,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
}

const NAMES = Object.keys(FILTERS)

/** The same name, as a string that does not keep the text that it is from in memory. */
export function filterName(name: string): string {
  return NAMES.find((known) => known === name) ?? 'unknown'
}

/** Filters after which content can be much larger. */
const EXPANDING = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL'])

export function expandingFilters(names: readonly string[]): number {
  return names.filter((name) => EXPANDING.has(name)).length
}

/** Decodes a stream as far as it can be read. Images stay encoded. */
export function* decodePdfStream(raw: Uint8Array, filters: PdfFilters): Generator<Uint8Array> {
  let parts: Iterable<Uint8Array> = [raw]
  for (const name of filters.names) {
    const filter = FILTERS[name]
    if (filter === undefined) break
    parts = filter(bytesIn(parts))
  }
  yield* filters.rowBytes === undefined ? parts : withoutPredictor(bytesIn(parts), filters.rowBytes)
}

function bytesIn(parts: Iterable<Uint8Array>): NextByte {
  const iterator = parts[Symbol.iterator]()
  let part: Uint8Array = new Uint8Array(0)
  let at = 0
  return () => {
    while (at >= part.length) {
      const { value, done } = iterator.next()
      if (done === true) return -1
      part = value
      at = 0
    }
    return part[at++] as number
  }
}

const PART_BYTES = 16_384

/** Collects single bytes. */
function* inParts(bytes: Iterable<number>): Generator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES)
  let length = 0
  for (const byte of bytes) {
    part[length++] = byte
    if (length < PART_BYTES) continue
    yield part
    part = new Uint8Array(PART_BYTES)
    length = 0
  }
  yield part.subarray(0, length)
}

const hexValue = (byte: number): number => Number.parseInt(String.fromCharCode(byte), 16)

function asciiHex(next: NextByte): Generator<Uint8Array> {
  return inParts(
    (function* () {
      let high: number | undefined
      for (let byte = next(); byte !== -1 && byte !== 0x3e; byte = next()) {
        const value = hexValue(byte)
        if (Number.isNaN(value)) continue
        if (high === undefined) high = value
        else {
          yield high * 16 + value
          high = undefined
        }
      }
      if (high !== undefined) yield high * 16
    })(),
  )
}

function ascii85(next: NextByte): Generator<Uint8Array> {
  return inParts(
    (function* () {
      let [value, count] = [0, 0]
      for (let byte = next(); byte !== -1 && byte !== 0x7e; byte = next()) {
        if (byte === 0x7a && count === 0) yield* [0, 0, 0, 0]
        if (byte < 0x21 || byte > 0x75) continue
        value = value * 85 + byte - 0x21
        if (++count < 5) continue
        for (const shift of [24, 16, 8, 0]) yield (value >>> shift) & 255
        value = 0
        count = 0
      }
      for (let missing = count; missing > 0 && missing < 5; missing++) value = value * 85 + 84
      for (let index = 0; index < count - 1; index++) yield (value >>> (24 - 8 * index)) & 255
    })(),
  )
}

function* runLength(next: NextByte): Generator<Uint8Array> {
  for (let length = next(); length !== -1 && length !== 128; length = next()) {
    if (length > 128) {
      const byte = next()
      if (byte === -1) return
      yield new Uint8Array(257 - length).fill(byte)
    } else {
      const bytes = Array.from({ length: length + 1 }, next).filter((byte) => byte !== -1)
      yield Uint8Array.from(bytes)
    }
  }
}

const [CLEAR, END] = [256, 257]

/** Codes of 9 to 12 bits, which become longer one code early, as in TIFF. */
function* lzw(next: NextByte): Generator<Uint8Array> {
  let table: Uint8Array[] = []
  let previous: Uint8Array | undefined
  let [held, count] = [0, 0]
  const single = Array.from({ length: 258 }, (_, byte) => Uint8Array.of(byte))
  const reset = (): void => {
    table = [...single]
    previous = undefined
  }
  reset()
  for (;;) {
    const bits = table.length >= 2047 ? 12 : table.length >= 1023 ? 11 : table.length >= 511 ? 10 : 9
    while (count < bits) {
      const byte = next()
      if (byte === -1) return
      held = ((held << 8) | byte) & 0xff_ffff
      count += 8
    }
    const code = (held >>> (count - bits)) & ((1 << bits) - 1)
    count -= bits
    if (code === END) return
    if (code === CLEAR) {
      reset()
      continue
    }
    const known = table[code]
    if (known === undefined && previous === undefined) return
    const entry = known ?? withByte(previous as Uint8Array, (previous as Uint8Array)[0] as number)
    if (previous !== undefined && table.length < 4096) table.push(withByte(previous, entry[0] as number))
    previous = entry
    yield entry
  }
}

function withByte(bytes: Uint8Array, byte: number): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  longer[bytes.length] = byte
  return longer
}

/** Undoes the filters of PNG, for samples of one byte. */
function* withoutPredictor(next: NextByte, rowBytes: number): Generator<Uint8Array> {
  let above = new Uint8Array(rowBytes)
  for (let type = next(); type !== -1; type = next()) {
    const row = new Uint8Array(rowBytes)
    for (let at = 0; at < rowBytes; at++) {
      const byte = next()
      if (byte === -1) {
        yield row.subarray(0, at)
        return
      }
      row[at] = byte + predicted(type, row[at - 1] ?? 0, above[at] as number, above[at - 1] ?? 0)
    }
    yield row
    above = row
  }
}

function predicted(type: number, left: number, up: number, corner: number): number {
  if (type === 1) return left
  if (type === 2) return up
  if (type === 3) return (left + up) >> 1
  if (type !== 4) return 0
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
