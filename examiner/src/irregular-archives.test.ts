import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { archiveBytes, type Archive, type Entry, extraField, u16, u32 } from '../../test/forge/archive.ts'
import { bytesOf, deflated, stored, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'

const change = (how: (a: Entry, b: Entry) => void): Uint8Array => {
  const [a, b] = [deflated('a.txt', 'first'), stored('b.txt', 'second')]
  how(a, b)
  return archiveBytes({ entries: [a, b] })
}
const whole = (more: Partial<Archive>): Uint8Array =>
  archiveBytes({ entries: [deflated('a.txt', 'first'), stored('b.txt', 'second')], ...more })
const flags = (entry: Entry, value: number): void => void (entry.header = { ...entry.header, flags: value })
const late = (entry: Entry): void => {
  flags(entry, 8)
  entry.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }
}
const descriptor = ({ header: { crc32, compressedBytes, sizeBytes } }: Entry): Uint8Array =>
  u32(crc32, compressedBytes, sizeBytes)
const hidden = zipOf({ 'hidden.txt': 'other' })
/** Only its local header and data. */
const hiddenEntry = hidden.subarray(0, Buffer.from(hidden).indexOf('PK\x01\x02', 0, 'latin1'))

/** Common programs read `first` and `second` from each of these. */
const READ_IN_ONE_WAY: Readonly<Record<string, readonly [zip: Uint8Array, expected: readonly string[]]>> = {
  'bytes between entries': [change((_, b) => void (b.before = bytesOf('gap'))), ['irregular_archive e.zip']],
  'bytes before the directory': [whole({ beforeDirectory: bytesOf('gap') }), ['irregular_archive e.zip']],
  'bytes behind the archive': [whole({ suffix: bytesOf('tail') }), ['irregular_archive e.zip']],
  'a data descriptor without a signature': [
    change((a) => {
      late(a)
      a.after = descriptor(a)
    }),
    [],
  ],
  'a data descriptor that is wrong, behind compressed data': [
    change((a) => {
      late(a)
      a.after = u32(1, 2, 3)
    }),
    ['irregular_archive e.zip'],
  ],
  'the flag for a data descriptor in the local header alone': [
    change((a) => {
      a.local = { flags: 8, crc32: 0, compressedBytes: 0, sizeBytes: 0 }
      a.after = Buffer.concat([bytesOf('PK\x07\x08'), descriptor(a)])
      flags(a, 0)
    }),
    ['irregular_archive e.zip', 'irregular_archive e.zip'],
  ],
  'the flag for UTF-8 in the local header alone': [
    change((a) => {
      flags(a, 0)
      a.local = { flags: 0x800 }
    }),
    ['irregular_archive e.zip'],
  ],
  'an entry on another disk': [change((a) => void (a.central = { disk: 1 })), ['irregular_archive e.zip']],
  'flags that mean nothing': [change((a) => flags(a, 0x4000)), []],
  'two levels of compression': [
    change((a) => {
      flags(a, 2)
      a.local = { flags: 4 }
    }),
    [],
  ],
  'an extra field twice, and zeros behind it': [
    change((a) => {
      const field = extraField(0xcafe, u16(1))
      a.header = { ...a.header, extra: Buffer.concat([field, field, Buffer.alloc(8), Buffer.alloc(3)]) }
    }),
    [],
  ],
  'different extra fields in both headers': [
    change((a) => {
      a.local = { extra: extraField(0x5455, Buffer.alloc(9)) }
      a.central = { extra: extraField(0x5455, Buffer.alloc(5)) }
    }),
    [],
  ],
  'a directory in another order': [whole({ directoryOrder: (headers) => headers.toReversed() }), []],
  'a marker for archives in several parts': [
    Buffer.concat([bytesOf('PK00'), shifted(4)]),
    ['irregular_archive e.zip'],
  ],
  'a comment': [whole({ comment: bytesOf('made by PK, \x05\x06') }), []],
}

/** The archive for a place behind other bytes. */
function shifted(by: number): Uint8Array {
  return archiveBytes({
    entries: [deflated('a.txt', 'first'), stored('b.txt', 'second')],
    prefix: new Uint8Array(by),
  }).subarray(by)
}

/** The hostile twins: some program reads something else. */
const AMBIGUOUS: Readonly<Record<string, Uint8Array>> = {
  // unzip skips one that is not there.
  'no data descriptor where there should be one': change(late),
  'an entry between entries': change((_, b) => void (b.before = hiddenEntry)),
  'an entry before the directory': whole({ beforeDirectory: hiddenEntry }),
  'an archive behind the archive': whole({ suffix: hidden.subarray(0, -1) }),
  'an entry behind the archive': whole({ suffix: hiddenEntry }),
  'a data descriptor that is wrong, behind stored data': change((_, b) => {
    late(b)
    b.after = u32(1, 2, 3)
  }),
  'the flag for a data descriptor in one header of stored data': change((_, b) => {
    b.local = { flags: 8, crc32: 0, compressedBytes: 0, sizeBytes: 0 }
    b.after = Buffer.concat([bytesOf('PK\x07\x08'), descriptor(b)])
    flags(b, 0)
  }),
  // unzip reads an empty file.
  'no sizes in a local header': change(
    (a) => void (a.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }),
  ),
  'a zip64 field twice': change((a) => {
    const field = extraField(1, Buffer.alloc(16))
    a.header = { ...a.header, extra: Buffer.concat([field, extraField(1, Buffer.alloc(16, 1))]) }
  }),
  'content that is marked as a folder': change((_, b) => void (b.central = { externalAttributes: 0x10 })),
}

for (const [name, [zip, expected]] of Object.entries(READ_IN_ONE_WAY)) {
  test(`an archive with ${name} is read as common programs read it`, async () => {
    const { files, blockers } = await examine({ 'e.zip': zip })
    assert.deepEqual(codes({ blockers }), expected)
    assert.deepEqual(
      files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`),
      ['data/a.txt 5', 'data/b.txt 6'],
    )
    for (const { tool, content } of unpackedBy(zip)) assert.deepEqual(content, ['first', 'second'], tool)
    assert.deepEqual(codes(await examine({ 'e.zip': zip }, { accept: ['irregular_archive'] })), [])
  })
}

for (const [name, zip] of Object.entries(AMBIGUOUS)) {
  test(`an archive with ${name} is rejected, and cannot be accepted`, async () => {
    const { findings } = await examine({ 'e.zip': zip })
    assert.ok(
      findings.some((one) => one.class === 'danger' && one.code === 'unreadable_archive'),
      JSON.stringify(findings),
    )
  })
}

const folder = tempFolder()
const TOOLS: readonly (readonly string[])[] = [
  ['unzip', '-q', '-o', 'e.zip', '-d', 'out'],
  ['7z', 'x', '-y', '-oout', 'e.zip'],
  ['python3', '-c', 'import zipfile; zipfile.ZipFile("e.zip").extractall("out")'],
  ['bsdtar', '-x', '-f', 'e.zip', '-C', 'out'],
]

/** What the installed programs unpack. */
function* unpackedBy(zip: Uint8Array) {
  for (const [index, [tool = '', ...args]] of TOOLS.entries()) {
    const cwd = join(folder, `${index} ${zip.length} ${zip[10]} ${Math.random()}`)
    mkdirSync(join(cwd, 'out'), { recursive: true })
    writeFileSync(join(cwd, 'e.zip'), zip)
    // unzip and 7z warn with 1, and refuse with more, as 7z does with another disk.
    const { status } = spawnSync(tool, args, { cwd, stdio: 'ignore' })
    if (status === null || (status > 1 && tool === '7z')) continue
    const content = readdirSync(join(cwd, 'out'))
      .toSorted()
      .map((name) => readFileSync(join(cwd, 'out', name), 'latin1'))
    yield { tool, content }
  }
}

const named = (raw: Uint8Array, madeBy = 0x0014): Entry => {
  const entry = stored('x', 'content')
  return {
    ...entry,
    header: { ...entry.header, name: raw, flags: 0 },
    central: { madeBy, externalAttributes: 0 },
  }
}

/** How programs with the language of the name write it. */
const NAMES: Readonly<Record<string, string>> = {
  'отчёт за год.txt': 'cfd4dea3d420dac120c7cfc42e747874',
  'Отчет.txt': '8ee2e7a5e22e747874',
  'テスト資料.txt': '8365835883678e9197bf2e747874',
  '审计报告.txt': 'c9f3bcc6b1a8b8e62e747874',
  'grüße.txt': '6772fcdf652e747874',
  'größe.txt': '6772c3b6c39f652e747874',
}

test('names in KOI8-R, CP866, CP932, GBK, Windows-1252 and unmarked UTF-8 are decoded, and their bytes are kept', async () => {
  for (const [name, hex] of Object.entries(NAMES))
    for (const madeBy of [0x0014, 0x0314]) {
      const { findings, files } = await examine({
        'e.zip': zipOfEntries(named(Buffer.from(hex, 'hex'), madeBy)),
      })
      assert.equal(files[0]?.path, `data/${name}`)
      // On Unix, names are UTF-8.
      if (name === 'größe.txt' && madeBy === 0x0314) continue
      assert.deepEqual(noticed({ findings }), [`notice name_decoded e.zip/${name}`])
      assert.ok(findings[0]?.message.includes(`Its bytes are ${hex}.`), findings[0]?.message)
    }
})

test('a name that other code pages read as a path outside its folder is rejected', async () => {
  // 表 is 95 5c in CP932, and 5c is a backslash.
  const raw = Buffer.from('955c2e2e2f612e747874', 'hex')
  assert.deepEqual(codes(await examine({ 'e.zip': zipOfEntries(named(raw)) })), [
    'name_traversal e.zip/表../a.txt',
  ])
})

test('backslashes are folders once they are acknowledged; those that lead outside never are', async () => {
  const zip = zipOf({ 'a\\b.txt': 'x', 'a/c.txt': 'y' })
  assert.deepEqual(codes(await examine({ 'e.zip': zip })), ['name_backslash e.zip/a\\b.txt'])
  const { blockers, files } = await examine({ 'e.zip': zip }, { accept: ['name_backslash'] })
  assert.deepEqual([blockers, files.map(({ path }) => path)], [[], ['data/a/b.txt', 'data/a/c.txt']])
  const accept = ['name_backslash']
  assert.deepEqual(codes(await examine({ 'e.zip': zipOf({ '..\\b.txt': 'x' }) }, { accept })), [
    'name_traversal e.zip/..\\b.txt',
  ])
  assert.deepEqual(
    codes(await examine({ 'e.zip': zipOf({ 'a\\b.txt': 'x', 'a/b.txt': 'y' }) }, { accept })),
    ['name_collision e.zip/a/b.txt'],
  )
})

test('"//" and "/./" between folders are one separator once they are acknowledged', async () => {
  const zip = zipOf({ 'a//b.txt': 'x', 'a/./c.txt': 'y' })
  assert.deepEqual(codes(await examine({ 'e.zip': zip })), [
    'irregular_archive e.zip/a/./c.txt',
    'irregular_archive e.zip/a//b.txt',
  ])
  const accept = ['irregular_archive']
  const { blockers, files } = await examine({ 'e.zip': zip }, { accept })
  assert.deepEqual([blockers, files.map(({ path }) => path)], [[], ['data/a/b.txt', 'data/a/c.txt']])
  assert.deepEqual(
    codes(await examine({ 'e.zip': zipOf({ 'a//b.txt': 'x', 'a/b.txt': 'y' }) }, { accept })),
    ['name_collision e.zip/a/b.txt'],
  )
})

test('a name that is marked as UTF-8 and is not is rejected', async () => {
  for (const hex of ['6772fcdf65', '61c0af2e2ec0af62', '61eda080']) {
    const entry = named(Buffer.from(hex, 'hex'))
    const marked = { ...entry, header: { ...entry.header, flags: 0x800 } }
    assert.match(codes(await examine({ 'e.zip': zipOfEntries(marked) }))[0] ?? '', /^name_not_unicode/)
  }
})
