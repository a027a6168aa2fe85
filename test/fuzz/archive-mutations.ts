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
} from '../forge/archive.ts'
import type { SeededRandom } from '../kit/seeded-random.ts'

/** Damage that knows the zip format: false headers, duplicate records, hidden content. */
export function damagedArchive(archive: Archive, random: SeededRandom): Uint8Array {
  for (let times = 1 + random.below(3); times > 0; times--) {
    const entry = random.pick(archive.entries)
    if (entry !== undefined && !random.oneIn(3)) random.pick(ENTRY_LIES)(entry, archive, random)
    else random.pick(ARCHIVE_LIES)(archive, random)
  }
  return archiveBytes(archive)
}

/** Packs the same files as another tool would. Readers see no difference. */
export function repacked(archive: Archive, random: SeededRandom): void {
  if (random.oneIn(2))
    archive.entries = archive.entries.map((entry) => (random.oneIn(2) ? packed(entry) : entry))
  if (random.oneIn(3))
    archive.entries = archive.entries.map((entry) => (random.oneIn(2) ? described(entry, random) : entry))
}

function packed(entry: Entry): Entry {
  const data = deflateRawSync(entry.data)
  return { ...entry, data, header: { ...entry.header, method: 8, compressedBytes: data.length } }
}

function described(entry: Entry, random: SeededRandom): Entry {
  const header = { ...entry.header, flags: entry.header.flags | 8 }
  const sizes = [header.compressedBytes, header.sizeBytes] as const
  const after = Buffer.concat([
    random.oneIn(2) ? u32(0x08074b50) : u32(),
    u32(header.crc32),
    random.oneIn(3) ? u64(...sizes) : u32(...sizes),
  ])
  return { ...entry, header, local: { crc32: 0, compressedBytes: 0, sizeBytes: 0 }, after }
}

type EntryLie = (entry: Entry, archive: Archive, random: SeededRandom) => void

const NUMBERS = [0, 1, 2, 8, 9, 10, 20, 45, 0x7fff, 0x8000, 0xfffe, 0xffff]
const BIG_NUMBERS = [...NUMBERS, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]
const SMALL_FIELDS = ['versionNeeded', 'flags', 'method', 'time', 'date'] as const
const LARGE_FIELDS = ['crc32', 'compressedBytes', 'sizeBytes'] as const

function lie(entry: Entry, random: SeededRandom): Partial<CentralHeader> {
  if (random.oneIn(2)) {
    const field = random.pick(SMALL_FIELDS)
    const value = random.oneIn(2) ? random.pick(NUMBERS) : entry.header[field] ^ (1 << random.below(16))
    return { [field]: value }
  }
  const field = random.pick(LARGE_FIELDS)
  const near = (entry.header[field] + random.below(5) - 2) >>> 0
  return { [field]: random.oneIn(2) ? near : random.pick(BIG_NUMBERS) }
}

const ENTRY_LIES: readonly EntryLie[] = [
  (entry, _archive, random) => (entry.local = { ...entry.local, ...lie(entry, random) }),
  (entry, _archive, random) => (entry.central = { ...entry.central, ...lie(entry, random) }),
  (entry, _archive, random) => (entry.header = { ...entry.header, ...lie(entry, random) }),
  (entry, _archive, random) => (entry.local = { ...entry.local, name: otherName(entry, random) }),
  (entry, _archive, random) => (entry.central = { ...entry.central, name: otherName(entry, random) }),
  (entry, _archive, random) => (entry.header = { ...entry.header, name: otherName(entry, random) }),
  (entry, _archive, random) => (entry.local = { ...entry.local, extra: extra(entry, random) }),
  (entry, _archive, random) => (entry.central = { ...entry.central, extra: extra(entry, random) }),
  (entry, _archive, random) => (entry.header = { ...entry.header, extra: extra(entry, random) }),
  (entry, _archive, random) =>
    (entry.central = {
      ...entry.central,
      externalAttributes: random.pick([
        0o120777 * 65536,
        0o40755 * 65536,
        0o60644 * 65536,
        0x10,
        0,
        0xffffffff,
      ]),
    }),
  (entry, _archive, random) =>
    (entry.central = { ...entry.central, madeBy: random.pick([0, 20, 0x0314, 0x1314, 0x0a14]) }),
  (entry, _archive, random) => (entry.central = { ...entry.central, disk: random.pick(NUMBERS) }),
  (entry, archive, random) =>
    (entry.central = {
      ...entry.central,
      offset: random.pick([0, 1, 30, archive.entries.length * 40, 0xffffffff]),
    }),
  (entry, _archive, random) =>
    (entry.central = { ...entry.central, comment: random.bytes(random.below(30)) }),
  (entry, _archive, random) => (entry.before = random.bytes(1 + random.below(20))),
  (entry, _archive, random) => (entry.after = random.bytes(1 + random.below(24))),
  (entry, archive, random) =>
    void Object.assign(entry, archive.entries[0] === entry ? {} : described(entry, random)),
  (entry) => void Object.assign(entry, packed(entry)),
  (entry, _archive, random) => {
    const data = Buffer.from(entry.data)
    if (data.length > 0) data[random.below(data.length)]! ^= 1 << random.below(8)
    entry.data = data
  },
  (entry, _archive, random) => (entry.data = Buffer.concat([entry.data, random.bytes(1 + random.below(9))])),
  (entry, archive, random) => {
    const twin = storedEntry(entry.name, random.bytes(8))
    archive.entries.splice(random.below(archive.entries.length + 1), 0, twin)
  },
  (entry, archive) => archive.entries.push(storedEntry(entry.name.toUpperCase(), Buffer.from('twin'))),
  (entry, archive) => archive.entries.push(folderEntry(`${entry.name}/`)),
  (entry, archive) => void archive.entries.splice(archive.entries.indexOf(entry), 1),
]

function otherName({ name }: Entry, random: SeededRandom): Uint8Array {
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
  return random.oneIn(5) ? Buffer.from(`${name}\xff`, 'latin1') : Buffer.from(random.pick(names))
}

function extra(entry: Entry, random: SeededRandom): Uint8Array {
  const other = Buffer.from(random.pick([entry.name, `${entry.name}x`, 'other.txt']))
  const size = random.pick([entry.header.sizeBytes, 0, 1, 0xffffffff])
  return random.pick([
    () => extraField(0x7075, Buffer.concat([Buffer.from([1]), random.bytes(4), other])),
    () => extraField(1, u64(...Array.from({ length: 1 + random.below(3) }, () => size))),
    () => extraField(0x9901, u16(2, 0x4541, 3, 8)),
    () => extraField(0x5455, Uint8Array.of(1, 0, 0, 0, 1)),
    () => extraField(random.below(65536), random.bytes(random.below(20))),
    () => random.bytes(random.below(9)),
    () => Buffer.concat([extraField(1, u64(size)), extraField(1, u64(size + 1))]),
  ])()
}

type ArchiveLie = (archive: Archive, random: SeededRandom) => void

const ARCHIVE_LIES: readonly ArchiveLie[] = [
  (archive, random) => (archive.prefix = random.pick([random.bytes(5), small()])),
  (archive, random) => (archive.suffix = random.pick([random.bytes(5), small(), new Uint8Array(22)])),
  (archive, random) => (archive.comment = random.pick([random.bytes(8), small(), new Uint8Array(30)])),
  (archive, random) => (archive.beforeDirectory = random.pick([random.bytes(4), small()])),
  (archive, random) => (archive.afterDirectory = random.pick([random.bytes(4), small()])),
  (archive, random) => {
    const field = random.pick(['disk', 'directoryDisk', 'countHere', 'count', 'commentBytes'] as const)
    archive.end = { ...archive.end, [field]: random.pick([...NUMBERS, archive.entries.length - 1]) & 0xffff }
  },
  (archive, random) => {
    const field = random.pick(['directoryBytes', 'directoryOffset'] as const)
    archive.end = { ...archive.end, [field]: random.pick(BIG_NUMBERS) }
  },
  (archive, random) =>
    (archive.zip64 = (end) =>
      zip64EndBytes(
        end,
        random.pick([{}, { count: 1 }, { count: end.count + 1 }, { size: 45 }, { locator: 0 }]),
      )),
  (archive, random) => {
    const turn = random.below(3)
    archive.directoryOrder = (headers) =>
      turn === 0 ? headers.toReversed() : turn === 1 ? headers.slice(1) : [...headers, ...headers.slice(0, 1)]
  },
  (archive, random) =>
    (archive.entries = random.oneIn(2) ? archive.entries.toReversed() : archive.entries.slice(1)),
  (archive, random) =>
    archive.entries.push(storedEntry(random.pick(['x', '../x', 'a/b', 'con']), random.bytes(4))),
]

/** A complete archive that a reader may mistake for the outer one. */
function small(): Uint8Array {
  const empty = { disk: 0, directoryDisk: 0, countHere: 0, count: 0, directoryBytes: 0, directoryOffset: 0 }
  return endBytes({ ...empty, commentBytes: 0 })
}
