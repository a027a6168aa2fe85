import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contents, jpeg, pdf, png, tiff, zipOf } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { linuxProgram, windowsProgram } from '../test/program-samples.ts'

const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))
const joined = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

const zip = zipOf({ 'a.txt': 'x' })
const EXE = windowsProgram()

test('a file with an archive or program appended is rejected', async () => {
  const moved = Buffer.from(zip)
  // With adjusted offsets, and with a comment and bytes after the end record.
  moved.writeUInt32LE(moved.readUInt32LE(moved.length - 6) + pdf().length, moved.length - 6)
  const files = {
    'a.pdf': joined(pdf(), zip),
    'b.png': joined(png(), zip),
    'c.jpg': joined(jpeg(), zip),
    'd.tiff': joined(tiff(), zip),
    'e.pdf': joined(pdf(), moved, '%%EOF\n'),
    'f.png': joined(png(), EXE),
    'g.jpg': joined(jpeg(), linuxProgram()),
    'h.pdf': joined(pdf(), EXE),
    'i.jpg': joined(jpeg(), 'Rar!\x1a\x07\0', Buffer.alloc(60)),
    'j.png': joined(png(), zip, Buffer.alloc(40_000)),
  }
  const expected = Object.keys(files).map(
    (name) => `${name === 'h.pdf' ? 'executable' : 'appended'}_content ${name}`,
  )
  assert.deepEqual(await found(files), expected)
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'n.zip': zipOf({ 'a.png': joined(png(), zip) }) }) }), [
    'appended_content e.zip/n.zip/a.png',
  ])
})

test('data that cameras and programs append to files is allowed', async () => {
  assert.deepEqual(
    await found({
      'a.jpg': joined(jpeg(), jpeg()),
      'b.jpg': joined(jpeg(), 'SEFH', Buffer.alloc(400), 'SEFT'),
      'c.jpg': joined(jpeg(), '\0\0\0\x18ftypmp42', Buffer.alloc(4000)),
      'd.png': joined(png(), Buffer.alloc(16)),
      'e.pdf': joined(pdf(), '\r\n\0\0'),
      // The signature of an end record by chance, without a directory.
      'f.png': joined(png(), 'PK\x05\x06', Buffer.alloc(40, 7)),
      'g.jpg': joined(jpeg(), 'PK PK\x01\x02', Buffer.alloc(40)),
    }),
    [],
  )
})

test('a file that ends in thousands of end records is rejected quickly', async () => {
  assert.deepEqual(await found({ 'a.png': joined(png(), 'PK\x05\x06'.repeat(16_000)) }), [
    'appended_content a.png',
  ])
  assert.deepEqual(await found({ 'a.png': joined(png(), 'P'.repeat(100_000)) }), [])
})
