import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { layOutZip, readZipDirectory } from '@kitseal/kit'
import { arrivingZip } from './arriving-zip.ts'

const SMALL = randomBytes(100)
const MEDIUM = randomBytes(300_000)
const LARGE = randomBytes(1_200_000)
const FILES = { 'a.bin': MEDIUM, 'b.txt': SMALL, 'c.bin': LARGE, 'd.bin': MEDIUM }

test('entries are hashed as they arrive, in pieces of any size', async () => {
  const zip = zipOf(FILES)
  for (const pieceBytes of [997, 65_536, 262_144, zip.length]) {
    const { contentOf } = await arrive(zip, pieceBytes)
    for (const name of ['a.bin', 'c.bin', 'd.bin'] as const) {
      const bytes = FILES[name]
      const expected = { sizeBytes: bytes.length, crc32: crc32(bytes), sha256: hash('sha256', bytes) }
      assert.deepEqual(contentOf(`kit/${name}`), expected, `${name} in pieces of ${pieceBytes}`)
    }
  }
})

test('small entries, and large ones without a signed CRC-32, are left to the verification', async () => {
  const zip = zipOf(FILES)
  const { contentOf } = await arrive(zip, 65_536, () => undefined)
  assert.equal(contentOf('kit/b.txt'), undefined)
  assert.equal(contentOf('kit/c.bin'), undefined)
  assert.equal(contentOf('kit/d.bin')?.sha256, hash('sha256', MEDIUM))
})

test('only bytes that have arrived are read', () => {
  const zip = zipOf(FILES)
  let available = 0
  const arriving = arrivingZip((buffer, offset) => {
    assert.ok(offset + buffer.length <= available, `${offset + buffer.length} of ${available}`)
    zip.copy(buffer, 0, offset)
  })
  for (available = 0; available < zip.length; available += 10_007) arriving.advance(available)
})

test('an entry that has not arrived completely has no hash', async () => {
  const zip = zipOf(FILES)
  const end = zip.lastIndexOf(MEDIUM.subarray(-100)) + 99
  assert.equal((await arrive(zip, 65_536, crcOf, end)).contentOf('kit/d.bin'), undefined)
  assert.notEqual((await arrive(zip, 65_536, crcOf, end + 1)).contentOf('kit/d.bin'), undefined)
})

test('a hash is not used for an entry of another header or for a name that occurs twice', async () => {
  const zip = zipOf(FILES)
  const { arriving, directory } = await arrive(zip, 65_536)
  const [first, , third] = directory.entries
  assert.ok(first !== undefined && third !== undefined)
  const moved = { ...directory, entries: [{ ...first, headerOffset: first.headerOffset + 1 }] }
  assert.equal(arriving.contentOf(moved, crcOf)('kit/a.bin'), undefined)
  const twice = { ...directory, entries: [first, { ...third, name: first.name }] }
  assert.equal(arriving.contentOf(twice, crcOf)('kit/a.bin'), undefined)
})

test('compressed entries are skipped, and nothing is hashed behind an entry without sizes', async () => {
  const deflated = deflateRawSync(Buffer.alloc(2_000_000, 'x'))
  const stored = localEntry(0, 0, MEDIUM.length, MEDIUM.length, MEDIUM)
  const compressed = localEntry(0, 8, deflated.length, 2_000_000, deflated)
  const late = localEntry(8, 0, 0, 0, MEDIUM)
  assert.deepEqual(hashedAt([compressed, stored]), [undefined, hash('sha256', MEDIUM)])
  assert.deepEqual(hashedAt([late, stored]), [undefined, undefined])
  assert.deepEqual(hashedAt([Buffer.alloc(5000), stored]), [undefined, undefined])
})

const crcOf = (name: string): number => crc32(FILES[name.slice(4) as keyof typeof FILES])

function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const inputs = Object.entries(files).map(([path, bytes]) => ({
    path,
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
  }))
  const layout = layOutZip('kit', inputs, '2026-03-01T12:00:00Z')
  const pieces = [...layout.pieces(0, layout.sizeBytes)]
  return Buffer.concat(
    pieces.map((piece) =>
      'bytes' in piece ? piece.bytes : (files[piece.path]?.subarray(piece.start, piece.end) ?? SMALL),
    ),
  )
}

async function arrive(
  zip: Buffer,
  pieceBytes: number,
  trusted: (name: string) => number | undefined = crcOf,
  upTo = zip.length,
) {
  const arriving = arrivingZip((buffer, offset) => void zip.copy(buffer, 0, offset))
  for (let at = pieceBytes; at < upTo; at += pieceBytes) arriving.advance(at)
  arriving.advance(upTo)
  const read = (at: number, length: number): Uint8Array => zip.subarray(at, at + length)
  const directory = await readZipDirectory({ sizeBytes: zip.length, read })
  return { arriving, directory, contentOf: arriving.contentOf(directory, trusted) }
}

function localEntry(
  flags: number,
  method: number,
  dataBytes: number,
  sizeBytes: number,
  data: Buffer,
): Buffer {
  const header = Buffer.alloc(31)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(dataBytes, 18)
  header.writeUInt32LE(sizeBytes, 22)
  header.writeUInt16LE(1, 26)
  header.write('a', 30)
  return Buffer.concat([header, data])
}

/** The hash of each entry that was taken on arrival. */
function hashedAt(parts: readonly Buffer[]): readonly (string | undefined)[] {
  const zip = Buffer.concat(parts)
  const arriving = arrivingZip((buffer, offset) => void zip.copy(buffer, 0, offset))
  arriving.advance(zip.length)
  let headerOffset = 0
  return parts.map((part) => {
    const entry = { name: 'a', headerOffset }
    headerOffset += part.length
    const directory = { entries: [entry] } as unknown as Parameters<typeof arriving.contentOf>[0]
    return arriving.contentOf(directory, () => undefined)('a')?.sha256
  })
}
