import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { type Case, kit, UNREADABLE } from '../case.ts'
import { deflatedEntry, extraField, issuedZip, storedEntry, u16, zip64EndBytes } from '../archive.ts'
import { KIT_ID, LETTER } from '../draft.ts'
import { asIssued, files, LETTER_UNREADABLE } from './one-archive.ts'

/** An archive that claims the issued form must match it exactly. */
const issued = (name: string, change: (bytes: Buffer) => Uint8Array | void): Case => {
  const bytes = Buffer.from(issuedZip(files))
  return kit(name, change(bytes) ?? bytes, UNREADABLE)
}
const centralAt = (bytes: Buffer, index = 0): number => {
  let at = bytes.readUInt32LE(bytes.length - 6)
  for (let entry = 0; entry < index; entry++) at += 46 + bytes.readUInt16LE(at + 28)
  return at
}
const central = (name: string, field: number, value: number): Case =>
  issued(name, (bytes) => void bytes.writeUInt8(value, centralAt(bytes, 2) + field))

export const notAsIssued: readonly Case[] = [
  central('an-issued-archive-with-an-entry-made-elsewhere-fails', 4, 0x14),
  central('an-issued-archive-with-internal-attributes-fails', 36, 1),
  central('an-issued-archive-with-other-attributes-fails', 40, 0xed),
  issued('an-issued-archive-with-a-comment-fails', (bytes) => {
    bytes.writeUInt16LE(1, bytes.length - 2)
    return Buffer.concat([bytes, utf8('x')])
  }),
  issued('an-issued-archive-with-another-time-on-one-entry-fails', (bytes) => {
    const at = centralAt(bytes, 2)
    bytes.writeUInt16LE(0x6001, at + 12)
    bytes.writeUInt16LE(0x6001, bytes.readUInt32LE(at + 42) + 10)
  }),
  kit(
    'an-issued-archive-with-a-compressed-entry-fails',
    asIssued((whole) => {
      whole.entries = whole.entries.map((entry) => deflatedEntry(entry.name, entry.data))
    }),
    UNREADABLE,
  ),
  kit(
    'an-issued-archive-with-a-folder-entry-fails',
    asIssued((whole) => whole.entries.push(storedEntry(`${KIT_ID}/data/`, new Uint8Array(0)))),
    UNREADABLE,
  ),
  kit(
    'an-issued-archive-with-an-extra-field-in-the-directory-fails',
    asIssued((whole) => (whole.entries[1]!.central = { extra: extraField(0x5455, u16(1)) })),
    UNREADABLE,
  ),
  kit(
    'an-issued-archive-with-an-extra-field-and-the-version-of-zip64-fails',
    asIssued((whole) => {
      whole.entries[1]!.header.versionNeeded = 45
      whole.entries[1]!.central = { extra: extraField(0x5455, u16(1)) }
    }),
    UNREADABLE,
  ),
  kit(
    'an-issued-archive-with-an-extra-field-in-a-local-header-fails',
    asIssued(
      (whole) =>
        (whole.entries.find((entry) => entry.name.endsWith(LETTER))!.local = {
          extra: extraField(0x5455, u16(1)),
        }),
    ),
    LETTER_UNREADABLE,
  ),
  kit(
    'an-issued-archive-whose-directory-is-in-another-order-fails',
    asIssued((whole) => (whole.directoryOrder = (headers) => headers.toReversed())),
    UNREADABLE,
  ),
  kit(
    'an-issued-archive-with-a-zip64-end-record-made-elsewhere-fails',
    asIssued((whole) => (whole.zip64 = (end) => zip64EndBytes(end))),
    UNREADABLE,
  ),
]
