import { deflateRawSync } from 'node:zlib'
import {
  type Archive,
  archiveBytes,
  type CentralHeader,
  endBytes,
  type Entry,
  extraField,
  folderEntry,
  storedEntry,
  u16,
  u32,
  u64,
  zip64EndBytes,
} from '../../spec/making/archive.ts'
import type { Dice } from '../dice.ts'

/** Damage that speaks the format: headers that lie, records twice, content that hides. */
export function damagedArchive(archive: Archive, dice: Dice): Uint8Array {
  for (let times = 1 + dice.below(3); times > 0; times--) {
    const entry = dice.pick(archive.entries)
    if (entry !== undefined && !dice.oneIn(3)) dice.pick(ENTRY_LIES)(entry, archive, dice)
    else dice.pick(ARCHIVE_LIES)(archive, dice)
  }
  return archiveBytes(archive)
}

/** Another tool's way to pack the same files, which changes nothing that a reader sees. */
export function repacked(archive: Archive, dice: Dice): void {
  if (dice.oneIn(2)) archive.entries = archive.entries.map((entry) => (dice.oneIn(2) ? packed(entry) : entry))
  if (dice.oneIn(3))
    archive.entries = archive.entries.map((entry) => (dice.oneIn(2) ? described(entry, dice) : entry))
}

function packed(entry: Entry): Entry {
  const data = deflateRawSync(entry.data)
  return { ...entry, data, header: { ...entry.header, method: 8, compressedBytes: data.length } }
}

function described(entry: Entry, dice: Dice): Entry {
  const header = { ...entry.header, flags: entry.header.flags | 8 }
  const sizes = [header.compressedBytes, header.sizeBytes] as const
  const after = Buffer.concat([
    dice.oneIn(2) ? u32(0x08074b50) : u32(),
    u32(header.crc32),
    dice.oneIn(3) ? u64(...sizes) : u32(...sizes),
  ])
  return { ...entry, header, local: { crc32: 0, compressedBytes: 0, sizeBytes: 0 }, after }
}

type EntryLie = (entry: Entry, archive: Archive, dice: Dice) => void

const NUMBERS = [0, 1, 2, 8, 9, 10, 20, 45, 0x7fff, 0x8000, 0xfffe, 0xffff]
const BIG_NUMBERS = [...NUMBERS, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]
const SMALL_FIELDS = ['versionNeeded', 'flags', 'method', 'time', 'date'] as const
const LARGE_FIELDS = ['crc32', 'compressedBytes', 'sizeBytes'] as const

function lie(entry: Entry, dice: Dice): Partial<CentralHeader> {
  if (dice.oneIn(2)) {
    const field = dice.pick(SMALL_FIELDS)
    const value = dice.oneIn(2) ? dice.pick(NUMBERS) : entry.header[field] ^ (1 << dice.below(16))
    return { [field]: value }
  }
  const field = dice.pick(LARGE_FIELDS)
  const near = (entry.header[field] + dice.below(5) - 2) >>> 0
  return { [field]: dice.oneIn(2) ? near : dice.pick(BIG_NUMBERS) }
}

const ENTRY_LIES: readonly EntryLie[] = [
  (entry, _archive, dice) => (entry.local = { ...entry.local, ...lie(entry, dice) }),
  (entry, _archive, dice) => (entry.central = { ...entry.central, ...lie(entry, dice) }),
  (entry, _archive, dice) => (entry.header = { ...entry.header, ...lie(entry, dice) }),
  (entry, _archive, dice) => (entry.local = { ...entry.local, name: otherName(entry, dice) }),
  (entry, _archive, dice) => (entry.central = { ...entry.central, name: otherName(entry, dice) }),
  (entry, _archive, dice) => (entry.header = { ...entry.header, name: otherName(entry, dice) }),
  (entry, _archive, dice) => (entry.local = { ...entry.local, extra: extra(entry, dice) }),
  (entry, _archive, dice) => (entry.central = { ...entry.central, extra: extra(entry, dice) }),
  (entry, _archive, dice) => (entry.header = { ...entry.header, extra: extra(entry, dice) }),
  (entry, _archive, dice) =>
    (entry.central = {
      ...entry.central,
      externalAttributes: dice.pick([
        0o120777 * 65536,
        0o40755 * 65536,
        0o60644 * 65536,
        0x10,
        0,
        0xffffffff,
      ]),
    }),
  (entry, _archive, dice) =>
    (entry.central = { ...entry.central, madeBy: dice.pick([0, 20, 0x0314, 0x1314, 0x0a14]) }),
  (entry, _archive, dice) => (entry.central = { ...entry.central, disk: dice.pick(NUMBERS) }),
  (entry, archive, dice) =>
    (entry.central = {
      ...entry.central,
      offset: dice.pick([0, 1, 30, archive.entries.length * 40, 0xffffffff]),
    }),
  (entry, _archive, dice) => (entry.central = { ...entry.central, comment: dice.bytes(dice.below(30)) }),
  (entry, _archive, dice) => (entry.before = dice.bytes(1 + dice.below(20))),
  (entry, _archive, dice) => (entry.after = dice.bytes(1 + dice.below(24))),
  (entry, archive, dice) =>
    void Object.assign(entry, archive.entries[0] === entry ? {} : described(entry, dice)),
  (entry) => void Object.assign(entry, packed(entry)),
  (entry, _archive, dice) => {
    const data = Buffer.from(entry.data)
    if (data.length > 0) data[dice.below(data.length)]! ^= 1 << dice.below(8)
    entry.data = data
  },
  (entry, _archive, dice) => (entry.data = Buffer.concat([entry.data, dice.bytes(1 + dice.below(9))])),
  (entry, archive, dice) => {
    const twin = storedEntry(entry.name, dice.bytes(8))
    archive.entries.splice(dice.below(archive.entries.length + 1), 0, twin)
  },
  (entry, archive) => archive.entries.push(storedEntry(entry.name.toUpperCase(), Buffer.from('twin'))),
  (entry, archive) => archive.entries.push(folderEntry(`${entry.name}/`)),
  (entry, archive) => void archive.entries.splice(archive.entries.indexOf(entry), 1),
]

function otherName({ name }: Entry, dice: Dice): Uint8Array {
  const names = [
    `${name}x`,
    name.slice(0, -1),
    name.toUpperCase(),
    name.replaceAll('/', '\\'),
    `/${name}`,
    `../${name}`,
    `./${name}`,
    name.replace('/', '//'),
    `${name}\0.txt`,
    `${name}/`,
    `C:${name}`,
    name.normalize('NFD'),
    `${name}.`,
    '',
    'é',
    'e\u0301',
  ]
  return dice.oneIn(5) ? Buffer.from(`${name}\xff`, 'latin1') : Buffer.from(dice.pick(names))
}

function extra(entry: Entry, dice: Dice): Uint8Array {
  const other = Buffer.from(dice.pick([entry.name, `${entry.name}x`, 'other.txt']))
  const size = dice.pick([entry.header.sizeBytes, 0, 1, 0xffffffff])
  return dice.pick([
    () => extraField(0x7075, Buffer.concat([Buffer.from([1]), dice.bytes(4), other])),
    () => extraField(1, u64(...Array.from({ length: 1 + dice.below(3) }, () => size))),
    () => extraField(0x9901, u16(2, 0x4541, 3, 8)),
    () => extraField(0x5455, Uint8Array.of(1, 0, 0, 0, 1)),
    () => extraField(dice.below(65536), dice.bytes(dice.below(20))),
    () => dice.bytes(dice.below(9)),
    () => Buffer.concat([extraField(1, u64(size)), extraField(1, u64(size + 1))]),
  ])()
}

type ArchiveLie = (archive: Archive, dice: Dice) => void

const ARCHIVE_LIES: readonly ArchiveLie[] = [
  (archive, dice) => (archive.prefix = dice.pick([dice.bytes(5), small()])),
  (archive, dice) => (archive.suffix = dice.pick([dice.bytes(5), small(), new Uint8Array(22)])),
  (archive, dice) => (archive.comment = dice.pick([dice.bytes(8), small(), new Uint8Array(30)])),
  (archive, dice) => (archive.beforeDirectory = dice.pick([dice.bytes(4), small()])),
  (archive, dice) => (archive.afterDirectory = dice.pick([dice.bytes(4), small()])),
  (archive, dice) => {
    const field = dice.pick(['disk', 'directoryDisk', 'countHere', 'count', 'commentBytes'] as const)
    archive.end = { ...archive.end, [field]: dice.pick([...NUMBERS, archive.entries.length - 1]) & 0xffff }
  },
  (archive, dice) => {
    const field = dice.pick(['directoryBytes', 'directoryOffset'] as const)
    archive.end = { ...archive.end, [field]: dice.pick(BIG_NUMBERS) }
  },
  (archive, dice) =>
    (archive.zip64 = (end) =>
      zip64EndBytes(
        end,
        dice.pick([{}, { count: 1 }, { count: end.count + 1 }, { size: 45 }, { locator: 0 }]),
      )),
  (archive, dice) => {
    const turn = dice.below(3)
    archive.directoryOrder = (headers) =>
      turn === 0 ? headers.toReversed() : turn === 1 ? headers.slice(1) : [...headers, ...headers.slice(0, 1)]
  },
  (archive, dice) =>
    (archive.entries = dice.oneIn(2) ? archive.entries.toReversed() : archive.entries.slice(1)),
  (archive, dice) => archive.entries.push(storedEntry(dice.pick(['x', '../x', 'a/b', 'con']), dice.bytes(4))),
]

/** A whole archive that could be taken for the one around it. */
function small(): Uint8Array {
  const empty = { disk: 0, directoryDisk: 0, countHere: 0, count: 0, directoryBytes: 0, directoryOffset: 0 }
  return endBytes({ ...empty, commentBytes: 0 })
}
