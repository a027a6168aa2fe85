import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { layOutZip } from '@kitseal/kit'
import type { Reads } from '../objects/block-reads.ts'
import type { KitRecord } from './kit-queries.ts'
import { type KitZip, kitZip, type LaidOutZip, readPieces } from './kit-zip.ts'

const FOLDER = 'kits'

/** One archive with the kit.zip of each kit, unchanged. It is laid out like kit.zip, so any range can be served. */
export function kitsZip(kits: readonly KitRecord[], store: Reads): KitZip {
  const zips = new Map(kits.map((kit) => [`${kit.kitId}.zip`, kitZip(kit, store)]))
  const files = kits.map((kit) => {
    const path = `${kit.kitId}.zip`
    const zip = zips.get(path)!
    return { path, sizeBytes: zip.sizeBytes, crc32: crcOf(kit, zip) }
  })
  const newest =
    kits
      .map(({ issuedAt }) => issuedAt)
      .toSorted()
      .at(-1) ?? ''
  const layout = layOutZip(FOLDER, files, newest)
  const read = (start: number, end: number, how: 'read' | 'readChecked') =>
    readPieces(layout.pieces(start, end), (piece) => zips.get(piece.path)![how](piece.start, piece.end))
  return {
    sizeBytes: layout.sizeBytes,
    etag: etagOf([...zips.values()]),
    read: (start, end) => read(start, end, 'read'),
    readChecked: (start, end) => read(start, end, 'readChecked'),
  }
}

const etagOf = (zips: readonly KitZip[]): string =>
  `"${createHash('sha256')
    .update(JSON.stringify(zips.map(({ etag }) => etag)))
    .digest('base64url')}"`

/** The CRC-32 of kit.zip, from those of its files, without reading them. */
function crcOf(kit: KitRecord, zip: LaidOutZip): number {
  const byPath = new Map(kit.entries.map((entry) => [entry.path, entry.crc32]))
  let crc = 0
  for (const piece of zip.pieces(0, zip.sizeBytes))
    crc =
      'bytes' in piece
        ? crc32(piece.bytes, crc)
        : joinCrc(crc, byPath.get(piece.path) ?? 0, piece.end - piece.start)
  return crc
}

const POLYNOMIAL = 0xedb88320

/** The CRC-32 of two pieces one after the other, as `crc32_combine` of zlib. */
export function joinCrc(first: number, second: number, secondBytes: number): number {
  let shift = 0x80000000
  for (let bits = secondBytes * 8, power = 0; bits > 0; bits = Math.floor(bits / 2), power += 1)
    if (bits % 2 === 1) shift = multiply(POWERS[power % 32]!, shift)
  return (multiply(shift, first) ^ second) >>> 0
}

/** Of polynomials over GF(2), modulo that of CRC-32. The highest bit is the constant term. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let mask = 0x80000000; mask !== 0; mask >>>= 1) {
    if ((a & mask) !== 0) product ^= b
    b = (b & 1) === 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1
  }
  return product >>> 0
}

/** x^(2^n). */
const POWERS: readonly number[] = Array.from({ length: 31 }).reduce<number[]>(
  (powers) => [...powers, multiply(powers.at(-1)!, powers.at(-1)!)],
  [0x40000000],
)
