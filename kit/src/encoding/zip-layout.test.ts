import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nodeHost } from '../../node/internal.ts'
import { makeKit, pieceBytes, zipBytes } from '../../test/make-kit.ts'
import { needs } from '../../../test/kit/needs.ts'
import { locateEntry } from './zip-local-header.ts'
import { ZipWindow } from './zip-fields.ts'
import { readZipDirectory } from './zip-directory.ts'
import { layOutZip } from './zip-layout.ts'

test('the same kit gives the same bytes', async () => {
  const first = await makeKit({ 'a.txt': 'a', 'b/ü.txt': 'b' })
  const second = await makeKit({ 'b/ü.txt': 'b', 'a.txt': 'a' })
  assert.deepEqual(first.zip, second.zip)
})

test('any byte range of the archive can be produced on its own', async () => {
  const { sealed, contents, zip } = await makeKit({
    'a.txt': 'abc'.repeat(50),
    'empty.txt': '',
    'z.bin': new Uint8Array(300),
  })
  const layout = layOutZip(sealed.manifest.kit_id, sealed.files, sealed.manifest.issued_at)
  assert.equal(layout.sizeBytes, zip.length)
  fc.assert(
    fc.property(fc.nat(zip.length), fc.nat(zip.length), (a, b) => {
      const [start, end] = a < b ? [a, b] : [b, a]
      const range = Buffer.concat([...layout.pieces(start, end)].map((piece) => pieceBytes(piece, contents)))
      assert.ok(range.equals(zip.subarray(start, end)))
    }),
  )
})

test('other tools accept the archive', needs('python3', 'unzip'), async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-zip-'))
  try {
    const { zip } = await makeKit({ 'a.txt': 'a', 'mit Umlaut ü.txt': 'b' })
    writeFileSync(join(folder, 'kit.zip'), zip)
    const script = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); sys.exit(z.testzip() is not None)'
    execFileSync('python3', ['-c', script, join(folder, 'kit.zip')])
    assert.match(
      execFileSync('unzip', ['-t', join(folder, 'kit.zip')], { encoding: 'utf8' }),
      /No errors detected/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('archives beyond 4 GiB or 65,535 entries use zip64 where needed, and can be read', async () => {
  const big = [
    { path: 'a.bin', sizeBytes: 5 * 2 ** 30, crc32: 1 },
    { path: 'b.bin', sizeBytes: 10, crc32: 2 },
    { path: 'c.bin', sizeBytes: 0, crc32: 0 },
  ]
  const many = Array.from({ length: 70_000 }, (_, index) => ({ path: `f${index}`, sizeBytes: 0, crc32: 0 }))
  for (const files of [big, many]) {
    const layout = layOutZip('kit', files, '2026-01-01T00:00:00.000Z')
    const source = {
      sizeBytes: layout.sizeBytes,
      read: (offset: number, length: number) =>
        Buffer.concat(
          [...layout.pieces(offset, offset + length)].map((piece) =>
            'bytes' in piece ? piece.bytes : Buffer.alloc(piece.end - piece.start),
          ),
        ),
    }
    const directory = await readZipDirectory(source)
    assert.equal(directory.issued, true)
    assert.deepEqual(
      directory.entries.map(({ name, sizeBytes, crc32 }) => ({ path: name.slice(4), sizeBytes, crc32 })),
      files,
    )
    const window = new ZipWindow(source, directory.offset)
    for (const [index, entry] of directory.entries.entries()) {
      const next = directory.entries[index + 1]?.headerOffset ?? directory.offset
      assert.equal(await locateEntry(window, entry, next), next - entry.sizeBytes, entry.name)
    }
  }
})

test('a small archive has no zip64 records', async () => {
  const { sealed, contents } = await makeKit()
  assert.equal(Buffer.from(zipBytes(sealed, contents)).indexOf('PK\x06\x06', 'latin1'), -1)
  assert.equal(nodeHost.crc32(new Uint8Array(0), 0), 0)
})
