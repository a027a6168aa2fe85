import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { ARTIFACTS, type Case, fails, kit, MANIFEST, times, UNREADABLE } from '../case.ts'
import {
  archiveBytes,
  deflatedEntry,
  type End,
  type Entry,
  extraField,
  otherZip,
  u32,
  u64,
  zip64EndBytes,
} from '../archive.ts'
import { KIT_ID, LETTER } from '../draft.ts'
import { archive, files, letter, LETTER_UNREADABLE, letterText } from './one-archive.ts'

/** The letter with other data than its header states. */
const packed = (name: string, change: (entry: Entry) => void): Case =>
  archive(
    name,
    (whole) => {
      const at = whole.entries.findIndex((entry) => entry.name.endsWith(LETTER))
      const entry = deflatedEntry(`${KIT_ID}/${LETTER}`, letterText)
      change(entry)
      whole.entries[at] = entry
    },
    LETTER_UNREADABLE,
  )

/** Archives that are damaged, truncated or state false sizes. */
export const oddStructure: readonly Case[] = [
  packed('deflated-data-followed-by-junk-fails', (entry) => grow(entry, utf8('junk'))),
  packed('deflated-data-followed-by-a-second-stream-fails', (entry) => grow(entry, entry.data)),
  packed('deflated-data-that-ends-early-fails', (entry) => {
    entry.data = entry.data.subarray(0, -2)
    entry.header.compressedBytes -= 2
  }),
  packed('deflated-data-that-is-longer-than-stated-fails', (entry) => (entry.header.sizeBytes -= 1)),
  packed('deflated-data-that-is-shorter-than-stated-fails', (entry) => (entry.header.sizeBytes += 1)),
  packed(
    'deflated-data-that-is-none-fails',
    (entry) => (entry.data = new Uint8Array(entry.data.length).fill(0xff)),
  ),
  letter('a-size-that-reaches-past-the-archive-fails', (entry) =>
    Object.assign(entry.header, { sizeBytes: 0xfffffff, compressedBytes: 0xfffffff }),
  ),
  archive(
    'a-packed-manifest-that-reaches-past-the-archive-fails',
    (whole) => {
      const at = whole.entries.findIndex((entry) => entry.name.endsWith('/manifest.json'))
      const entry = deflatedEntry(`${KIT_ID}/manifest.json`, files.get('manifest.json')!)
      entry.header.flags |= 8
      entry.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }
      entry.central = { compressedBytes: 0x7fffffff }
      whole.entries[at] = entry
    },
    fails(['kit_unreadable', 'manifest_malformed', 'envelope_missing'], [...MANIFEST, ...ARTIFACTS]),
  ),
  letter(
    'a-size-without-its-zip64-field-fails',
    (entry) => Object.assign(entry.header, { sizeBytes: 0xffffffff, compressedBytes: 0xffffffff }),
    UNREADABLE,
  ),
  letter(
    'a-zip64-field-without-need-fails',
    (entry) => (entry.header.extra = extraField(1, u64(letterText.length, letterText.length))),
    UNREADABLE,
  ),
  letter(
    'a-zip64-field-with-a-value-too-many-fails',
    (entry) => {
      entry.header.extra = extraField(1, u64(letterText.length, letterText.length, 0, 0))
      Object.assign(entry.header, { sizeBytes: 0xffffffff, compressedBytes: 0xffffffff })
    },
    UNREADABLE,
  ),
  letter(
    'a-zip64-size-beyond-safe-integers-fails',
    (entry) => {
      const huge = Buffer.alloc(16, 0xff)
      Object.assign(entry.header, {
        sizeBytes: 0xffffffff,
        compressedBytes: 0xffffffff,
        extra: extraField(1, huge),
      })
    },
    UNREADABLE,
  ),
  archive(
    'a-zip64-end-record-that-disagrees-fails',
    (whole) => (whole.zip64 = (end) => zip64EndBytes(end, { count: end.count - 1 })),
  ),
  archive(
    'a-zip64-end-record-of-another-size-fails',
    (whole) => (whole.zip64 = (end) => zip64EndBytes(end, { size: 45 })),
  ),
  archive('an-end-record-that-counts-other-than-its-zip64-record-fails', (whole) => {
    whole.end = { count: files.size + 1, countHere: files.size + 1 }
    whole.zip64 = (end) => zip64EndBytes(end, { count: files.size })
  }),
  archive('a-zip64-locator-on-another-disk-fails', (whole) => (whole.zip64 = (end) => located(end, 1, 1))),
  archive('a-zip64-locator-of-two-disks-fails', (whole) => (whole.zip64 = (end) => located(end, 0, 2))),
  archive(
    'a-zip64-locator-that-leads-elsewhere-fails',
    (whole) => (whole.zip64 = (end) => zip64EndBytes(end, { locator: 0 })),
  ),
  archive(
    'a-saturated-end-record-without-zip64-fails',
    (whole) => (whole.end = { count: 0xffff, countHere: 0xffff }),
  ),
  archive('an-archive-split-over-disks-fails', (whole) => (whole.end = { disk: 1 })),
  archive('an-end-record-that-counts-in-two-ways-fails', (whole) => (whole.end = { countHere: 1 })),
  archive('a-directory-offset-that-is-wrong-fails', (whole) => (whole.end = { directoryOffset: 0 })),
  kit('an-archive-cut-in-half-fails', otherZip(files).subarray(0, 2000), UNREADABLE),
  kit('an-archive-without-its-last-byte-fails', otherZip(files).subarray(0, -1), UNREADABLE),
  kit('an-empty-file-is-no-kit', new Uint8Array(0), UNREADABLE),
  kit('text-is-no-kit', utf8('This is not a zip archive, and never was one.'), UNREADABLE),
  kit('an-archive-without-entries-is-no-kit', archiveBytes({ entries: [] }), {
    ...UNREADABLE,
    codes: ['manifest_malformed', 'receipt_malformed', ...times('envelope_missing', 5)],
  }),
]

function grow(entry: Entry, more: Uint8Array): void {
  entry.data = Buffer.concat([entry.data, more])
  entry.header.compressedBytes = entry.data.length
}

/** A zip64 end record whose locator states a number of disks. */
function located(end: End, disk: number, disks: number): Uint8Array {
  const bytes = zip64EndBytes(end)
  bytes.set(u32(disk), bytes.length - 16)
  bytes.set(u32(disks), bytes.length - 4)
  return bytes
}
