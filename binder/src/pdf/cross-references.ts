/** Where an object is. */
export type FileEntry =
  | { readonly in: 'file'; readonly offset: number }
  | { readonly in: 'pack'; readonly pack: number; readonly index: number }

/** Compressed rows, with which a compressed stream can end. */
export interface DeflatedRows {
  /** Blocks without the head of a stream and its checksum (RFC 1951). */
  readonly blocks: Buffer
  readonly sizeBytes: number
  readonly checksum: number
}

/** Type, place and index, after the kind of the row. */
const ROW_BYTES = 1 + 1 + 4 + 2
/** PNG filters: a row as it is, and a row minus the one above it, because numbered rows compress badly. */
const PLAIN = 0
const MINUS_ABOVE = 2
const ZLIB_HEAD = Buffer.of(0x78, 0x9c)
const ZLIB_CHECKSUM_BYTES = 4
const MAX_STORED_BYTES = 65_535
const MODULO = 65_521

/** Rows of a cross-reference stream (ISO 32000-1 section 7.5.8). */
export function deflateRows(
  entries: readonly FileEntry[],
  deflate: (content: Uint8Array) => Uint8Array,
): DeflatedRows {
  const rows = Buffer.alloc(entries.length * ROW_BYTES)
  for (const [at, entry] of entries.entries()) {
    if (entry.in === 'file') writeRow(rows, at, 1, entry.offset, 0)
    else writeRow(rows, at, 2, entry.pack, entry.index)
  }
  for (let at = rows.length - 1; at >= ROW_BYTES; at--) {
    rows[at] = at % ROW_BYTES === 0 ? MINUS_ABOVE : (rows[at] ?? 0) - (rows[at - ROW_BYTES] ?? 0)
  }
  const stream = Buffer.from(deflate(rows))
  const end = stream.length - ZLIB_CHECKSUM_BYTES
  return {
    blocks: stream.subarray(ZLIB_HEAD.length, end),
    sizeBytes: rows.length,
    checksum: stream.readUInt32BE(end),
  }
}

/** A compressed cross-reference stream: the objects of one file, by number from 1, then the rows that it shares with others. */
export function crossReferences(offsets: readonly number[], shared: DeflatedRows): Uint8Array {
  const rows = Buffer.allocUnsafe(offsets.length * ROW_BYTES)
  writeRow(rows, 0, 0, 0, 65_535)
  for (let number = 1; number < offsets.length; number++) writeRow(rows, number, 1, offsets[number] ?? 0, 0)
  return Buffer.concat([ZLIB_HEAD, ...storedBlocks(rows), shared.blocks, checksumOf(rows, shared)])
}

/** Blocks without compression (RFC 1951, section 3.2.4). */
function* storedBlocks(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += MAX_STORED_BYTES) {
    const stored = content.subarray(at, at + MAX_STORED_BYTES)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(stored.length, 1)
    head.writeUInt16LE(MAX_STORED_BYTES - stored.length, 3)
    yield head
    yield stored
  }
}

/** Adler-32 of two parts (RFC 1950). */
function checksumOf(first: Buffer, { sizeBytes, checksum }: DeflatedRows): Buffer {
  let low = 1
  let high = 0
  for (const byte of first) {
    low = (low + byte) % MODULO
    high = (high + low) % MODULO
  }
  const before = low + MODULO - 1
  const result = Buffer.alloc(ZLIB_CHECKSUM_BYTES)
  result.writeUInt16BE((high + (checksum >>> 16) + sizeBytes * before) % MODULO, 0)
  result.writeUInt16BE((before + (checksum & 0xff_ff)) % MODULO, 2)
  return result
}

function writeRow(rows: Buffer, at: number, type: 0 | 1 | 2, place: number, index: number): void {
  const from = at * ROW_BYTES
  rows.writeUInt8(PLAIN, from)
  rows.writeUInt8(type, from + 1)
  rows.writeUInt32BE(place, from + 2)
  rows.writeUInt16BE(index, from + 6)
}
