import { firstWhere } from '../lists.ts'
import { comparePaths } from '../paths.ts'
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
  const headers = new Writer(headerBytes(root, files, zip.LOCAL_HEADER_BYTES + 20))
  const directory = new Writer(headerBytes(root, files, zip.CENTRAL_HEADER_BYTES + 28))
  const parts: Part[] = []
  let at = 0
  const append = (length: number, path?: string, bytes: Uint8Array = NO_BYTES): void => {
    parts.push({ at, length, path, bytes })
    at += length
  }
  for (const file of files) {
    const name = `${root}/${file.path}`
    centralHeader(directory, name, file, at, time)
    const header = localHeader(headers, name, file, at, time)
    append(header.length, undefined, header)
    if (file.sizeBytes > 0) append(file.sizeBytes, file.path)
  }
  endRecords(directory, files.length, at, directory.length)
  append(directory.length, undefined, directory.since(0))
  return { sizeBytes: at, pieces: (start, end) => piecesOf(parts, start, end) }
}

const NO_BYTES = new Uint8Array(0)

/** The size of the headers of one kind and of the end records, at most. */
function headerBytes(root: string, files: readonly ZipInput[], each: number): number {
  const start = each + longest(root) + 1
  const end = zip.END_RECORD_BYTES + zip.ZIP64_END_RECORD_BYTES + zip.ZIP64_LOCATOR_BYTES
  return files.reduce((total, { path }) => total + start + longest(path), end)
}

/** A UTF-16 unit takes at most three bytes in UTF-8. */
function longest(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : 3 * text.length
}

/** The order of files in kit.zip: artifacts, then the envelope, each sorted by path. */
export function inZipOrder<T extends { readonly path: string }>(
  artifacts: readonly T[],
  envelope: readonly T[],
): readonly T[] {
  const byPath = (a: T, b: T): number => comparePaths(a.path, b.path)
  return [...artifacts.toSorted(byPath), ...envelope.toSorted(byPath)]
}

/** The content of a file or, without a path, headers. */
interface Part {
  readonly at: number
  readonly length: number
  readonly path: string | undefined
  readonly bytes: Uint8Array
}

type Time = { readonly time: number; readonly date: number }

function* piecesOf(parts: readonly Part[], start: number, end: number): Iterable<ZipPiece> {
  const first = firstWhere(parts, ({ at, length }) => at + length > start)
  for (let index = first; index < parts.length; index++) {
    const part = parts[index]!
    if (part.at >= end) return
    const from = Math.max(start - part.at, 0)
    const to = Math.min(end - part.at, part.length)
    if (from >= to) continue
    yield part.path === undefined
      ? { bytes: part.bytes.subarray(from, to) }
      : { path: part.path, start: from, end: to }
  }
}

function localHeader(header: Writer, name: string, file: ZipInput, offset: number, time: Time): Uint8Array {
  const big = zip.hasZip64Size(file.sizeBytes)
  const start = header.length
  const nameBytes = header.text(name, zip.LOCAL_HEADER_BYTES)
  header.u32(zip.LOCAL_HEADER)
  sharedFields(header, file, offset, time)
  header.u16(nameBytes)
  header.u16(big ? 20 : 0)
  header.skip(nameBytes)
  if (big) {
    header.u16(zip.ZIP64_EXTRA)
    header.u16(16)
    header.u64(file.sizeBytes)
    header.u64(file.sizeBytes)
  }
  return header.since(start)
}

function centralHeader(header: Writer, name: string, file: ZipInput, offset: number, time: Time): void {
  const bigSize = zip.hasZip64Size(file.sizeBytes)
  const bigOffset = isBeyond32(offset)
  const extra = (bigSize ? 16 : 0) + (bigOffset ? 8 : 0)
  const nameBytes = header.text(name, zip.CENTRAL_HEADER_BYTES)
  header.u32(zip.CENTRAL_HEADER)
  header.u16(zip.ISSUED_MADE_BY)
  sharedFields(header, file, offset, time)
  header.u16(nameBytes)
  header.u16(extra === 0 ? 0 : extra + 4)
  header.u16(0) // comment
  header.u16(0) // disk
  header.u16(0) // internal attributes
  header.u32(zip.ISSUED_ATTRIBUTES)
  header.u32(bigOffset ? zip.FULL_32 : offset)
  header.skip(nameBytes)
  if (extra > 0) {
    header.u16(zip.ZIP64_EXTRA)
    header.u16(extra)
    if (bigSize) {
      header.u64(file.sizeBytes)
      header.u64(file.sizeBytes)
    }
    if (bigOffset) header.u64(offset)
  }
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

function endRecords(end: Writer, count: number, directoryAt: number, directoryBytes: number): void {
  const zip64 = count >= zip.FULL_16 || directoryAt >= zip.FULL_32 || directoryBytes >= zip.FULL_32
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
}

const encoder = new TextEncoder()

/** Writes one record after another into the same buffer. */
class Writer {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#at
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

  /** Writes text further on, to be skipped when all before it is written. Returns its length in bytes. */
  text(text: string, ahead: number): number {
    return encoder.encodeInto(text, this.#bytes.subarray(this.#at + ahead)).written
  }

  skip(length: number): void {
    this.#at += length
  }

  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#at)
  }
}
