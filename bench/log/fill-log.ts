import { DatabaseSync } from 'node:sqlite'
import { rootFromTiles } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { extendEdge, type TreeEdge } from '../../server/src/log/tree-edge.ts'

const BATCH = 20_000

/** Fills an empty log on SQLite, in one transaction and without the service. */
export async function fillLog(path: string, size: number, newLeaf: () => string): Promise<void> {
  using db = new DatabaseSync(path)
  db.exec('pragma synchronous = off; begin')
  const leaf = db.prepare('insert into log_leaves (leaf, kit_id, leaf_index) values (?, null, ?)')
  const tile = db.prepare('insert into log_tiles (level, tile_index, hashes, root) values (?, ?, ?, ?)')
  let edge: TreeEdge = []
  for (let at = 0; at < size; at += BATCH) {
    const leaves = Array.from({ length: Math.min(BATCH, size - at) }, newLeaf)
    for (const [next, text] of leaves.entries()) leaf.run(text, at + next)
    const extended = extendEdge(edge, at, leaves)
    edge = extended.edge
    for (const { level, index, hashes, root } of extended.full)
      tile.run(level, index, Buffer.concat(hashes).toString('base64'), Buffer.from(root).toString('base64'))
  }
  const root = await rootFromTiles(size, (level) => Buffer.concat(edge[level] ?? []), nodeHost.digest)
  db.prepare('update log set size = ?, root = ?').run(size, Buffer.from(root).toString('base64'))
  db.exec('commit; pragma wal_checkpoint(truncate)')
}
