import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gatherEvidence, type GatheredFile } from './gather-evidence.ts'
import { needs } from '../../test/kit/needs.ts'

let folder = ''
before(() => (folder = mkdtempSync(join(tmpdir(), 'kitseal-gather-'))))
after(() => rmSync(folder, { recursive: true }))

/** The same files, written in the order of their names or the other way round. */
function writeEvidence(parent: string, names: readonly string[], time: number): string {
  const path = join(folder, parent, 'evidence')
  for (const name of names) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), `${name}\n`.repeat(100_000))
    utimesSync(join(path, name), time, time)
  }
  return path
}

const NAMES = ['b.txt', 'a/ü.txt', 'a/z.txt', 'a b.txt']

test('packing a folder is reproducible', async () => {
  const one = await content((await gatherEvidence([writeEvidence('one', NAMES, 1_000_000_000)]))[0])
  const other = await content(
    (await gatherEvidence([writeEvidence('two', NAMES.toReversed(), 1_500_000_000)]))[0],
  )
  assert.ok(one.equals(other))
})

test('links and names that are not UTF-8 are reported, and links are not followed', async () => {
  const path = writeEvidence('odd', NAMES, 1_000_000_000)
  symlinkSync('.', join(path, 'loop'))
  symlinkSync('/proc', join(path, 'a/elsewhere'))
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff])]), 'x')
  const problems = [
    'a/elsewhere is a symbolic link',
    'loop is a symbolic link',
    '\\xff has a name that is not UTF-8, so no manifest can list it',
  ]
  await assert.rejects(
    gatherEvidence([path]),
    (error: Error) =>
      problems.every((problem) => error.message.includes(`cannot pack ${path}: ${problem}`)) &&
      error.message.split('\n').length === problems.length,
  )
})

test('other tools can read the archive', needs('python3'), async () => {
  const [gathered] = await gatherEvidence([writeEvidence('three', NAMES, 1_000_000_000)])
  const path = join(folder, gathered?.name ?? '')
  writeFileSync(path, await content(gathered))
  const script =
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist(), sep="\\n")'
  const listed = execFileSync('python3', ['-c', script, path], { encoding: 'utf8' })
  assert.deepEqual(listed.trim().split('\n'), [
    'None',
    'evidence/a b.txt',
    'evidence/a/z.txt',
    'evidence/a/ü.txt',
    'evidence/b.txt',
  ])
})

test('random access and streaming give the same archive', async () => {
  const [gathered] = await gatherEvidence([writeEvidence('four', NAMES, 1_000_000_000)])
  const streamed = await content(gathered)
  using source = gathered!.open()
  assert.equal(source.sizeBytes, streamed.length)
  for (let at = 0; at < streamed.length; at += 99_991) {
    const part = await source.read(at, 1000)
    assert.ok(streamed.subarray(at, at + 1000).equals(part), `at ${at}`)
  }
})

test('a file that shrinks while it is packed fails the upload', async () => {
  const path = writeEvidence('five', NAMES, 1_000_000_000)
  const [gathered] = await gatherEvidence([path])
  writeFileSync(join(path, 'b.txt'), 'b')
  await assert.rejects(content(gathered), /b\.txt changed while it was being read/)
})

test('all problems with the given paths are reported together', async () => {
  const one = writeEvidence('six', ['a.txt'], 1)
  const two = writeEvidence('seven', ['a.txt'], 1)
  await assert.rejects(
    gatherEvidence([one, two, join(folder, 'none')]),
    /cannot read .*none: no such file or folder\ntwo files are named evidence\.zip/,
  )
})

async function content(gathered: GatheredFile | undefined): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of gathered?.read() ?? []) parts.push(part)
  return Buffer.concat(parts)
}
