import {
  consistencyProofFromTiles,
  hex,
  leafHash,
  merkleRoot,
  parseEntryBundle,
  rootFromTiles,
  type Tile,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  type TreeHead,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/internal/node'
import { fetchLimited, LogAlert, parseServed } from './read-checkpoint.ts'

const { digest } = nodeHost
const HASH_BYTES = 32
/** 256 entries of at most 65,535 bytes, each with its length. */
const LARGEST_BUNDLE_BYTES = TILE_WIDTH * (0xffff + 2)
/** Two million leaves share the tiles of the levels above. */
const CACHED_TILES = 64

/** The tree of one checkpoint. All that it returns hashes to the root of the checkpoint. */
export type VerifiedTree = Awaited<ReturnType<typeof openTree>>

/** Reads the right edge of the tree and compares its hash with the checkpoint. Throws LogAlert. */
export async function openTree(url: string, head: TreeHead, signal: AbortSignal) {
  const { size } = head

  const fetchTile = async (level: Tile['level'], index: number, limitBytes: number) => {
    const width = tileWidth(level, index, size)
    const path = tilePath({ level, index, width })
    // A log may delete a partial tile when it has the full one.
    const full = tilePath({ level, index, width: TILE_WIDTH })
    for (const served of new Set([path, full])) {
      const bytes = await fetchLimited(`${url}/${served}`, limitBytes, signal)
      if (bytes !== undefined) return { width, path, bytes }
    }
    return invalid(`the log has ${size} leaves, but does not serve ${path}`)
  }

  const fetchHashes = async (level: number, index: number): Promise<Uint8Array> => {
    const { width, path, bytes } = await fetchTile(level, index, TILE_WIDTH * HASH_BYTES)
    if (bytes.length !== width * HASH_BYTES && bytes.length !== TILE_WIDTH * HASH_BYTES)
      invalid(`${path} has ${bytes.length} bytes`)
    return bytes.subarray(0, width * HASH_BYTES)
  }

  const edge = new Map<number, Uint8Array>()
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_WIDTH))
    if (count % TILE_WIDTH > 0) edge.set(level, await fetchHashes(level, Math.floor(count / TILE_WIDTH)))
  // Every hash of a partial tile is part of the root, and every full tile is a hash in the level above.
  const root = await rootFromTiles(size, (level) => edge.get(level) ?? new Uint8Array(0), digest)
  if (hex(root) !== hex(head.root))
    invalid(`the tiles of the log do not match its checkpoint of size ${size}`)

  const cache = new Map<string, Uint8Array>()
  const tile = async (level: number, index: number): Promise<Uint8Array> => {
    const name = `${level}/${index}`
    const isPartial = tileWidth(level, index, size) < TILE_WIDTH
    const known = isPartial ? edge.get(level) : cache.get(name)
    if (known !== undefined) return known
    const above = await tile(level + 1, Math.floor(index / TILE_WIDTH))
    const bytes = await fetchHashes(level, index)
    const hashes = Array.from({ length: TILE_WIDTH }, (_, at) => hashAt(bytes, at))
    if (hex(merkleRoot(hashes, digest)) !== hex(hashAt(above, index % TILE_WIDTH)))
      invalid(`${tilePath({ level, index, width: TILE_WIDTH })} does not match the checkpoint`)
    if (cache.size === CACHED_TILES) cache.clear()
    cache.set(name, bytes)
    return bytes
  }

  /** The entries under a tile of level 0, and their bytes as the log serves them. */
  const entries = async (index: number) => {
    const { width, path, bytes } = await fetchTile('entries', index, LARGEST_BUNDLE_BYTES)
    const found = parseServed(path, () => parseEntryBundle(bytes)).slice(0, width)
    const hashes = await tile(0, index)
    if (found.length < width) invalid(`${path} has ${found.length} entries`)
    for (const [at, entry] of found.entries())
      if (hex(leafHash(entry, digest)) !== hex(hashAt(hashes, at)))
        invalid(`entry ${index * TILE_WIDTH + at} of the log does not match the checkpoint`)
    const served = found.reduce((sum, { length }) => sum + 2 + length, 0)
    return { entries: found, bytes: bytes.subarray(0, served) }
  }

  return {
    head,
    tile,
    entries,
    /** The root that the tree had at a smaller size, and what proves it to others. */
    rootAt: (older: number) => rootFromTiles(older, tile, digest),
    consistencyProof: (older: number) => consistencyProofFromTiles(older, size, tile, digest),
  }
}

const hashAt = (tile: Uint8Array, at: number): Uint8Array =>
  tile.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES)

function invalid(message: string): never {
  throw new LogAlert('log_invalid', message)
}
