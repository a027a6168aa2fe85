import { crc32 } from '../../kit/src/web-host.ts'
import { utf8 } from '../../kit/src/encoding/bytes.ts'
import { layOutZip } from '../../kit/src/encoding/zip-layout.ts'
import { deflate } from './deflate.ts'
import { type Files, KIT_ID } from './draft-kit.ts'
import { ISSUED_AT } from './keys.ts'

/** kit.zip in the issued form. */
export function issuedZip(files: Files, root = KIT_ID): Uint8Array {
  const measured = [...files].map(([path, bytes]) => ({ path, sizeBytes: bytes.length, crc32: crc32(bytes) }))
  const layout = layOutZip(root, measured, ISSUED_AT)
  const pieces = Array.from(layout.pieces(0, layout.sizeBytes), (piece) =>
    'bytes' in piece ? piece.bytes : files.get(piece.path)!.subarray(piece.start, piece.end),
  )
  return Buffer.concat(pieces)
}

export interface Header {
  versionNeeded: number
  flags: number
  method: number
  time: number
  date: number
  crc32: number
  compressedBytes: number
  sizeBytes: number
  name: Uint8Array
  extra: Uint8Array
}

export interface CentralHeader extends Header {
  madeBy: number
  disk: number
  internalAttributes: number
  externalAttributes: number
  offset: number
  comment: Uint8Array
}

/** One archive entry with freely chosen headers. */
export interface Entry {
  name: string
  /** The bytes in the archive, compressed or not. */
  data: Uint8Array
  /** The fields of both headers. */
  header: Header
  local?: Partial<Header>
  central?: Partial<CentralHeader>
  before?: Uint8Array
  after?: Uint8Array
}

export interface Archive {
  entries: Entry[]
  prefix?: Uint8Array
  beforeDirectory?: Uint8Array
  afterDirectory?: Uint8Array
  /** Entries in directory order, if it differs from the order of the data. */
  directoryOrder?: (headers: Uint8Array[]) => Uint8Array[]
  end?: Partial<End>
  comment?: Uint8Array
  suffix?: Uint8Array
  /** Builds the bytes between directory and end record: a zip64 end record and its locator. */
  zip64?: (end: End) => Uint8Array
}

export interface End {
  disk: number
  directoryDisk: number
  countHere: number
  count: number
  directoryBytes: number
  directoryOffset: number
  commentBytes: number
}

/** The files as another tool would pack them: not the issued form, but a valid kit. */
export function otherZip(files: Files, change: (archive: Archive) => void = () => undefined): Uint8Array {
  const archive: Archive = {
    entries: [...files].map(([path, bytes]) => storedEntry(`${KIT_ID}/${path}`, bytes)),
  }
  change(archive)
  return archiveBytes(archive)
}

export function storedEntry(name: string, content: Uint8Array): Entry {
  return {
    name,
    data: content,
    header: {
      versionNeeded: 20,
      flags: 0x0800,
      method: 0,
      time: 0x6000,
      date: 0x5ca5,
      crc32: crc32(content),
      compressedBytes: content.length,
      sizeBytes: content.length,
      name: utf8(name),
      extra: new Uint8Array(0),
    },
  }
}

export function deflatedEntry(name: string, content: Uint8Array): Entry {
  const entry = storedEntry(name, content)
  const data = deflate(content)
  return { ...entry, data, header: { ...entry.header, method: 8, compressedBytes: data.length } }
}

export function folderEntry(name: string): Entry {
  return { ...storedEntry(name, new Uint8Array(0)), central: { externalAttributes: 0o40755 * 65536 + 0x10 } }
}

export function archiveBytes(archive: Archive): Uint8Array {
  const parts: Uint8Array[] = [archive.prefix ?? new Uint8Array(0)]
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  const headers: Uint8Array[] = []
  for (const entry of archive.entries) {
    parts.push(entry.before ?? new Uint8Array(0))
    headers.push(centralBytes(entry, length()))
    parts.push(localBytes({ ...entry.header, ...entry.local }), entry.data, entry.after ?? new Uint8Array(0))
  }
  parts.push(archive.beforeDirectory ?? new Uint8Array(0))
  const directoryOffset = length()
  const directory = Buffer.concat(archive.directoryOrder?.(headers) ?? headers)
  parts.push(directory, archive.afterDirectory ?? new Uint8Array(0))
  const comment = archive.comment ?? new Uint8Array(0)
  const end: End = {
    disk: 0,
    directoryDisk: 0,
    countHere: headers.length,
    count: headers.length,
    directoryBytes: directory.length,
    directoryOffset,
    commentBytes: comment.length,
    ...archive.end,
  }
  parts.push(
    archive.zip64?.(end) ?? new Uint8Array(0),
    endBytes(end),
    comment,
    archive.suffix ?? new Uint8Array(0),
  )
  return Buffer.concat(parts)
}

function localBytes(header: Header): Uint8Array {
  return Buffer.concat([
    u32(0x04034b50),
    shared(header),
    u16(header.name.length, header.extra.length),
    header.name,
    header.extra,
  ])
}

function centralBytes(entry: Entry, offset: number): Uint8Array {
  const header: CentralHeader = {
    madeBy: 0x0314,
    disk: 0,
    internalAttributes: 0,
    externalAttributes: 0o100644 * 65536,
    offset,
    comment: new Uint8Array(0),
    ...entry.header,
    ...entry.central,
  }
  return Buffer.concat([
    u32(0x02014b50),
    u16(header.madeBy),
    shared(header),
    u16(
      header.name.length,
      header.extra.length,
      header.comment.length,
      header.disk,
      header.internalAttributes,
    ),
    u32(header.externalAttributes, header.offset),
    header.name,
    header.extra,
    header.comment,
  ])
}

function shared(header: Header): Uint8Array {
  return Buffer.concat([
    u16(header.versionNeeded, header.flags, header.method, header.time, header.date),
    u32(header.crc32, header.compressedBytes, header.sizeBytes),
  ])
}

export function endBytes(end: End): Uint8Array {
  return Buffer.concat([
    u32(0x06054b50),
    u16(end.disk, end.directoryDisk, end.countHere, end.count),
    u32(end.directoryBytes, end.directoryOffset),
    u16(end.commentBytes),
  ])
}

/** The end record of an empty archive, with a comment of the given length. */
export const emptyEnd = (commentBytes = 0): Uint8Array =>
  endBytes({
    disk: 0,
    directoryDisk: 0,
    countHere: 0,
    count: 0,
    directoryBytes: 0,
    directoryOffset: 0,
    commentBytes,
  })

/** A zip64 end record followed by its locator. */
export function zip64EndBytes(
  end: End,
  change: { count?: number; size?: number; locator?: number } = {},
): Uint8Array {
  const count = change.count ?? end.count
  return Buffer.concat([
    u32(0x06064b50),
    u64(change.size ?? 44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, end.directoryBytes, end.directoryOffset),
    u32(0x07064b50, 0),
    u64(change.locator ?? end.directoryOffset + end.directoryBytes),
    u32(1),
  ])
}

export function extraField(id: number, data: Uint8Array): Uint8Array {
  return Buffer.concat([u16(id, data.length), data])
}

export function u16(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

export function u32(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

export function u64(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8)
  return bytes
}
