import { deflateRawSync } from 'node:zlib'
import { extraField, folderEntry, u32, u64, zip64EndBytes } from '../../forge/archive.ts'
import { type Construction, entry, text, whole } from './construction.ts'

/** Unusual but unambiguous: accepted and verified. */
export const plainArchives: readonly Construction[] = [
  whole('nothing unusual', () => undefined),
  whole('entries in another order', (archive) => (archive.entries = archive.entries.toReversed())),
  whole(
    'a directory in another order',
    (archive) => (archive.directoryOrder = (headers) => headers.toReversed()),
  ),
  whole('a comment', (archive) => (archive.comment = text('packed again'))),
  whole('a zip64 end record without need', (archive) => (archive.zip64 = (end) => zip64EndBytes(end))),
  entry('a time stamp in an extra field', (victim) => {
    victim.header.extra = extraField(0x5455, Uint8Array.of(1, 0, 0, 0, 1))
  }),
  entry('deflated data with its sizes behind it', (victim) => {
    const data = deflateRawSync(victim.header.method === 0 ? victim.data : Buffer.from('never'))
    if (victim.header.method === 0) {
      victim.data = data
      Object.assign(victim.header, { method: 8, compressedBytes: data.length })
    }
    victim.header.flags |= 8
    victim.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }
    victim.after = u32(
      0x08074b50,
      victim.header.crc32,
      victim.header.compressedBytes,
      victim.header.sizeBytes,
    )
  }),
  entry('sizes in a zip64 field', (victim) => {
    victim.header.extra = extraField(1, u64(victim.header.sizeBytes, victim.header.compressedBytes))
    const saturated = { sizeBytes: 0xffffffff, compressedBytes: 0xffffffff }
    Object.assign(victim, { local: saturated, central: saturated })
  }),
]

/** Written by real tools and unambiguous: accepted as evidence, but too loose for a kit. */
export const evidenceOnlyArchives: readonly Construction[] = [
  entry('a comment on an entry', (victim) => (victim.central = { comment: text('a note') })),
  entry('two versions needed', (victim) => (victim.local = { versionNeeded: 10 })),
  entry('two times', (victim) => (victim.local = { time: victim.header.time ^ 32 })),
  entry('a zip64 field of zeros', (victim) => (victim.local = { extra: extraField(1, new Uint8Array(16)) })),
  entry(
    'content that was read from a pipe',
    (victim) => (victim.central = { externalAttributes: 0o010644 * 65536 }),
  ),
  whole('an empty folder', (archive, root) => archive.entries.push(folderEntry(`${root}empty/`))),
]
