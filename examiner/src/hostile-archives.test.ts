// Own process: it measures memory.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import {
  type Archive,
  archiveBytes,
  type Entry,
  extraField,
  folderEntry,
  u16,
  zip64EndBytes,
} from '../../test/forge/archive.ts'
import { bytesOf, deflated, openXml, stored, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { DEFAULT_LIMITS, type EvidenceLimits } from './limits.ts'
import { needs } from '../../test/kit/needs.ts'

const folder = tempFolder()

async function found(zip: Uint8Array, limits: Partial<EvidenceLimits> = {}): Promise<readonly string[]> {
  return codes(await examine({ 'e.zip': zip }, { limits: { ...DEFAULT_LIMITS, ...limits } }))
}

const two = (): Entry[] => [deflated('a.txt', 'first'), stored('b.txt', 'second')]
const withEntries = (change: (entries: Entry[]) => void): Uint8Array => {
  const entries = two()
  change(entries)
  return archiveBytes({ entries })
}
const whole = (change: Partial<Archive>): Uint8Array => archiveBytes({ entries: two(), ...change })
const link = (mode: number) => ({ madeBy: 0x0314, externalAttributes: (mode << 16) >>> 0 })

const WHOLE = ['unreadable_archive e.zip']

/** Archives that different programs could read differently, with the expected findings. */
const AMBIGUOUS: Readonly<Record<string, readonly [zip: Uint8Array, expected: readonly string[]]>> = {
  'two entries of one name': [
    withEntries((entries) => entries.push(stored('a.txt', 'other'))),
    ['name_collision e.zip/a.txt'],
  ],
  'a file and a folder of one name': [
    zipOfEntries(stored('a', 'x'), folderEntry('a/'), stored('b.txt', 'b')),
    ['name_collision e.zip/a/'],
  ],
  'a folder entry with content': [
    zipOfEntries({ ...stored('a/', 'hidden') }, stored('b.txt', 'b')),
    ['unreadable_archive e.zip/a/'],
  ],
  'a local name that differs': [
    withEntries(([a]) => void (a!.local = { name: bytesOf('z.txt') })),
    ['unreadable_archive e.zip/a.txt'],
  ],
  'a local method that differs': [
    withEntries(([a]) => void (a!.local = { method: 0 })),
    ['unreadable_archive e.zip/a.txt'],
  ],
  'a local size that differs': [
    withEntries(([, b]) => void (b!.local = { sizeBytes: 5, compressedBytes: 5 })),
    ['unreadable_archive e.zip/b.txt'],
  ],
  'an archive before the archive': [whole({ prefix: zipOf({ 'x.txt': 'x' }) }), WHOLE],
  'a second end record in the comment': [whole({ comment: zipOf({}) }), WHOLE],
  'a count that is too small': [whole({ end: { count: 1, countHere: 1 } }), WHOLE],
  'a count that is too large': [whole({ end: { count: 3, countHere: 3 } }), WHOLE],
  'two counts': [whole({ end: { countHere: 1 } }), WHOLE],
  'several disks': [whole({ end: { disk: 1 } }), WHOLE],
  'a zip64 end record that disagrees': [whole({ zip64: (end) => zip64EndBytes(end, { count: 1 }) }), WHOLE],
  'two names in one entry': [
    withEntries(([a]) => {
      const field = Buffer.concat([Buffer.from([1]), Buffer.alloc(4), bytesOf('evil.exe')])
      a!.central = { extra: extraField(0x7075, field) }
    }),
    ['name_not_unicode e.zip/a.txt'],
  ],
  'a CRC that is wrong': [
    withEntries(([, b]) => void (b!.header = { ...b!.header, crc32: 1 })),
    ['unreadable_archive e.zip/b.txt'],
  ],
  'a size that is wrong': [
    withEntries(([a]) => void (a!.header = { ...a!.header, sizeBytes: 4 })),
    ['unreadable_archive e.zip/a.txt'],
  ],
  'entries that overlap': [
    withEntries(([, b]) => void (b!.central = { offset: 0 })),
    ['unreadable_archive e.zip/a.txt', 'unreadable_archive e.zip/b.txt'],
  ],
  'an unusual compression method': [
    withEntries(([a]) => void (a!.header = { ...a!.header, method: 12 })),
    ['archive_method e.zip/a.txt'],
  ],
  'a link': [withEntries(([, b]) => void (b!.central = link(0o120777))), ['link e.zip/b.txt']],
  'a device': [withEntries(([, b]) => void (b!.central = link(0o060644))), ['special_file e.zip/b.txt']],
  'an encrypted entry': [
    withEntries(([a]) => void (a!.header = { ...a!.header, flags: 0x0801 })),
    ['encrypted_archive e.zip/a.txt'],
  ],
  'an entry encrypted with AES': [
    withEntries(
      ([a]) =>
        void (a!.header = {
          ...a!.header,
          flags: 0x0801,
          method: 99,
          extra: extraField(0x9901, u16(2, 0x4541, 3, 8)),
        }),
    ),
    ['encrypted_archive e.zip/a.txt'],
  ],
}

for (const [name, [zip, expected]] of Object.entries(AMBIGUOUS)) {
  test(`an archive with ${name} is rejected`, async () => {
    assert.deepEqual(await found(zip), expected)
  })
}

test('archives encrypted by zip and 7z, and one with a link, are rejected', needs('zip', '7z'), async () => {
  const cwd = folder
  writeFileSync(join(cwd, 'a.txt'), 'secret')
  symlinkSync('a.txt', join(cwd, 'l.txt'))
  execFileSync('zip', ['-q', '-P', 'pw', 'one.zip', 'a.txt'], { cwd })
  execFileSync('7z', ['a', '-tzip', '-ppw', '-mem=AES256', 'two.zip', 'a.txt'], { cwd })
  execFileSync('zip', ['-qy', 'three.zip', 'a.txt', 'l.txt'], { cwd })
  const read = (name: string): Uint8Array => readFileSync(join(cwd, name))
  assert.deepEqual(await found(read('one.zip')), ['encrypted_archive e.zip/a.txt'])
  assert.deepEqual(await found(read('two.zip')), ['encrypted_archive e.zip/a.txt'])
  assert.deepEqual(await found(read('three.zip')), ['link e.zip/l.txt'])
})

test('a zip bomb is rejected by its directory, before it is unpacked', async () => {
  const started = process.memoryUsage().rss
  const big = deflateRawSync(Buffer.alloc(64 * 1024 * 1024))
  const entry = stored('a.txt', '')
  const header = { ...entry.header, method: 8, compressedBytes: big.length, sizeBytes: 64 * 1024 * 1024 }
  assert.deepEqual(await found(zipOfEntries({ ...entry, data: big, header })), ['archive_ratio e.zip'])
  assert.deepEqual(await found(zipOf({ 'a.txt': 'x'.repeat(5000) }), { unpackedBytes: 4000 }), [
    'too_large_unpacked e.zip',
  ])
  assert.ok(process.memoryUsage().rss - started < 200e6)
})

test('a zip bomb that understates its size is stopped at the declared size', async () => {
  const big = deflateRawSync(Buffer.alloc(32 * 1024 * 1024, 65))
  const entry = stored('a.txt', '')
  const lie = { ...entry.header, method: 8, compressedBytes: big.length, sizeBytes: 100 }
  assert.deepEqual(await found(zipOfEntries({ ...entry, data: big, header: lie })), [
    'unreadable_archive e.zip/a.txt',
  ])
  const larger = { ...lie, sizeBytes: 5 * 1024 * 1024 }
  assert.deepEqual(await found(zipOfEntries({ ...entry, data: big, header: larger })), [
    'unreadable_archive e.zip/a.txt',
  ])
})

const many = (count: number): Uint8Array =>
  zipOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `${index}`])))

test('too many entries are rejected, counted across all archives and nested ones', async () => {
  assert.deepEqual(await found(many(11), { entries: 10 }), ['too_many_entries e.zip'])
  assert.deepEqual(await found(many(10), { entries: 10 }), [])
  assert.deepEqual(await found(zipOf({ 'a.zip': many(5), 'b.zip': many(5) }), { entries: 10 }), [
    'too_many_entries e.zip/b.zip',
  ])
})

test('nested archives follow the same rules, up to two levels', async () => {
  const nest = (levels: number): Uint8Array =>
    levels === 0 ? zipOf({ 'a.txt': 'x', 'b.exe': 'x' }) : zipOf({ 'n.zip': nest(levels - 1) })
  assert.deepEqual(await found(nest(1)), ['executable_content e.zip/n.zip/b.exe'])
  assert.deepEqual(await found(nest(2)), ['executable_content e.zip/n.zip/n.zip/b.exe'])
  assert.deepEqual(await found(nest(3)), ['nested_too_deep e.zip/n.zip/n.zip/n.zip'])
})

test('a large archive at the second level is examined, too', async () => {
  const noise = Array.from({ length: 200_000 }, (_, index) => (index * 2654435761) % 4294967296).join('\n')
  const inner = zipOf({ 'a.txt': noise, '../b.txt': 'x', 'c.exe': 'x' })
  assert.ok(inner.length > 600_000)
  const padded = zipOf({ 'i.zip': Buffer.concat([inner]), 'n.txt': noise })
  assert.deepEqual(await found(zipOf({ 'm.zip': padded })), [
    'name_traversal e.zip/m.zip/i.zip/../b.txt',
    'executable_content e.zip/m.zip/i.zip/c.exe',
  ])
})

test('a program hidden in an Office file is found', async () => {
  const exe = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
  assert.deepEqual(await found(zipOf({ 'a.docx': openXml('docx', { 'word/embeddings/x.bin': exe }) })), [
    'executable_content e.zip/a.docx/word/embeddings/x.bin',
  ])
})

test('all problems of an archive are reported', async () => {
  const entries = [
    { ...stored('l', 'x'), central: link(0o120777) },
    stored('../up.txt', 'x'),
    deflated('bad.json', '{'),
    stored('a.txt', 'x'),
    stored('A.txt', 'x'),
  ]
  const last = deflated('crc.txt', 'content')
  assert.deepEqual(await found(zipOfEntries(...entries, { ...last, header: { ...last.header, crc32: 7 } })), [
    'name_traversal e.zip/../up.txt',
    'name_collision e.zip/A.txt',
    'unreadable_archive e.zip/crc.txt',
    'link e.zip/l',
  ])
})

const shown = (path: string, more: string) => [
  more,
  `name_traversal ${path}/../up.txt`,
  `name_collision ${path}/A.txt`,
  `name_forbidden ${path}/con.txt`,
  `empty_file ${path}/empty.pdf`,
  `link ${path}/l`,
  `executable_content ${path}/run.exe`,
]

test('an archive that exceeds the limits is not unpacked, but its directory is checked', async () => {
  const big = deflateRawSync(Buffer.alloc(64 * 1024 * 1024))
  const entry = stored('bomb.txt', '')
  const header = { ...entry.header, method: 8, compressedBytes: big.length, sizeBytes: 64 * 1024 * 1024 }
  const wrong = [
    { ...stored('l', 'x'), central: link(0o120777) },
    stored('../up.txt', 'x'),
    stored('a.txt', 'x'),
    stored('A.txt', 'x'),
    stored('con.txt', 'x'),
    stored('empty.pdf', ''),
    stored('run.exe', 'x'),
    { ...stored('crc.txt', 'x'), header: { ...stored('crc.txt', 'x').header, crc32: 7 } },
  ]
  const bomb = zipOfEntries({ ...entry, data: big, header }, ...wrong)
  assert.deepEqual(await found(bomb), shown('e.zip', 'archive_ratio e.zip'))
  assert.deepEqual(
    await found(zipOfEntries(...wrong), { entries: 7 }),
    shown('e.zip', 'too_many_entries e.zip'),
  )
  const filler = Array.from({ length: 10_001 }, (_, index) => stored(`${index}.txt`, 'x'))
  assert.deepEqual(await found(zipOfEntries(...filler, ...wrong)), shown('e.zip', 'too_many_entries e.zip'))
  assert.deepEqual(
    await found(zipOfEntries(stored('n.zip', bomb))),
    shown('e.zip/n.zip', 'archive_ratio e.zip/n.zip').flatMap((one) =>
      // In a nested archive, the collision is reported for the archive.
      one.startsWith('name_collision')
        ? []
        : one.startsWith('archive_ratio')
          ? [one, 'name_collision e.zip/n.zip']
          : [one],
    ),
  )
})

test('names that are equal under full case folding collide, as files and as folders', async () => {
  const pairs = [
    ['ß.txt', 'ss.txt'],
    ['ẞ.txt', 'SS.txt'],
    ['ﬁ.txt', 'fi.txt'],
    ['ﬅ.txt', 'ﬆ.txt'],
    ['ŉ.txt', 'ʼn.txt'],
  ] as const
  for (const [one, other] of pairs) {
    assert.deepEqual(await found(zipOf({ [one]: 'x', [other]: 'y' })), [`name_collision e.zip/${other}`])
  }
  assert.deepEqual(await found(zipOf({ STRASSE: 'x', 'straße/a.txt': 'y' })), [
    'name_collision e.zip/straße/a.txt',
  ])
  assert.deepEqual(await found(zipOf({ 'straße/a.txt': 'x', 'straße/b.txt': 'y', 'fin.txt': 'z' })), [])
})
