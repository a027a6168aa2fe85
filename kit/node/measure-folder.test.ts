import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { listFolder, type MeasuredFiles, measureFiles, measureFolder } from './measure-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-measure-'))
after(() => rmSync(folder, { recursive: true }))

/** Enough for more than one thread. */
for (let at = 0; at < 7; at++) writeFileSync(join(folder, `${at}.bin`), Buffer.alloc(8 * 1024 * 1024, at))

test('files that several threads measure have their own SHA-256, CRC-32 and place in the list', async () => {
  const measured = await measureFolder(folder, 'data/')
  assert.ok(measured.ok)
  assert.deepEqual(
    measured.files.map(({ path, sha256, crc32: crc }) => ({ path, sha256, crc })),
    listFolder(folder).files.map(({ path, diskPath }) => {
      const bytes = readFileSync(diskPath)
      return {
        path: `data/${path}`,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        crc: crc32(bytes),
      }
    }),
  )
})

test('a file that grows, shrinks or disappears after it was listed is named', async () => {
  const [file] = listFolder(folder).files
  assert.ok(file !== undefined)
  for (const [change, problem] of [
    [{ sizeBytes: file.sizeBytes - 1 }, 'it changed while it was being read'],
    [{ sizeBytes: file.sizeBytes + 1 }, 'it changed while it was being read'],
    [{ diskPath: join(folder, 'none') }, 'no such file or folder'],
  ] as const) {
    const measured: MeasuredFiles = await measureFiles([{ ...file, ...change }], ['sha256', 'crc32'])
    assert.deepEqual(measured, { ok: false, problems: [`${file.path} cannot be read: ${problem}`] })
  }
})
