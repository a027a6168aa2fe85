import { comparePaths } from '../paths.ts'
import { utf8 } from './utf8.ts'
import * as zip from './zip-format.ts'

export interface ZipInput {
  readonly path: string
  readonly sizeBytes: number
  readonly crc32: number
}

export type ZipPiece =
  | { readonly bytes: Uint8Array }
  | { readonly path: string; readonly start: number; readonly end: number }

export interface ZipLayout {
  readonly sizeBytes: number
  /** The pieces of the byte range [start, end): header bytes, and ranges of file contents. */
  pieces(start: number, end: number): Iterable<ZipPiece>
}

/**
 * Computes the layout of a zip archive from names, sizes and CRC-32s, without the content. The same input gives
 * the same bytes, and any byte range can be produced on its own.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { layOutZip } from '@kitseal/kit'
 *
 * const files = [{ path: 'a.txt', sizeBytes: 2, crc32: 0 }]
 * const layout = layOutZip('kit', files, '2026-01-31T12:00:00.000Z')
 * const pieces = [...layout.pieces(0, layout.sizeBytes)]
 * assert.ok(pieces.some((piece) => 'path' in piece && piece.path === 'a.txt'))
 * ```
 */
export function layOutZip(root: string, files: readonly ZipInput[], instant: string): ZipLayout {
  const time = zip.dosTime(instant)
  const names = files.map(({ path }) => utf8(`${root}/${path}`))
  const writer = new Writer(headerBytes(names))
  const parts: Part[] = []
  const directory: Uint8Array[] = []
  let at = 0
  const append = (part: Piece): void => {
    parts.push({ at, ...part })
    at += part.length
  }
  for (const [index, file] of files.entries()) {
    const name = names[index]!
    directory.push(centralHeader(writer, name, file, at, time))
    append(bytesPiece(localHeader(writer, name, file, at, time)))
    if (file.sizeBytes > 0) append({ path: file.path, length: file.sizeBytes })
  }
  const directoryAt = at
  for (const header of directory) append(bytesPiece(header))
  append(bytesPiece(endRecords(writer, files.length, directoryAt, at - directoryAt)))
  return { sizeBytes: at, pieces: (start, end) => piecesOf(parts, start, end) }
}

/** The size of all headers, at most. */
function headerBytes(names: readonly Uint8Array[]): number {
  const each = zip.LOCAL_HEADER_BYTES + 20 + zip.CENTRAL_HEADER_BYTES + 28
  const end = zip.END_RECORD_BYTES + zip.ZIP64_END_RECORD_BYTES + zip.ZIP64_LOCATOR_BYTES
  return names.reduce((total, { length }) => total + each + 2 * length, end)
}

/** The order of files in kit.zip: artifacts, then the envelope, each sorted by path. */
export function inZipOrder<T extends { readonly path: string }>(
  artifacts: readonly T[],
  envelope: readonly T[],
): readonly T[] {
  const byPath = (a: T, b: T): number => comparePaths(a.path, b.path)
  return [...artifacts.toSorted(byPath), ...envelope.toSorted(byPath)]
}

type Piece = { readonly length: number } & ({ readonly bytes: Uint8Array } | { readonly path: string })
type Part = Piece & { readonly at: number }
type Time = { readonly time: number; readonly date: number }

function bytesPiece(bytes: Uint8Array): Piece {
  return { bytes, length: bytes.length }
}

function* piecesOf(parts: readonly Part[], start: number, end: number): Iterable<ZipPiece> {
  for (let index = firstPartAt(parts, start); index < parts.length; index++) {
    const part = parts[index]!
    if (part.at >= end) return
    const from = Math.max(start - part.at, 0)
    const to = Math.min(end - part.at, part.length)
    if (from >= to) continue
    yield 'bytes' in part
      ? { bytes: part.bytes.subarray(from, to) }
      : { path: part.path, start: from, end: to }
  }
}

function firstPartAt(parts: readonly Part[], offset: number): number {
  let low = 0
  let high = parts.length
  while (low < high) {
    const middle = (low + high) >> 1
    const part = parts[middle]!
    if (part.at + part.length <= offset) low = middle + 1
    else high = middle
  }
  return low
}

function localHeader(
  header: Writer,
  name: Uint8Array,
  file: ZipInput,
  offset: number,
  time: Time,
): Uint8Array {
  const big = zip.hasZip64Size(file.sizeBytes)
  header.start(zip.LOCAL_HEADER_BYTES + name.length + (big ? 20 : 0))
  header.u32(zip.LOCAL_HEADER)
  sharedFields(header, file, offset, time)
  header.u16(name.length)
  header.u16(big ? 20 : 0)
  header.bytes(name)
  if (big) {
    header.u16(zip.ZIP64_EXTRA)
    header.u16(16)
    header.u64(file.sizeBytes)
    header.u64(file.sizeBytes)
  }
  return header.done()
}

function centralHeader(
  header: Writer,
  name: Uint8Array,
  file: ZipInput,
  offset: number,
  time: Time,
): Uint8Array {
  const bigSize = zip.hasZip64Size(file.sizeBytes)
  const bigOffset = isBeyond32(offset)
  const extra = (bigSize ? 16 : 0) + (bigOffset ? 8 : 0)
  const extraBytes = extra === 0 ? 0 : extra + 4
  header.start(zip.CENTRAL_HEADER_BYTES + name.length + extraBytes)
  header.u32(zip.CENTRAL_HEADER)
  header.u16(zip.ISSUED_MADE_BY)
  sharedFields(header, file, offset, time)
  header.u16(name.length)
  header.u16(extraBytes)
  header.u16(0) // comment
  header.u16(0) // disk
  header.u16(0) // internal attributes
  header.u32(zip.ISSUED_ATTRIBUTES)
  header.u32(bigOffset ? zip.FULL_32 : offset)
  header.bytes(name)
  if (extra > 0) {
    header.u16(zip.ZIP64_EXTRA)
    header.u16(extra)
    if (bigSize) {
      header.u64(file.sizeBytes)
      header.u64(file.sizeBytes)
    }
    if (bigOffset) header.u64(offset)
  }
  return header.done()
}

const isBeyond32 = (offset: number): boolean => offset >= zip.FULL_32

/** The fields that both headers share. The version depends on the offset, though only the directory contains it. */
function sharedFields(header: Writer, file: ZipInput, offset: number, { time, date }: Time): void {
  const isBig = zip.hasZip64Size(file.sizeBytes)
  const size = isBig ? zip.FULL_32 : file.sizeBytes
  header.u16(isBig || isBeyond32(offset) ? zip.VERSION_ZIP64 : zip.VERSION_PLAIN)
  header.u16(zip.UTF8_NAMES)
  header.u16(zip.STORED)
  header.u16(time)
  header.u16(date)
  header.u32(file.crc32)
  header.u32(size)
  header.u32(size)
}

function endRecords(end: Writer, count: number, directoryAt: number, directoryBytes: number): Uint8Array {
  const zip64 = count >= zip.FULL_16 || directoryAt >= zip.FULL_32 || directoryBytes >= zip.FULL_32
  end.start(zip.END_RECORD_BYTES + (zip64 ? zip.ZIP64_END_RECORD_BYTES + zip.ZIP64_LOCATOR_BYTES : 0))
  if (zip64) {
    end.u32(zip.ZIP64_END_RECORD)
    end.u64(zip.ZIP64_END_RECORD_BYTES - 12)
    end.u16(zip.ISSUED_MADE_BY)
    end.u16(zip.VERSION_ZIP64)
    end.u32(0)
    end.u32(0)
    end.u64(count)
    end.u64(count)
    end.u64(directoryBytes)
    end.u64(directoryAt)
    end.u32(zip.ZIP64_LOCATOR)
    end.u32(0)
    end.u64(directoryAt + directoryBytes)
    end.u32(1)
  }
  end.u32(zip.END_RECORD)
  end.u16(0)
  end.u16(0)
  end.u16(Math.min(count, zip.FULL_16))
  end.u16(Math.min(count, zip.FULL_16))
  end.u32(Math.min(directoryBytes, zip.FULL_32))
  end.u32(Math.min(directoryAt, zip.FULL_32))
  end.u16(0)
  return end.done()
}

/** Writes one record after another into the same buffer. */
class Writer {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #start = 0
  #end = 0
  #at = 0

  constructor(maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes)
    this.#view = new DataView(this.#bytes.buffer)
  }

  start(length: number): void {
    this.#start = this.#at
    this.#end = this.#at + length
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  u64(value: number): void {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    this.#at += 8
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  done(): Uint8Array {
    if (this.#at !== this.#end) throw new Error('a zip record was laid out with the wrong length')
    return this.#bytes.subarray(this.#start, this.#end)
  }
}
