import {
  leafHash,
  merkleRoot,
  TILE_WIDTH,
  tileWidth,
  utf8,
  type TileReader,
  rootFromTiles,
  type SubtreeHashes,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Db } from '../database/schema.ts'
import type { LogHead } from './high-water-mark.ts'

/** A tile that has become full. */
export interface FullTile {
  readonly level: number
  readonly index: number
  readonly hashes: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** The partial tile at the right edge of each level of a tree, which is all that it takes to extend the tree. */
export type TreeEdge = readonly (readonly Uint8Array[])[]

const { digest } = nodeHost

/** Extends a tree; returns its new edge, and the tiles that are full now. */
export function extendEdge(
  edge: TreeEdge,
  size: number,
  leaves: readonly string[],
): { readonly edge: TreeEdge; readonly full: readonly FullTile[] } {
  const levels = edge.map((hashes) => [...hashes])
  const full: FullTile[] = []
  let added: readonly Uint8Array[] = leaves.map((leaf) => leafHash(utf8(leaf), digest))
  for (let level = 0; added.length > 0; level += 1) {
    const hashes = (levels[level] ??= [])
    let index = Math.floor(size / TILE_WIDTH ** (level + 1))
    const roots: Uint8Array[] = []
    for (const hash of added) {
      hashes.push(hash)
      if (hashes.length < TILE_WIDTH) continue
      const tile = hashes.splice(0)
      const root = merkleRoot(tile, digest)
      full.push({ level, index, hashes: tile, root })
      roots.push(root)
      index += 1
    }
    added = roots
  }
  return { edge: levels, full }
}

/** Reads the edge of a tree of this size: the last leaves, and the last full tiles of each level. */
export async function readEdge(db: Db, size: number): Promise<TreeEdge> {
  const edge: Uint8Array[][] = []
  for (let level = 0; TILE_WIDTH ** level <= Math.max(size, 1); level += 1) {
    const index = Math.floor(size / TILE_WIDTH ** (level + 1))
    edge.push([...(await readHashes(db, level, index, tileWidth(level, index, size)))])
  }
  return edge
}

/** The first hashes of a tile that is not stored: of its leaves, or of the tiles below it. */
async function readHashes(
  db: Db,
  level: number,
  index: number,
  width: number,
): Promise<readonly Uint8Array[]> {
  if (width === 0) return []
  const start = index * TILE_WIDTH
  if (level === 0)
    return (await readLeaves(db, start, start + width)).map((leaf) => leafHash(utf8(leaf), digest))
  const rows = await db
    .selectFrom('log_tiles')
    .select('root')
    .where('level', '=', level - 1)
    .where('tile_index', '>=', start)
    .where('tile_index', '<', start + width)
    .orderBy('tile_index')
    .execute()
  return complete(
    rows.map(({ root }) => Buffer.from(root, 'base64')),
    width,
  )
}

export async function readLeaves(db: Db, start: number, end: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('log_leaves')
    .select('leaf')
    .where('leaf_index', '>=', start)
    .where('leaf_index', '<', end)
    .orderBy('leaf_index')
    .execute()
  return complete(
    rows.map(({ leaf }) => leaf),
    end - start,
  )
}

function complete<T>(found: readonly T[], expected: number): readonly T[] {
  if (found.length !== expected)
    throw new Error(`the log is damaged: ${found.length} of ${expected} rows found`)
  return found
}

/** Hashes at the right edge of a tree that are in memory; undefined for others. */
type PartialTiles = (level: number, index: number, width: number) => Uint8Array | undefined

/** Reads tiles of hashes: full ones as stored, partial ones computed. The caller checks the width. */
export function tileReader(db: Db, partialTiles: PartialTiles = () => undefined): TileReader {
  return async (level, index, width) => {
    const known = partialTiles(level, index, width)
    if (known !== undefined) return known
    const stored = await db
      .selectFrom('log_tiles')
      .select('hashes')
      .where('level', '=', level)
      .where('tile_index', '=', index)
      .executeTakeFirst()
    if (stored !== undefined) return Buffer.from(stored.hashes, 'base64').subarray(0, width * 32)
    if (width === TILE_WIDTH) throw new Error(`the log is damaged: tile ${level}/${index} is missing`)
    return Buffer.concat(await readHashes(db, level, index, width))
  }
}

/** Keeps the tiles that it has read. */
export function readTilesOnce(read: TileReader): TileReader {
  const tiles = new Map<string, ReturnType<TileReader>>()
  return (level, index, width) => {
    const name = `${level}/${index}.${width}`
    const tile = tiles.get(name) ?? read(level, index, width)
    tiles.set(name, tile)
    return tile
  }
}

/** A head of the log, and what it takes to extend it. */
export interface Edge extends LogHead {
  readonly edge: TreeEdge
  /** Hashes that were computed for this head and earlier ones. */
  readonly subtrees?: SubtreeHashes
}

/** A tree with more leaves. */
interface Extension {
  readonly from: LogHead
  readonly to: Edge
  readonly full: readonly FullTile[]
}

/** Each extension copies them. Without any, the next one hashes the last tile of each level again. */
const MAX_SUBTREES = 256

export async function extendTree(
  { size, root, edge, subtrees: known = new Map() }: Edge,
  leaves: readonly string[],
): Promise<Extension> {
  const extended = extendEdge(edge, size, leaves)
  const newSize = size + leaves.length
  // A copy: if the extension is not committed, other leaves take its place.
  const subtrees: SubtreeHashes = new Map(known.size < MAX_SUBTREES ? known : [])
  const newRoot = await rootOf(extended.edge, newSize, subtrees)
  return {
    from: { size, root },
    to: { size: newSize, root: newRoot, edge: extended.edge, subtrees },
    full: extended.full,
  }
}

/** The edge of this head, with as little reading as possible. */
export async function edgeOf(db: Db, head: LogHead, known: Edge | undefined): Promise<Edge> {
  const { size, root } = head
  if (known?.size === size && known.root === root) return known
  if (known !== undefined && known.size < size && size - known.size < TILE_WIDTH) {
    const { to } = await extendTree(known, await readLeaves(db, known.size, size))
    if (to.root === root) return to
  }
  return { size, root, edge: await readEdge(db, size) }
}

/** Hashes at the right edge of the tree. */
export function tileInEdge(
  { size, edge }: Edge,
  level: number,
  index: number,
  width: number,
): Uint8Array | undefined {
  return index === Math.floor(size / TILE_WIDTH ** (level + 1)) ? concat(edge[level], width) : undefined
}

const concat = (hashes: readonly Uint8Array[] = [], width: number): Uint8Array | undefined =>
  width <= hashes.length ? Buffer.concat(hashes.slice(0, width)) : undefined

/** The root follows from the edge alone: the rest of the tree is in its full tiles, whose hashes are in the edge. */
async function rootOf(edge: TreeEdge, size: number, subtrees: SubtreeHashes): Promise<string> {
  const read: TileReader = (level) => Buffer.concat(edge[level] ?? [])
  const root = await rootFromTiles(size, read, nodeHost.digest, subtrees)
  return Buffer.from(root).toString('base64')
}
