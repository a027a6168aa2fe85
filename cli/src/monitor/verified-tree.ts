import {
  consistencyProofFromTiles,
  hex,
  leafHash,
  LogFormatError,
  merkleRoot,
  parseEntryBundle,
  rootFromTiles,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  type TreeHead,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { LogAlert } from './alert.ts'

const { digest } = nodeHost
const HASH_BYTES = 32
/** 256 entries of at most 65,535 bytes, each with its length. */
const LARGEST_BUNDLE_BYTES = TILE_WIDTH * (0xffff + 2)
/** Two million leaves share the tiles of the levels above. */
const CACHED_TILES = 64

/** Downloads a file of the log by its path; undefined if the log does not have it. */
export type ReadPath = (path: string, limitBytes: number) => Promise<Uint8Array | undefined>

/** The tree of one checkpoint. All that it returns hashes to the root of the checkpoint. */
export type VerifiedTree = Awaited<ReturnType<typeof openTree>>

/** Reads the right edge of the tree and compares its hash with the checkpoint. Throws LogAlert. */
export async function openTree(head: TreeHead, read: ReadPath) {
  const { size } = head
  const cache = new Map<string, Uint8Array>()

  const fetchTile = async (tile: Tile, limitBytes: number): Promise<Uint8Array> => {
    const full = { ...tile, width: TILE_WIDTH }
    // A log may delete a partial tile when it has the full one.
    const bytes =
      (await read(tilePath(tile), limitBytes)) ??
      (tile.width < TILE_WIDTH ? await read(tilePath(full), limitBytes) : undefined)
    return bytes ?? invalid(`the log has ${size} leaves, but does not serve ${tilePath(tile)}`)
  }

  const fetchHashes = async (level: number, index: number): Promise<Uint8Array> => {
    const width = tileWidth(level, index, size)
    const bytes = await fetchTile({ level, index, width }, TILE_WIDTH * HASH_BYTES)
    if (bytes.length !== width * HASH_BYTES && bytes.length !== TILE_WIDTH * HASH_BYTES)
      invalid(`${tilePath({ level, index, width })} has ${bytes.length} bytes`)
    return bytes.subarray(0, width * HASH_BYTES)
  }

  const edge = new Map<number, Uint8Array>()
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_WIDTH))
    if (count % TILE_WIDTH > 0) edge.set(level, await fetchHashes(level, Math.floor(count / TILE_WIDTH)))
  // Every hash of a partial tile is part of the root, and every full tile is a hash in the level above.
  const root = await rootFromTiles(size, (level) => edge.get(level) ?? new Uint8Array(0), digest)
  if (!equal(root, head.root)) invalid(`the tiles of the log do not match its checkpoint of size ${size}`)

  const tile = async (level: number, index: number): Promise<Uint8Array> => {
    const partial = tileWidth(level, index, size) < TILE_WIDTH ? edge.get(level) : undefined
    if (partial !== undefined) return partial
    const name = `${level}/${index}`
    const known = cache.get(name)
    if (known !== undefined) return known
    const above = await tile(level + 1, Math.floor(index / TILE_WIDTH))
    const bytes = await fetchHashes(level, index)
    if (!equal(merkleRoot(hashesOf(bytes), digest), hashAt(above, index % TILE_WIDTH)))
      invalid(`${tilePath({ level, index, width: TILE_WIDTH })} does not match the checkpoint`)
    cache.set(name, bytes)
    const [oldest] = cache.keys()
    if (cache.size > CACHED_TILES && oldest !== undefined) cache.delete(oldest)
    return bytes
  }

  return {
    head,
    /** The root that the tree had at a smaller size. */
    rootAt: (older: number): Promise<Uint8Array> => rootFromTiles(older, tile, digest),
    /** Proves the result of rootAt() to others. */
    consistencyProof: (older: number): Promise<readonly Uint8Array[]> =>
      consistencyProofFromTiles(older, size, tile, digest),
    tile,
    /** The entries under a tile of level 0, and their bytes as the log serves them. */
    entries: async (
      index: number,
    ): Promise<{ readonly entries: readonly Uint8Array[]; readonly bytes: Uint8Array }> => {
      const width = tileWidth('entries', index, size)
      const path = tilePath({ level: 'entries', index, width })
      const bytes = await fetchTile({ level: 'entries', index, width }, LARGEST_BUNDLE_BYTES)
      const entries = parseBundle(bytes, path).slice(0, width)
      const hashes = await tile(0, index)
      if (entries.length < width) invalid(`${path} has ${entries.length} entries`)
      for (const [at, entry] of entries.entries())
        if (!equal(leafHash(entry, digest), hashAt(hashes, at)))
          invalid(`entry ${index * TILE_WIDTH + at} of the log does not match the checkpoint`)
      const ownBytes = entries.reduce((sum, { length }) => sum + 2 + length, 0)
      return { entries, bytes: bytes.subarray(0, ownBytes) }
    },
  }
}

function parseBundle(bytes: Uint8Array, path: string): readonly Uint8Array[] {
  try {
    return parseEntryBundle(bytes)
  } catch (error) {
    if (error instanceof LogFormatError) return invalid(`${path}: ${error.message}`)
    throw error
  }
}

function hashesOf(tile: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: tile.length / HASH_BYTES }, (_, at) => hashAt(tile, at))
}

function hashAt(tile: Uint8Array, at: number): Uint8Array {
  return new Uint8Array(tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return hex(a) === hex(b)
}

function invalid(message: string): never {
  throw new LogAlert('log_invalid', message)
}
