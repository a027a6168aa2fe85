import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import type { Result } from '../../vector.ts'
import { type Case, kit, times, UNREADABLE } from '../case.ts'
import { extraField, folderEntry, otherZip, storedEntry, u16 } from '../archive.ts'
import { draftKit, KIT_ID, LETTER } from '../draft.ts'
import { archive, files, AMBIGUOUS, letter } from './one-archive.ts'
import { unicodePath } from './valid-archives.ts'

/** Entries that readers unpack differently, or that no kit may have. */
export const oddEntries: readonly Case[] = [
  letter(
    'two-entries-of-one-name-fail',
    (entry, whole) => whole.entries.push(structuredClone(entry)),
    UNREADABLE,
  ),
  letter(
    'two-entries-of-one-name-with-different-content-fail',
    (entry, whole) => whole.entries.push(storedEntry(entry.name, utf8('Another letter'))),
    UNREADABLE,
  ),
  letter(
    'an-entry-that-is-a-unix-link-fails',
    (entry) => (entry.central = { externalAttributes: 0o120777 * 65536 }),
    UNREADABLE,
  ),
  letter(
    'an-entry-that-is-a-link-on-macos-fails',
    (entry) => (entry.central = { madeBy: 0x1314, externalAttributes: 0o120777 * 65536 }),
    UNREADABLE,
  ),
  letter(
    'an-entry-that-is-a-device-fails',
    (entry) => (entry.central = { externalAttributes: 0o60600 * 65536 }),
    UNREADABLE,
  ),
  letter(
    'a-file-marked-as-a-folder-fails',
    (entry) => (entry.central = { externalAttributes: 0x10 }),
    UNREADABLE,
  ),
  archive(
    'a-folder-entry-with-data-fails',
    (whole) => whole.entries.push(storedEntry(`${KIT_ID}/data/`, utf8('hidden'))),
    UNREADABLE,
  ),
  archive(
    'a-folder-entry-with-a-crc-32-fails',
    (whole) => {
      const folder = folderEntry(`${KIT_ID}/data/`)
      whole.entries.push({ ...folder, header: { ...folder.header, crc32: 1 } })
    },
    UNREADABLE,
  ),
  archive(
    'a-folder-entry-of-an-empty-stream-fails',
    (whole) => {
      const folder = folderEntry(`${KIT_ID}/data/`)
      const header = { ...folder.header, method: 8, compressedBytes: 2 }
      whole.entries.push({ ...folder, header, data: Uint8Array.of(3, 0) })
    },
    UNREADABLE,
  ),
  archive(
    'a-folder-entry-that-climbs-out-fails',
    (whole) => whole.entries.push(folderEntry(`${KIT_ID}/../../outside/`)),
    AMBIGUOUS,
  ),
  archive(
    'a-folder-entry-of-an-empty-folder-fails',
    (whole) => whole.entries.push(folderEntry(`${KIT_ID}/data/THIS KIT WAS REVOKED/`)),
    AMBIGUOUS,
  ),
  archive(
    'a-folder-entry-that-is-a-case-twin-of-a-file-fails',
    (whole) => whole.entries.push(folderEntry(`${KIT_ID}/data/LETTER.TXT/`)),
    AMBIGUOUS,
  ),
  archive(
    'a-folder-entry-with-the-name-of-a-file-fails',
    (whole) => whole.entries.push(folderEntry(`${KIT_ID}/${LETTER}/`)),
    UNREADABLE,
  ),
  letter('an-encrypted-entry-fails', (entry) => (entry.header.flags |= 1), UNREADABLE),
  letter('a-strongly-encrypted-entry-fails', (entry) => (entry.header.flags |= 0x41), UNREADABLE),
  letter('an-entry-of-patch-data-fails', (entry) => (entry.header.flags |= 0x20), UNREADABLE),
  letter(
    'an-entry-with-an-aes-field-fails',
    (entry) => (entry.header.extra = extraField(0x9901, new Uint8Array(7))),
    UNREADABLE,
  ),
  letter('an-unknown-compression-method-fails', (entry) => (entry.header.method = 12), UNREADABLE),
  letter('a-stored-entry-with-two-sizes-fails', (entry) => (entry.header.compressedBytes -= 1), UNREADABLE),
  letter('an-entry-with-a-comment-fails', (entry) => (entry.central = { comment: utf8('note') }), UNREADABLE),
  letter('an-entry-on-another-disk-fails', (entry) => (entry.central = { disk: 1 }), UNREADABLE),
  letter(
    'a-name-that-is-not-utf8-fails',
    (entry) => (entry.header.name = Buffer.from(`${KIT_ID}/data/l\xe9tter.txt`, 'latin1')),
    UNREADABLE,
  ),
  kit(
    'a-name-beyond-ascii-that-is-not-marked-as-utf8-fails',
    otherZip(draftKit({ evidence: { 'data/é': 'x' } }).files, (whole) =>
      whole.entries.forEach((entry) => (entry.header.flags = 0)),
    ),
    UNREADABLE,
  ),
  letter(
    'a-name-with-a-nul-character-fails',
    (entry) => (entry.header.name = utf8(`${KIT_ID}/data/letter.txt\0.exe`)),
    UNREADABLE,
  ),
  letter('an-entry-without-a-name-fails', (entry) => (entry.header.name = new Uint8Array(0)), UNREADABLE),
  letter(
    'a-unicode-path-field-with-another-name-fails',
    (entry) => (entry.header.extra = unicodePath(entry.header.name, utf8(`${KIT_ID}/data/other.txt`))),
    UNREADABLE,
  ),
  letter(
    'an-extra-field-that-is-cut-short-fails',
    (entry) => (entry.header.extra = u16(0x5455, 9)),
    UNREADABLE,
  ),
  letter(
    'an-extra-field-that-is-a-byte-too-long-fails',
    (entry) => (entry.header.extra = Buffer.concat([u16(0x5455, 3), u16(1)])),
    UNREADABLE,
  ),
  letter(
    'an-extra-field-twice-fails',
    (entry) => (entry.header.extra = Buffer.concat([extraField(0x5455, u16(1)), extraField(0x5455, u16(2))])),
    UNREADABLE,
  ),
  archive(
    'an-entry-outside-the-one-folder-fails',
    (whole) => whole.entries.push(storedEntry('outside.txt', utf8('x'))),
    AMBIGUOUS,
  ),
  archive(
    'an-entry-in-a-second-folder-fails',
    (whole) => whole.entries.push(storedEntry('__MACOSX/x', utf8('x'))),
    AMBIGUOUS,
  ),
  archive(
    'a-kit-without-its-folder-fails',
    (whole) => {
      for (const entry of whole.entries) entry.header.name = entry.header.name.subarray(KIT_ID.length + 1)
    },
    kitWithoutFolder(),
  ),
]

function kitWithoutFolder(): Result {
  return { ...UNREADABLE, codes: times('kit_unreadable', files.size) }
}
