import { type Digest, merkleRoot, nodeHash } from '../encoding/merkle.ts'
import { malformed, parseDecimal } from './note.ts'

/** The hashes in a full tile. */
export const TILE_WIDTH = 256

/** A tile of hashes, or the entries under a tile of level 0 (C2SP tlog-tiles). */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  /** How many hashes or entries it has: 1 to 256. */
  readonly width: number
}

/** How many hashes a tile has in a log of this size: 256, fewer in the last tile of a level, or 0. */
export function tileWidth(level: number | 'entries', index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** All tiles of a log of this size. */
export function* tilesOf(size: number): Iterable<Tile> {
  for (let level = 0; size >= TILE_WIDTH ** level; level++)
    for (const kind of level === 0 ? (['entries', 0] as const) : [level])
      for (let index = 0; tileWidth(kind, index, size) > 0; index++)
        yield { level: kind, index, width: tileWidth(kind, index, size) }
}

/** The path of a tile below the address of its log. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.../g) ?? []
  const last = groups.pop()
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`
  return `tile/${level}/${groups.map((group) => `x${group}/`).join('')}${last}${partial}`
}

/** Parses the path of a tile. Throws LogFormatError; each tile has one path. */
export function parseTilePath(path: string): Tile {
  const [, at = '', groups = '', partial] =
    /^tile\/([0-9]{1,2}|entries)\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/.exec(path) ?? []
  const tile = {
    level: at === 'entries' ? at : parseDecimal(at, 'the level of the tile'),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : parseDecimal(partial, 'the width of the tile'),
  } as const
  if (tile.width < 1 || tile.width > TILE_WIDTH || tilePath(tile) !== path)
    malformed('this is not the path of a tile')
  if (tile.level !== 'entries' && tile.level > 63) malformed('a tile has a level from 0 to 63')
  return Number.isSafeInteger(tile.index) ? tile : malformed('the index of the tile is too large')
}

/** The content of an entry bundle: each entry after its length in two bytes. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { length }) => sum + 2 + length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > 0xffff) malformed('an entry is longer than 65,535 bytes')
    bytes.set([entry.length >> 8, entry.length & 0xff], at)
    bytes.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bytes
}

/** Parses an entry bundle. Throws LogFormatError. */
export function parseEntryBundle(bytes: Uint8Array): readonly Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + (bytes[at]! << 8) + (bytes[at + 1] ?? 0)
    if (at + 2 > bytes.length || end > bytes.length) malformed('the entry bundle ends inside an entry')
    entries.push(new Uint8Array(bytes.subarray(at + 2, end)))
    at = end
  }
  if (entries.length < 1 || entries.length > TILE_WIDTH) malformed('an entry bundle has 1 to 256 entries')
  return entries
}

/** Reads the hashes of a tile: `width` times 32 bytes, or more. */
export type TileReader = (level: number, index: number, width: number) => Uint8Array | Promise<Uint8Array>

/** Hashes of complete subtrees of one log, by first leaf and number of leaves. They never change while the log grows. */
export type SubtreeHashes = Map<string, Uint8Array>

/** The leaves from `start` up to, not including, `end`. */
interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The root hash of a log of this size, from its tiles. What is in `known` is not computed again; what is computed is added.
 */
export async function rootFromTiles(
  size: number,
  read: TileReader,
  digest: Digest,
  known?: SubtreeHashes,
): Promise<Uint8Array> {
  if (size === 0) return digest(new Uint8Array(0))
  return rangeHash({ start: 0, end: size }, { size, read, digest, known })
}

/**
 * The inclusion proof for a leaf in a log of this size, from its tiles (RFC 6962, section 2.1.1). With `known`, proofs for several
 * leaves share their subtrees.
 */
export async function inclusionProofFromTiles(
  index: number,
  size: number,
  read: TileReader,
  digest: Digest,
  known?: SubtreeHashes,
): Promise<readonly Uint8Array[]> {
  if (!isIndex(index) || !isIndex(size) || index >= size) throw new RangeError('no such leaf')
  const { beside } = rangesBeside(index + 1, size, ({ start, end }) => end - start === 1)
  return hashesOf(beside, { size, read, digest, known })
}

/** The consistency proof between two sizes of a log, from its tiles (RFC 6962, section 2.1.2). */
export async function consistencyProofFromTiles(
  olderSize: number,
  newerSize: number,
  read: TileReader,
  digest: Digest,
): Promise<readonly Uint8Array[]> {
  if (!isIndex(olderSize) || !isIndex(newerSize) || olderSize > newerSize)
    throw new RangeError('the older log is larger')
  if (olderSize === 0) return []
  return hashesOf(consistencyRanges(olderSize, newerSize), { size: newerSize, read, digest })
}

const isIndex = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** The subtrees beside the way from the root to where the first `leaves` leaves end, lowest first, and the last one on that way. */
function rangesBeside(leaves: number, size: number, isLast: (last: Range) => boolean) {
  const beside: Range[] = []
  let last: Range = { start: 0, end: size }
  while (!isLast(last)) {
    const middle = last.start + powerBelow(last.end - last.start)
    const [left, right] = [
      { start: last.start, end: middle },
      { start: middle, end: last.end },
    ]
    beside.unshift(leaves <= middle ? right : left)
    last = leaves <= middle ? left : right
  }
  return { beside, last }
}

function consistencyRanges(olderSize: number, newerSize: number): readonly Range[] {
  const { beside, last } = rangesBeside(olderSize, newerSize, ({ end }) => end === olderSize)
  return last.start === 0 ? beside : [last, ...beside]
}

/** The largest power of two below a number. */
function powerBelow(value: number): number {
  let power = 1
  while (power * 2 < value) power *= 2
  return power
}

interface Tree {
  readonly size: number
  readonly read: TileReader
  readonly digest: Digest
  readonly known?: SubtreeHashes | undefined
}

async function hashesOf(ranges: readonly Range[], tree: Tree): Promise<readonly Uint8Array[]> {
  const hashes: Uint8Array[] = []
  for (const range of ranges) hashes.push(await rangeHash(range, tree))
  return hashes
}

/** The hash of a subtree of the RFC: complete subtrees of falling size, combined from the right. */
async function rangeHash({ start, end }: Range, tree: Tree): Promise<Uint8Array> {
  const leaves = powerBelow(end - start + 1)
  const left = await knownHash(start, leaves, tree)
  if (start + leaves === end) return left
  return nodeHash(left, await rangeHash({ start: start + leaves, end }, tree), tree.digest)
}

async function knownHash(start: number, leaves: number, tree: Tree): Promise<Uint8Array> {
  const name = `${start} ${leaves}`
  const known = tree.known?.get(name)
  if (known !== undefined) return known
  const hash = await completeHash(start, leaves, tree)
  tree.known?.set(name, hash)
  return hash
}

/** The hash of a complete subtree, from the highest tile that has it. */
async function completeHash(
  start: number,
  leaves: number,
  { size, read, digest }: Tree,
): Promise<Uint8Array> {
  let [level, first, count] = [0, start, leaves]
  for (; count >= TILE_WIDTH; level++) [first, count] = [first / TILE_WIDTH, count / TILE_WIDTH]
  const index = Math.floor(first / TILE_WIDTH)
  const width = tileWidth(level, index, size)
  const tile = await read(level, index, width)
  if (tile.length < width * 32) malformed('a tile is shorter than its width')
  const at = first % TILE_WIDTH
  const hashes = Array.from({ length: count }, (_, next) =>
    tile.subarray((at + next) * 32, (at + next + 1) * 32),
  )
  // A copy, so that it does not keep the tile.
  return new Uint8Array(merkleRoot(hashes, digest))
}
