import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { windowsProgram } from '../test/program-samples.ts'
import { tar } from '../test/archive-samples.ts'
import { type Contents, openXml, zipOf } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { eicarString } from './search/find-bytes.ts'

const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))
const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])

const expected = (path: string): readonly string[] => [
  `name_traversal ${path}/../up.txt`,
  `name_collision ${path}/a.txt`,
  `executable_content ${path}/b/run`,
  `test_virus ${path}/e.txt`,
  `link ${path}/l`,
  `macros ${path}/m.docx`,
  `executable_content ${path}/n.zip/x.exe`,
  `special_file ${path}/p`,
]

test('files in tar and gzip are examined as in a ZIP, and kept whole', async () => {
  const inside = [
    { name: 'a.txt', content: 'text' },
    { name: 'b/run', content: EXE },
    { name: 'e.txt', content: eicarString() },
    { name: 'm.docx', content: openXml('docx', { 'word/vbaProject.bin': 'x' }) },
    { name: 'n.zip', content: zipOf({ 'x.exe': EXE }) },
    { name: '../up.txt', content: 'x' },
    { name: 'l', type: '2' },
    { name: 'p', type: '6' },
    { name: 'a.txt', content: 'again' },
  ]
  assert.deepEqual(await found({ 'a.tar': tar(...inside) }), ['test_virus a.tar', ...expected('a.tar')])
  assert.deepEqual(await found({ 'a.tgz': gzipSync(tar(...inside)) }), [
    'test_virus a.tgz/a.tar',
    ...expected('a.tgz/a.tar'),
  ])
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'a.tar': tar(...inside) }) }), [
    'test_virus e.zip/a.tar',
    ...expected('e.zip/a.tar'),
  ])
  assert.deepEqual(await found({ 'x.log.gz': gzipSync(EXE) }), ['executable_content x.log.gz/x.log'])
  const sound = await examine({
    'a.tar.gz': gzipSync(tar({ name: './', type: '5' }, { name: './a.csv', content: 'a,b\n' })),
  })
  assert.deepEqual(noticed(sound), [])
  assert.deepEqual(
    sound.files.map(({ path, type, inside: counted }) => `${path} ${type.id} ${counted?.files}`),
    ['data/a.tar.gz gz 1'],
  )
})

test('a hard link to a file of the same archive is accepted, another is not', async () => {
  const file = { name: './a.txt', content: 'text' }
  assert.deepEqual(await found({ 'a.tar': tar(file, { name: 'b.txt', type: '1', target: './a.txt' }) }), [])
  assert.deepEqual(await found({ 'a.tar': tar(file, { name: 'b.txt', type: '1', target: '/etc/passwd' }) }), [
    'link a.tar/b.txt',
  ])
})

test('bombs, also of several members, and damage in gzip are found, and nesting is limited', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  const lie = Buffer.from(bomb)
  lie.writeUInt32LE(1000, lie.length - 4)
  assert.deepEqual(
    await found({
      'a.gz': bomb,
      'b.gz': lie,
      'c.gz': gzipSync('text\n'.repeat(500)).subarray(0, -20),
      'd.gz': Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(2_000_000)))),
      'e.tar': tar({ name: 'a.txt', content: 'x'.repeat(3000) }).subarray(0, 2000),
    }),
    [
      'archive_ratio a.gz',
      'archive_ratio b.gz',
      'malformed_gzip c.gz',
      'archive_ratio d.gz',
      'unreadable_archive e.tar',
    ],
  )
  let deep: Uint8Array = Buffer.from('text')
  for (let level = 0; level < 5; level++) deep = gzipSync(deep)
  const [first = ''] = await found({ 'a.gz': deep })
  assert.match(first, /^nested_too_deep/)
})

test('archives that the tar program writes are read, with long names', async (t) => {
  if (spawnSync('tar', ['--version']).status !== 0) return t.skip('tar is not installed')
  const folder = tempFolder()
  const long = `${'long name '.repeat(12)}.txt`
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', long), 'text')
  writeFileSync(join(folder, 'in', 'grüße.exe'), 'MZ\0\0')
  for (const format of ['gnu', 'pax']) {
    execFileSync('tar', [`--format=${format}`, '-cf', join(folder, 'out.tar'), '-C', join(folder, 'in'), '.'])
    const { blockers, files } = await examine({ 'out.tar': readFileSync(join(folder, 'out.tar')) })
    assert.deepEqual(codes({ blockers }), ['executable_content out.tar/./grüße.exe'], format)
    assert.equal(files[0]?.inside?.files, 2)
  }
  return undefined
})

test('a gzip file with several members, or padded with zeros, is read as common tools read it', async () => {
  const parts = Array.from({ length: 50 }, (_, index) => gzipSync(`line ${index}\n`.repeat(index)))
  const random = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251))
  const marked = Buffer.concat([random, Buffer.from([0x1f, 0x8b, 8, 0]), random])
  const files = {
    'two.log.gz': Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]),
    'many.log.gz': Buffer.concat(parts),
    'empty.txt.gz': gzipSync(''),
    'padded.txt.gz': Buffer.concat([gzipSync('text'), Buffer.alloc(10_240)]),
    'stored.bin.gz': gzipSync(marked, { level: 0 }),
    'stored.log.gz': Buffer.concat([gzipSync(marked, { level: 0 }), gzipSync('x')]),
  }
  const result = await examine(files)
  assert.deepEqual(codes(result), [])
  const inside = Object.fromEntries(result.files.map((file) => [file.path, file.inside?.bytes]))
  assert.equal(inside['data/two.log.gz'], 13)
  assert.equal(inside['data/padded.txt.gz'], 4)
  assert.equal(inside['data/stored.log.gz'], marked.length + 1)
})

test('a virus in the second member of a gzip file is found, and a damaged member is damage', async () => {
  const infected = Buffer.concat([gzipSync('first\n'), gzipSync(eicarString())])
  assert.deepEqual(await found({ 'a.log.gz': infected }), ['test_virus a.log.gz/a.log'])
  const [one, two] = [gzipSync('first\n'), gzipSync('second second second\n')]
  assert.deepEqual(await found({ 'a.gz': Buffer.concat([one, two.subarray(0, -9)]) }), [
    'malformed_gzip a.gz',
  ])
  assert.deepEqual(await found({ 'a.gz': Buffer.concat([one, Buffer.from('trailing text')]) }), [
    'malformed_gzip a.gz',
  ])
})

test('a tar archive in the oldest form, without a signature, is looked into', async () => {
  const v7 = tar({ name: 'run', content: EXE })
  const sum =
    Number.parseInt(v7.toString('latin1', 148, 154), 8) - v7.subarray(257, 265).reduce((a, b) => a + b, 0)
  v7.fill(0, 257, 265)
  v7.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  assert.deepEqual(await found({ 'a.tar': v7 }), ['executable_content a.tar/run'])
})

test('files with holes, in every form of GNU tar, are examined by the parts that are stored', async (t) => {
  if (!execFileSync('tar', ['--version']).toString().includes('GNU tar')) return t.skip('tar is not GNU tar')
  const cwd = tempFolder()
  // Thirty parts, so that the old form needs further blocks.
  const writeSparse = (name: string, start: Uint8Array): void => {
    const file = openSync(join(cwd, name), 'w')
    ftruncateSync(file, 64 * 16_384)
    for (let part = 0; part < 30; part++) writeSync(file, `part ${part}\n`, part * 32_768)
    writeSync(file, start, 0, undefined, 0)
    closeSync(file)
  }
  writeSparse('plain.txt', Buffer.from('text'))
  writeSparse('run.dat', windowsProgram())
  writeFileSync(join(cwd, 'last.txt'), 'last')
  const files: Record<string, Uint8Array> = {}
  const forms = [
    ['gnu'],
    ['posix', '--sparse-version=0.0'],
    ['posix', '--sparse-version=0.1'],
    ['posix', '--sparse-version=1.0'],
  ]
  for (const [index, [format = '', ...more]] of forms.entries()) {
    const args = ['-c', '-f', 'a.tar', '--sparse', '--hole-detection=raw', `--format=${format}`, ...more]
    execFileSync('tar', [...args, 'plain.txt', 'run.dat', 'last.txt'], { cwd })
    files[`${index}.tar`] = readFileSync(join(cwd, 'a.tar'))
    assert.ok(files[`${index}.tar`]!.length < 1_000_000, 'holes are not stored')
  }
  const { blockers, files: examined } = await examine(files)
  assert.deepEqual(
    codes({ blockers }),
    forms.map((_, index) => `executable_content ${index}.tar/run.dat`),
  )
  assert.deepEqual(
    examined.map(({ inside }) => inside?.files),
    [3, 3, 3, 3],
  )
})

test('a sparse file that unpacks to more than the limit is rejected', async () => {
  const zip = Buffer.from(tar({ name: 'a', type: 'S', content: 'x' }))
  zip.write('77777777777\0', 483)
  zip.write('        ', 148)
  const sum = zip.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  zip.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  assert.deepEqual(await found({ 'a.tar': zip }), ['too_large_unpacked a.tar'])
})
