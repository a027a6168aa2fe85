import { rootFromTiles, type SubtreeHashes, type TileReader, TILE_WIDTH } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Db } from '../database/schema.ts'
import type { LogHead } from './log-mark.ts'
import { extendEdge, type FullTile, readEdge, readLeaves, type TreeEdge } from './log-tiles.ts'

/** A head of the log, and what it takes to extend it. */
export interface Edge extends LogHead {
  readonly edge: TreeEdge
  /** Hashes that were computed for this head and earlier ones. */
  readonly subtrees?: SubtreeHashes
}

/** A tree with more leaves. */
export interface Extension {
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
