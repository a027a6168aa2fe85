import { type Digest, merkleRoot, nodeHash } from '../encoding/merkle.ts'
import { malformed } from './note.ts'
import { TILE_WIDTH, tileWidth } from './tile.ts'

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
  return hashesOf(inclusionRanges(index, size), { size, read, digest, known })
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

/** The subtrees beside the way from the root to a leaf, lowest first. */
function inclusionRanges(index: number, size: number): readonly Range[] {
  const ranges: Range[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + powerBelow(end - start)
    ranges.unshift(index < middle ? { start: middle, end } : { start, end: middle })
    ;[start, end] = index < middle ? [start, middle] : [middle, end]
  }
  return ranges
}

function consistencyRanges(olderSize: number, newerSize: number): readonly Range[] {
  const ranges: Range[] = []
  let [start, end] = [0, newerSize]
  while (end !== olderSize) {
    const middle = start + powerBelow(end - start)
    ranges.unshift(olderSize <= middle ? { start: middle, end } : { start, end: middle })
    ;[start, end] = olderSize <= middle ? [start, middle] : [middle, end]
  }
  return start === 0 ? ranges : [{ start, end }, ...ranges]
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
