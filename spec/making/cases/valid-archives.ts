import { crc32 } from '../../../kit/src/encoding/crc32.ts'
import { type Case, kit, passes } from '../case.ts'
import {
  type Archive,
  deflatedEntry,
  type Entry,
  extraField,
  folderEntry,
  otherZip,
  u16,
  u32,
  u64,
  zip64EndBytes,
} from '../archive.ts'
import { draftKit, KIT_ID } from '../draft.ts'
import { asIssued } from './one-archive.ts'
import { utf8 } from '../../../kit/src/encoding/utf8.ts'

const { files } = draftKit()
const rezipped = (name: string, change: (archive: Archive) => void): Case =>
  kit(name, otherZip(files, change), passes())

/** Kits repacked by another tool: other bytes, the same kit. */
export const validArchives: readonly Case[] = [
  rezipped('a-kit-packed-by-another-tool-passes', () => undefined),
  rezipped('a-kit-packed-again-with-compression-passes', (archive) => {
    archive.entries = archive.entries.map(({ name, data }) => deflatedEntry(name, data))
  }),
  rezipped('folder-entries-of-folders-that-hold-files-pass', (archive) => {
    archive.entries.unshift(folderEntry(`${KIT_ID}/`), folderEntry(`${KIT_ID}/data/`))
  }),
  rezipped('entries-in-another-order-pass', (archive) => {
    archive.entries = archive.entries.toReversed()
  }),
  rezipped('a-directory-in-another-order-than-the-data-passes', (archive) => {
    archive.directoryOrder = (headers) => headers.toReversed()
  }),
  rezipped('an-archive-with-a-comment-passes', (archive) => {
    archive.comment = utf8('packed again in May')
  }),
  rezipped('an-archive-with-a-comment-that-begins-like-a-signature-passes', (archive) => {
    archive.comment = utf8('PKs kit, packed again')
  }),
  rezipped('attributes-of-a-link-on-a-system-without-links-pass', (archive) => {
    archive.entries[0]!.central = { madeBy: 0x0014, externalAttributes: 0o120777 * 65536 }
  }),
  rezipped('an-extra-field-without-content-passes', (archive) => {
    for (const entry of archive.entries) entry.header.extra = extraField(0x5455, new Uint8Array(0))
  }),
  rezipped('an-archive-made-on-dos-passes', (archive) => {
    for (const entry of archive.entries) {
      entry.header.flags = 0
      entry.central = { madeBy: 0x0014, externalAttributes: 0x20 }
    }
  }),
  rezipped('time-stamps-in-extra-fields-may-differ-between-headers', (archive) => {
    for (const entry of archive.entries) {
      entry.local = { extra: extraField(0x5455, Uint8Array.of(3, 0, 0, 0, 1, 0, 0, 0, 2)) }
      entry.central = { extra: extraField(0x5455, Uint8Array.of(3, 0, 0, 0, 1)) }
    }
  }),
  rezipped('a-unicode-path-field-that-repeats-the-name-passes', (archive) => {
    for (const entry of archive.entries) entry.header.extra = unicodePath(entry.header.name)
  }),
  rezipped('data-descriptors-with-a-signature-pass', (archive) =>
    described(archive, (e) => Buffer.concat([u32(0x08074b50), sizes(e)])),
  ),
  rezipped('data-descriptors-without-a-signature-pass', (archive) => described(archive, sizes)),
  rezipped('data-descriptors-with-wide-sizes-pass', (archive) => described(archive, wideSizes)),
  rezipped('data-descriptors-with-wide-sizes-and-no-signature-pass', (archive) =>
    described(archive, (entry) => wideSizes(entry).subarray(4)),
  ),
  rezipped('sizes-and-offsets-in-zip64-fields-pass', (archive) => {
    let offset = 0
    for (const entry of archive.entries) {
      const { sizeBytes, compressedBytes } = entry.header
      const both = u64(sizeBytes, compressedBytes)
      Object.assign(entry.header, { sizeBytes: 0xffffffff, compressedBytes: 0xffffffff, versionNeeded: 45 })
      entry.local = { extra: extraField(1, both) }
      entry.central = { offset: 0xffffffff, extra: extraField(1, Buffer.concat([both, u64(offset)])) }
      offset += 30 + entry.header.name.length + 20 + entry.data.length
    }
  }),
  rezipped('an-offset-alone-in-a-zip64-field-passes', offsetsInZip64Fields),
  kit('an-issued-archive-with-zip64-fields-passes', asIssued(offsetsInZip64Fields), passes()),
  rezipped('a-zip64-end-record-without-need-passes', (archive) => {
    archive.zip64 = (end) => zip64EndBytes(end)
  }),
  kit(
    'a-zip64-end-record-with-a-saturated-end-record-passes',
    saturated(otherZip(files, (archive) => (archive.zip64 = (end) => zip64EndBytes(end)))),
    passes(),
  ),
]

function offsetsInZip64Fields(archive: Archive): void {
  let offset = 0
  for (const entry of archive.entries) {
    entry.header.versionNeeded = 45
    entry.central = { offset: 0xffffffff, extra: extraField(1, u64(offset)) }
    offset += 30 + entry.header.name.length + entry.data.length
  }
}

/** The sizes follow the data; the local header leaves them empty. */
function described(archive: Archive, descriptor: (entry: Entry) => Uint8Array): void {
  archive.entries = archive.entries.map(({ name, data }) => {
    const entry = deflatedEntry(name, data)
    entry.header.flags |= 8
    return { ...entry, local: { crc32: 0, compressedBytes: 0, sizeBytes: 0 }, after: descriptor(entry) }
  })
}

function sizes({ header }: Entry): Uint8Array {
  return u32(header.crc32, header.compressedBytes, header.sizeBytes)
}

function wideSizes({ header }: Entry): Uint8Array {
  return Buffer.concat([u32(0x08074b50, header.crc32), u64(header.compressedBytes, header.sizeBytes)])
}

export function unicodePath(name: Uint8Array, again = name): Uint8Array {
  return extraField(0x7075, Buffer.concat([Uint8Array.of(1), u32(crc32(name)), again]))
}

/** Leaves the counts to the zip64 end record. */
function saturated(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip)
  bytes.set(u16(0xffff, 0xffff), bytes.length - 14)
  bytes.set(u32(0xffffffff, 0xffffffff), bytes.length - 10)
  return bytes
}
