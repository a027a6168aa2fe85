import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { layOutZip, type RandomAccess, type ZipLayout, type ZipPiece } from '@kitseal/kit/internal'
import { type KitFile, readFile, storedFiles } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'
import { blockReads, collectChunks, endsOf, randomAccess, type Reads } from '../objects/block-reads.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'

export const KIT_ZIP = 'kit.zip'

/** kit.zip is never stored. It is generated for each download, always with the same bytes. */
export interface KitZip {
  readonly sizeBytes: number
  /** Strong. Derived from everything that determines the bytes. */
  readonly etag: string
  /** `end` is exclusive. `checked`: fails before the last chunk of a complete file whose hash does not match. */
  read(start: number, end: number, how?: Reading): AsyncGenerator<Uint8Array>
  readonly pieces: ZipLayout['pieces']
}

type Reading = 'checked' | 'unchecked'
export type KitLayout = Pick<KitRecord, 'kitId' | 'issuedAt' | 'entries'>

export function kitZip(kit: KitLayout, store: Reads): KitZip {
  const objects = store.isRemote === true ? blockReads(store, endsOf(storedFiles(kit.entries))) : store
  const { sizeBytes, pieces } = layOutZip(kit.kitId, kit.entries, kit.issuedAt)
  const byPath = new Map(kit.entries.map((entry) => [entry.path, entry]))
  return {
    sizeBytes,
    get etag() {
      return etagOf(kit)
    },
    pieces,
    read: (start, end, how) =>
      readPieces(pieces(start, end), (piece) => {
        const file = byPath.get(piece.path)
        if (file === undefined) throw new Error(`the kit has no entry ${piece.path}`)
        return how === 'checked'
          ? readCheckedFile(file, objects, piece)
          : readFile(objects, file, piece.start, piece.end)
      }),
  }
}

/** Increment when the archive layout changes, because the ETag depends on it. Stored SHA-256s of kit.zip would be wrong, too. */
const LAYOUT_VERSION = 1

function etagOf(kit: KitLayout): string {
  const hash = createHash('sha256').update(JSON.stringify([LAYOUT_VERSION, kit.kitId, kit.issuedAt]))
  for (const { path, sha256, sizeBytes } of kit.entries)
    hash.update(JSON.stringify([path, sha256, sizeBytes]))
  return `"${hash.digest('base64url')}"`
}

const CHUNK_BYTES = 64 * 1024

type FilePart = Extract<ZipPiece, { readonly path: string }>

/** Combines headers and small files into larger chunks. */
async function* readPieces(
  pieces: Iterable<ZipPiece>,
  readPart: (part: FilePart) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let length = 0
  for (const piece of pieces) {
    for await (const bytes of 'bytes' in piece ? [piece.bytes] : readPart(piece)) {
      gathered.push(bytes)
      length += bytes.length
      if (length < CHUNK_BYTES) continue
      yield gathered.length === 1 ? bytes : Buffer.concat(gathered, length)
      gathered = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(gathered, length)
}

type Readable = Pick<ObjectStore, 'read'>

/** Reads a range of a file. Checks its hash if the range is the whole file, and fails before the last chunk if it does not match. */
export async function* readCheckedFile(
  entry: KitFile,
  objects: Readable,
  part: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const chunks = readFile(objects, entry, part.start, part.end)
  if (part.start > 0 || part.end < entry.sizeBytes) return yield* chunks
  const hash = createHash('sha256')
  let held: Uint8Array | undefined
  for await (const bytes of chunks) {
    if (held !== undefined) yield held
    hash.update(bytes)
    held = bytes
  }
  if (hash.digest('hex') !== entry.sha256) throw new ObjectUnreadable(entry.sha256, 'is damaged')
  if (held !== undefined) yield held
}

/** The SHA-256 of kit.zip, in hex. Throws ObjectUnreadable if a file of it is damaged. */
export async function archiveSha256(kit: KitLayout, objects: Reads): Promise<string> {
  const zip = kitZip(kit, objects)
  const hash = createHash('sha256')
  for await (const bytes of zip.read(0, zip.sizeBytes, 'checked')) hash.update(bytes)
  return hash.digest('hex')
}

const SMALL_BYTES = 1024 * 1024

/** Random access to kit.zip. A small one is read once, into memory. */
export function kitZipAccess({ sizeBytes, read }: Pick<KitZip, 'sizeBytes' | 'read'>): RandomAccess {
  if (sizeBytes > SMALL_BYTES) return randomAccess(sizeBytes, read)
  let reading: Promise<Uint8Array> | undefined
  return {
    sizeBytes,
    read: async (offset, length) => {
      reading ??= collectChunks(read(0, sizeBytes), sizeBytes)
      return (await reading).subarray(offset, offset + length)
    },
  }
}

const FOLDER = 'kits'

/** One archive with the kit.zip of each kit, unchanged. It is laid out like kit.zip, so any range can be served. */
export function kitsZip(kits: readonly KitRecord[], store: Reads): KitZip {
  const zips = new Map(kits.map((kit) => [`${kit.kitId}.zip`, { kit, zip: kitZip(kit, store) }]))
  const all = [...zips.values()]
  const files = [...zips].map(([path, { kit, zip }]) => {
    return { path, sizeBytes: zip.sizeBytes, crc32: crcOf(kit, zip) }
  })
  const newest = all.map(({ kit }) => kit.issuedAt).toSorted()
  const { sizeBytes, pieces } = layOutZip(FOLDER, files, newest.at(-1) ?? '')
  const etags = JSON.stringify(all.map(({ zip }) => zip.etag))
  return {
    sizeBytes,
    etag: `"${createHash('sha256').update(etags).digest('base64url')}"`,
    pieces,
    read: (start, end, how) =>
      readPieces(pieces(start, end), (piece) => zips.get(piece.path)!.zip.read(piece.start, piece.end, how)),
  }
}

/** The CRC-32 of kit.zip, from those of its files, without reading them. */
function crcOf(kit: KitRecord, zip: KitZip): number {
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
function joinCrc(first: number, second: number, secondBytes: number): number {
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
