import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Contents, zipOf } from '../test/evidence-samples.ts'
import { codes, evidenceStore } from '../../server/test/evidence-store.ts'

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => void (store = await evidenceStore()))
after(() => store[Symbol.asyncDispose]())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const found = async (files: Contents): Promise<readonly string[]> =>
  codes(await store.examine({ 'e.zip': zipOf(files) }))

test('lists of checksums as common tools write them are checked and pass', async () => {
  const empty = sha256('')
  const examination = await store.examine({
    'e.zip': zipOf({
      'x/a.txt': 'one',
      'x/b c.txt': 'two',
      'x/d.txt': 'three',
      'x/ü%0a.txt': 'four',
      'x/SHA256SUMS': `${sha256('one')}  a.txt\n${sha256('two')} *./b c.txt\nSHA256 (d.txt) = ${sha256('three')}\n${empty}  SHA256SUMS\n`,
      'x/a.txt.sha256': `${sha256('one').toUpperCase()}\n`,
      // Neighbours in the order of paths, and neither is below x/deep/.
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

test('a file that differs from its checksum, one that is missing and a list without sums are blockers', async () => {
  const files = {
    'a.txt': 'changed',
    SHA256SUMS: `${sha256('one')}  a.txt\n${sha256('two')}  gone.txt\n${sha256('x')}  ../../outside.txt\n`,
    'b.sha256': 'no sums here',
  }
  assert.deepEqual(await found(files), [
    'checksum_file_missing e.zip/SHA256SUMS',
    'checksum_file_missing e.zip/SHA256SUMS',
    'checksum_mismatch e.zip/a.txt',
    'checksum_list_malformed e.zip/b.sha256',
  ])
})

test('a BagIt bag is checked by its manifest, with its way of writing names', async () => {
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

test('lists of a hundred thousand missing files are counted, and neither held nor listed', async () => {
  const lists = Object.fromEntries(
    Array.from({ length: 10 }, (_, number) => [`${number}.sha256`, list(number)]),
  )
  const { blockers } = await store.examine(lists)
  assert.equal(blockers.length, 500)
  assert.match(blockers.at(-1)?.message ?? '', /\d{5,6} more were found/)
})
