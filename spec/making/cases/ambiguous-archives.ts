import { utf8 } from '../../../kit/src/encoding/utf8.ts'
import { ARTIFACTS, type Case, fails, kit, times, UNREADABLE } from '../case.ts'
import {
  archiveBytes,
  emptyEnd,
  extraField,
  type Header,
  otherZip,
  storedEntry,
  u32,
  u64,
} from '../archive.ts'
import { crc32 } from '../../../kit/src/encoding/crc32.ts'
import { draftKit, EVIDENCE, KIT_ID, LETTER } from '../draft.ts'
import { archive, files, AMBIGUOUS, letter, LETTER_UNREADABLE } from './one-archive.ts'
import { unicodePath } from './valid-archives.ts'

const LOCAL_LIES: Readonly<Record<string, Partial<Header>>> = {
  'version needed': { versionNeeded: 10 },
  flags: { flags: 0 },
  method: { method: 8 },
  time: { time: 1 },
  date: { date: 0x5ca6 },
  'crc 32': { crc32: 1 },
  'compressed size': { compressedBytes: 1 },
  size: { sizeBytes: 1 },
  name: { name: utf8(`${KIT_ID}/data/letter.tx2`) },
  'name length': { name: utf8(`${KIT_ID}/data/letter`) },
}

/** Local headers and directory disagree: streaming and seeking readers see different archives. */
export const disagreeingHeaders: readonly Case[] = [
  ...Object.entries(LOCAL_LIES).map(([field, lie]) =>
    letter(`a-local-header-with-another-${field.replaceAll(' ', '-')}-fails`, (entry) => (entry.local = lie)),
  ),
  letter(
    'a-local-header-with-a-unicode-path-of-another-name-fails',
    (entry) => (entry.local = { extra: unicodePath(entry.header.name, utf8(`${KIT_ID}/data/other.txt`)) }),
  ),
  letter(
    'a-local-header-with-a-zip64-field-without-need-fails',
    (entry) => (entry.local = { extra: extraField(1, u64(1, 1)) }),
  ),
  kit('a-local-header-without-its-signature-fails', withoutSignature(), LETTER_UNREADABLE),
  letter('a-wrong-crc-32-in-both-headers-fails', (entry) => (entry.header.crc32 ^= 1), AMBIGUOUS),
  letter('a-crc-32-of-zero-in-both-headers-fails', (entry) => (entry.header.crc32 = 0), AMBIGUOUS),
  letter('a-data-descriptor-that-disagrees-fails', (entry) => {
    entry.header.flags |= 8
    entry.after = u32(
      0x08074b50,
      entry.header.crc32,
      entry.header.compressedBytes,
      entry.header.sizeBytes + 1,
    )
  }),
  letter('a-data-descriptor-without-its-flag-fails', (entry) => {
    entry.after = u32(0x08074b50, entry.header.crc32, entry.header.compressedBytes, entry.header.sizeBytes)
  }),
  letter('a-data-descriptor-flag-without-a-descriptor-fails', (entry) => (entry.header.flags |= 8)),
  kit('a-data-descriptor-inside-stored-data-fails', withInnerDescriptor(), LETTER_UNREADABLE),
  kit('a-data-descriptor-that-begins-like-a-signature-fails', withCrcOfSignature(), LETTER_UNREADABLE),
]

export const hiddenBytes: readonly Case[] = [
  archive('bytes-before-the-first-entry-fail', (whole) => (whole.prefix = utf8('#!/bin/sh\n'))),
  archive('bytes-behind-the-end-record-fail', (whole) => (whole.suffix = utf8('x'))),
  archive('bytes-between-entries-fail', (whole) => (whole.entries.at(-1)!.before = utf8('x')), AMBIGUOUS),
  archive(
    'an-entry-that-the-directory-leaves-out-fails',
    (whole) => {
      whole.entries.push(storedEntry(`${KIT_ID}/hidden`, utf8('x')))
      whole.directoryOrder = (headers) => headers.slice(0, -1)
      whole.end = { count: files.size, countHere: files.size }
    },
    AMBIGUOUS,
  ),
  archive('bytes-before-the-directory-fail', (whole) => (whole.beforeDirectory = utf8('x')), AMBIGUOUS),
  archive('bytes-between-directory-and-end-record-fail', (whole) => (whole.afterDirectory = utf8('x'))),
  archive(
    'a-directory-with-more-entries-than-counted-fails',
    (whole) => (whole.end = { count: files.size - 1, countHere: files.size - 1 }),
  ),
  archive(
    'a-directory-with-fewer-entries-than-counted-fails',
    (whole) => (whole.end = { count: files.size + 1, countHere: files.size + 1 }),
  ),
  archive('a-second-end-record-in-the-comment-fails', (whole) => (whole.comment = emptyEnd())),
  archive(
    'an-end-record-inside-the-comment-of-another-fails',
    (whole) => (whole.comment = Buffer.concat([utf8('note '), u32(0x06054b50), new Uint8Array(30)])),
  ),
  kit('a-second-end-record-in-the-content-that-reaches-the-end-fails', withFittingEndRecord(), UNREADABLE),
  kit(
    'a-second-archive-behind-the-first-fails',
    Buffer.concat([otherZip(files), archiveBytes({ entries: [storedEntry(`${KIT_ID}/x`, utf8('x'))] })]),
    UNREADABLE,
  ),
  kit(
    'a-second-archive-before-the-first-fails',
    Buffer.concat([archiveBytes({ entries: [storedEntry(`${KIT_ID}/x`, utf8('x'))] }), otherZip(files)]),
    UNREADABLE,
  ),
  letter('entries-that-overlap-fail', (entry, whole) => {
    const next = whole.entries[whole.entries.indexOf(entry) + 1]!
    const more = 30 + next.header.name.length
    entry.local = {
      compressedBytes: entry.header.compressedBytes + more,
      sizeBytes: entry.header.sizeBytes + more,
    }
    entry.central = entry.local
  }),
  letter(
    'two-entries-over-the-same-data-fail',
    (entry) => (entry.central = { offset: 0 }),
    fails([...times('kit_unreadable', 3), ...times('artifact_missing', 3)], ARTIFACTS),
  ),
]

/** Everything after the letter could be the comment of an end record inside it. */
function withFittingEndRecord(): Uint8Array {
  const bytes = withEndRecordInLetter(0)
  return withEndRecordInLetter(bytes.length - bytes.indexOf(emptyEnd()) - 22)
}

function withEndRecordInLetter(commentBytes: number): Buffer {
  const evidence = { ...EVIDENCE, [LETTER]: emptyEnd(commentBytes) }
  return Buffer.from(otherZip(draftKit({ evidence }).files))
}

/** A streaming reader ends the letter after its first line and finds another file that is not in the directory. */
function withInnerDescriptor(): Uint8Array {
  const first = utf8('Approved.\n')
  const hidden = archiveBytes({ entries: [storedEntry(`${KIT_ID}/data/hidden.txt`, utf8('x'))] })
  const inner = u32(0x08074b50, crc32(first), first.length, first.length)
  const content = Buffer.concat([
    first,
    inner,
    hidden.subarray(0, hidden.indexOf(utf8('PK\x01\x02')[0]!, 40)),
  ])
  return described(content, true)
}

/** Appends four bytes that give the text a CRC-32 equal to the descriptor signature. */
function withCrcOfSignature(): Uint8Array {
  return described(withCrc32(utf8('To whom it may concern\n'), 0x08074b50), false)
}

function described(content: Uint8Array, signed: boolean): Uint8Array {
  return otherZip(draftKit({ evidence: { ...EVIDENCE, [LETTER]: content } }).files, (whole) => {
    const entry = whole.entries.find(({ name }) => name.endsWith(LETTER))!
    entry.header.flags |= 8
    entry.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }
    const sizes = u32(entry.header.crc32, entry.header.compressedBytes, entry.header.sizeBytes)
    entry.after = Buffer.concat([signed ? u32(0x08074b50) : u32(), sizes])
  })
}

function withCrc32(text: Uint8Array, wanted: number): Uint8Array {
  // CRC-32 is linear: each bit of the last four bytes flips a fixed set of result bits.
  const tried = (tail: number): number => crc32(Buffer.concat([text, u32(tail >>> 0)])) >>> 0
  const none = tried(0)
  const rows = Array.from({ length: 32 }, (_, bit) => ({
    turns: (tried(1 << bit) ^ none) >>> 0,
    tail: (1 << bit) >>> 0,
  }))
  let left = (none ^ wanted) >>> 0
  let tail = 0
  for (let bit = 31; bit >= 0; bit--) {
    const mask = (1 << bit) >>> 0
    const at = rows.findIndex(({ turns }) => (turns & mask) !== 0 && turns < mask * 2)
    const [pivot] = at === -1 ? [] : rows.splice(at, 1)
    if (pivot === undefined) continue
    for (const row of rows)
      if ((row.turns & mask) !== 0) {
        row.turns = (row.turns ^ pivot.turns) >>> 0
        row.tail = (row.tail ^ pivot.tail) >>> 0
      }
    if ((left & mask) !== 0) {
      left = (left ^ pivot.turns) >>> 0
      tail = (tail ^ pivot.tail) >>> 0
    }
  }
  return Buffer.concat([text, u32(tail)])
}

function withoutSignature(): Uint8Array {
  const bytes = Buffer.from(otherZip(files))
  bytes[bytes.indexOf(`${KIT_ID}/${LETTER}`) - 30]! ^= 1
  return bytes
}
