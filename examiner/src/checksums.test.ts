import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Contents, zipOf } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { nodeHost } from '@kitseal/kit/node'
import { checkFiles } from './check-files.ts'
import { memoryPlatform } from './platform/platform.ts'
import { memorySource } from './platform/sources.ts'
import { type ContentFacts, ContentPass } from './read/content-pass.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const found = async (files: Contents): Promise<readonly string[]> =>
  codes(await examine({ 'e.zip': zipOf(files) }))

test('checksum lists of common tools are parsed and compared', async () => {
  const empty = sha256('')
  const examination = await examine({
    'e.zip': zipOf({
      'x/a.txt': 'one',
      'x/b c.txt': 'two',
      'x/d.txt': 'three',
      'x/ü%0a.txt': 'four',
      'x/SHA256SUMS': `${sha256('one')}  a.txt\n${sha256('two')} *./b c.txt\nSHA256 (d.txt) = ${sha256('three')}\n${empty}  SHA256SUMS\n`,
      'x/a.txt.sha256': `${sha256('one').toUpperCase()}\n`,
      // Sorted next to x/deep/, but not below it.
      'x/deep!/f.txt': 'five',
      'x/deep0/f.txt': 'six',
      'x/deep/list.sha256': `${sha256('one')}  ../a.txt\r\n${sha256('four')}  ../ü%0a.txt\r\n`,
    }),
  })
  assert.deepEqual(codes(examination), [])
  const { checksums } = examination.intakeReport as unknown as { checksums: Record<string, unknown>[] }
  assert.deepEqual(
    checksums.map(({ list, checked, unlisted }) => `${list}: ${checked} checked, ${unlisted} unlisted`),
    [
      'data/x/SHA256SUMS: 3 checked, 5 unlisted',
      'data/x/a.txt.sha256: 1 checked, 7 unlisted',
      'data/x/deep/list.sha256: 2 checked, 0 unlisted',
    ],
  )
})

test('a checksum mismatch, a missing file are blockers, a list without checksums is not', async () => {
  const files = {
    'a.txt': 'changed',
    SHA256SUMS: `${sha256('one')}  a.txt\n${sha256('two')}  gone.txt\n${sha256('x')}  ../../outside.txt\n`,
    'b.sha256': 'no sums here',
  }
  assert.deepEqual(await found(files), [
    'checksum_file_missing e.zip/SHA256SUMS',
    'checksum_file_missing e.zip/SHA256SUMS',
    'checksum_mismatch e.zip/a.txt',
  ])
  const { findings } = await examine({ 'e.zip': zipOf(files) })
  assert.ok(
    findings.some(({ code, path }) => code === 'checksum_list_malformed' && path === 'e.zip/b.sha256'),
  )
})

test('comments and blank lines of a checksum list are no checksums, and not malformed', async () => {
  const files = { 'a.txt': 'one', SHA256SUMS: `# made by hand\n\n${sha256('one')}  a.txt\n` }
  const { findings, intakeReport } = await examine({ 'e.zip': zipOf(files) })
  assert.deepEqual(findings, [])
  const [list] = (intakeReport as unknown as { readonly checksums: readonly object[] }).checksums
  assert.partialDeepStrictEqual(list, { checked: 1 })
})

test('a BagIt bag is checked against its manifest, with percent-encoded names', async () => {
  const bag = {
    'bag/bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'bag/data/100%.txt': 'payload',
    'bag/manifest-sha256.txt': `${sha256('payload')} data/100%25.txt\n`,
  }
  assert.deepEqual(await found(bag), [])
  assert.deepEqual(await found({ ...bag, 'bag/data/100%.txt': 'other' }), [
    'checksum_mismatch e.zip/bag/data/100%.txt',
  ])
})

const line = (list: number, index: number): string => `${sha256(`${list}-${index % 50}`)}  ${list}/${index}\n`

const list = (number: number): string =>
  Array.from({ length: 12_000 }, (_, index) => line(number, index)).join('')

test('a hundred thousand missing files are counted, not listed', async () => {
  const lists = Object.fromEntries(
    Array.from({ length: 10 }, (_, number) => [`${number}.sha256`, list(number)]),
  )
  const { blockers } = await examine(lists)
  assert.equal(blockers.length, 500)
  assert.match(blockers.at(-1)?.message ?? '', /\d{5,6} more were found/)
})

/** The codes of a check of a ZIP, whose texts a thread has read without hashing them. */
const check = async (files: Contents): Promise<readonly string[]> => {
  const bytes = zipOf(files)
  const readAhead = (name: string): Promise<ContentFacts> | undefined => {
    const content = Buffer.from(files[name] ?? '')
    const pass = new ContentPass({ name, sizeBytes: content.length, checksums: 'crc32' }, nodeHost)
    pass.push(content)
    return name.endsWith('.txt') ? pass.end() : undefined
  }
  const supplied = [{ name: 'e.zip', source: memorySource(bytes), readAhead }]
  const now = '2026-06-30T12:00:00.000Z'
  return codes(await checkFiles(memoryPlatform(nodeHost), { files: supplied, now }))
}

test('before an upload, files are hashed for the checksum lists among them, also those that a thread has read without', async () => {
  assert.deepEqual(await check({ 'a.txt': 'one' }), [])
  assert.deepEqual(await check({ 'a.txt': 'one', SHA256SUMS: `${sha256('one')}  a.txt\n` }), [])
  assert.deepEqual(await check({ 'a.txt': 'one', SHA256SUMS: `${sha256('two')}  a.txt\n` }), [
    'checksum_mismatch e.zip/a.txt',
  ])
})
