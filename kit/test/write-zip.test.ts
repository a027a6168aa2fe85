import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { writeZip } from '../node/seal-folder.ts'
import { layOutZip } from '../src/internal.ts'

const CONTENT = Buffer.from('content')
const layout = layOutZip(
  'kit',
  [{ path: 'a.txt', sizeBytes: CONTENT.length, crc32: crc32(CONTENT) }],
  '2026-01-01T00:00:00.000Z',
)

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kitseal-write-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('an archive gets its name only after it was checked', async () => {
  const seen: string[] = []
  await writeZip(
    join(folder, 'kit.zip'),
    layout,
    () => CONTENT,
    async (path) => {
      seen.push(...readdirSync(folder))
      assert.ok(readFileSync(path).includes('content'))
    },
  )
  assert.equal(seen.length, 1)
  assert.match(seen[0] ?? '', /^kit\.zip\.\d+\.part$/)
  assert.deepEqual(readdirSync(folder), ['kit.zip'])
})

test('an archive that fails its check leaves nothing behind', async () => {
  const written = writeZip(
    join(folder, 'kit.zip'),
    layout,
    () => CONTENT,
    () => Promise.reject(new Error('it does not verify')),
  )
  await assert.rejects(written, /it does not verify/)
  assert.deepEqual(readdirSync(folder), [])
})
