// docs/decisions/0340
import { rootFromTiles, TILE_WIDTH } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import { takeLock } from '../database/advisory-lock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { reached } from '../steps.ts'
import type { LogHead } from './log-mark.ts'
import { recordDay } from './log-growth.ts'
import type { PartialTiles } from './log-tiles.ts'
import { extendEdge, readEdge, type TreeEdge } from './tree-edge.ts'

const MAX_BATCH = 1000

interface CachedEdge extends LogHead {
  readonly edge: TreeEdge
}

/** What a batch changed. */
export interface Extension {
  readonly count: number
  readonly from: LogHead
  readonly to: LogHead
}

/** Puts waiting leaves into the tree. */
export interface Sequencer {
  /** Sequences one batch; returns undefined if no leaves are waiting, or the log is frozen. */
  sequence(): Promise<Extension | undefined>
  /** Hashes at the right edge of the tree, as of the last batch of this process. */
  readonly partialTile: PartialTiles
}

/** Any number of nodes may do this at once: a lock orders them, and the size is compared in the same transaction. */
export function sequencer(db: Kysely<Database>, clock: Clock): Sequencer {
  let cached: CachedEdge | undefined

  async function extend(
    trx: Kysely<Database>,
  ): Promise<(Extension & { readonly to: CachedEdge }) | undefined> {
    await takeLock(trx, 'log')
    const { size, root, frozen_at } = await trx
      .selectFrom('log')
      .select(['size', 'root', 'frozen_at'])
      .executeTakeFirstOrThrow()
    const leaves = frozen_at === null ? await numberLeaves(trx, size) : []
    if (leaves.length === 0) return undefined
    const known = cached?.size === size && cached.root === root ? cached.edge : await readEdge(trx, size)
    const { edge, full } = extendEdge(known, size, leaves)
    const newSize = size + leaves.length
    const newRoot = await rootOf(edge, newSize)
    if (full.length > 0)
      await trx
        .insertInto('log_tiles')
        .values(
          full.map((tile) => ({
            level: tile.level,
            tile_index: tile.index,
            hashes: Buffer.concat(tile.hashes).toString('base64'),
            root: Buffer.from(tile.root).toString('base64'),
          })),
        )
        .execute()
    const grown = await trx
      .updateTable('log')
      .set({ size: newSize, root: newRoot, updated_at: timestamp(clock.now()) })
      .where('size', '=', size)
      .where('root', '=', root)
      .executeTakeFirst()
    if (grown.numUpdatedRows !== 1n) throw new Error('the log was extended by another process meanwhile')
    await recordDay(trx, newSize, clock)
    reached('log extending')
    return { count: leaves.length, from: { size, root }, to: { size: newSize, root: newRoot, edge } }
  }

  return {
    async sequence() {
      const extension = await transact(db, extend)
      if (extension === undefined) return undefined
      cached = extension.to
      reached('log extended')
      return extension
    },
    partialTile(level, index, width) {
      if (cached === undefined || index !== Math.floor(cached.size / TILE_WIDTH ** (level + 1)))
        return undefined
      const hashes = cached.edge[level] ?? []
      return width <= hashes.length ? Buffer.concat(hashes.slice(0, width)) : undefined
    },
  }
}

/** Gives the waiting leaves their index, in the order in which they were added. */
async function numberLeaves(trx: Kysely<Database>, size: number): Promise<readonly string[]> {
  const { rows } = await sql<{ leaf: string; leaf_index: number }>`
    update log_leaves set leaf_index = waiting.position + ${size}
    from (
      select leaf_id as id, row_number() over (order by leaf_id) - 1 as position
      from log_leaves where leaf_index is null order by leaf_id limit ${sql.lit(MAX_BATCH)}
    ) as waiting
    where log_leaves.leaf_id = waiting.id
    returning leaf, leaf_index`.execute(trx)
  return rows.toSorted((a, b) => a.leaf_index - b.leaf_index).map(({ leaf }) => leaf)
}

/** The root follows from the edge alone: the rest of the tree is in its full tiles, whose hashes are in the edge. */
async function rootOf(edge: TreeEdge, size: number): Promise<string> {
  const root = await rootFromTiles(size, (level) => Buffer.concat(edge[level] ?? []), nodeHost.digest)
  return Buffer.from(root).toString('base64')
}
