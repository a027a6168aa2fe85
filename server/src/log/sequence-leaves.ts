import type { Transaction } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { type Param, prepared } from '../database/statements.ts'
import type { Database, Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { LogHead } from './log-mark.ts'
import { frozenOf, LogFrozen } from './freeze-log.ts'
import { behind } from './mark-guard.ts'
import { type FullTile, type Edge, edgeOf, extendTree } from './log-tiles.ts'

const MAX_BATCH = 1000

export type LeafIndexes = ReadonlyMap<KitId, number>

/** Changes that are committed with a batch. */
export type Work = (trx: Transaction<Database>) => Promise<void>

/** What a batch changed. */
export interface Sequenced {
  readonly count: number
  /** Where the leaves of kits are. */
  readonly indexes: LeafIndexes
  readonly from: LogHead
  readonly to: Edge
}

/** Puts waiting leaves into the tree. Any number of nodes may do this at once: the row of the log orders them, and the size is compared in the same transaction. */
export function sequencer(db: Db, clock: Clock) {
  let cached: Edge | undefined
  const lock = prepared(db, () => db.selectFrom('log').selectAll().forUpdate())
  const number = prepared(db, (param: Param<{ size: number }>) => numberLeaves(db, param('size')))

  async function extend(trx: Db, signedSize: number): Promise<Sequenced | LogFrozen | undefined> {
    const [log] = await lock({}, trx)
    if (log === undefined) return undefined
    const { size, root } = log
    const frozen = frozenOf(log)?.reason ?? (size < signedSize ? behind(size, signedSize) : undefined)
    if (frozen !== undefined) return new LogFrozen(frozen)
    const numbered = await number({ size }, trx)
    if (numbered.length === 0) return undefined
    const leaves = numbered
      .toSorted((a, b) => Number(a.leaf_index) - Number(b.leaf_index))
      .map(({ leaf }) => leaf)
    const { from, to, full } = await extendTree(await edgeOf(trx, { size, root }, cached), leaves)
    if (full.length > 0) await trx.insertInto('log_tiles').values(full.map(tileRow)).execute()
    const now = clock.now()
    const { numUpdatedRows } = await trx
      .updateTable('log')
      .set({ size: to.size, root: to.root, updated_at: timestamp(now) })
      .where('size', '=', from.size)
      .where('root', '=', from.root)
      .where('frozen_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Error('the log was extended by another process')
    const indexes = new Map(
      numbered.flatMap(({ kit_id, leaf_index }) => (kit_id === null ? [] : [[kit_id, Number(leaf_index)]])),
    )
    return { count: leaves.length, indexes, from, to }
  }

  return {
    /**
     * Commits `work`, and with it one batch, unless the log is frozen or has fewer leaves than were signed. Undefined if no leaves are
     * waiting.
     */
    async sequence(signedSize: number, work?: Work): Promise<Sequenced | LogFrozen | undefined> {
      const extension = await transact(db, async (trx) => {
        await work?.(trx)
        return extend(trx, signedSize)
      })
      if (extension === undefined || extension instanceof LogFrozen) return extension
      cached = extension.to
      return extension
    },
    /** The right edge of the tree, as of the last batch of this process. */
    edge: (): Edge | undefined => cached,
  }
}

const tileRow = ({ level, index, hashes, root }: FullTile) => ({
  level,
  tile_index: index,
  hashes: Buffer.concat(hashes).toString('base64'),
  root: Buffer.from(root).toString('base64'),
})

/** Gives the waiting leaves their index, in the order in which they were added. */
const numberLeaves = (db: Db, size: number) =>
  db
    .updateTable('log_leaves')
    .from((eb) =>
      eb
        .selectFrom('log_leaves')
        .select('leaf_id as id')
        .select((of) =>
          of.fn
            .agg<number>('row_number')
            .over((over) => over.orderBy('leaf_id'))
            .as('position'),
        )
        .where('leaf_index', 'is', null)
        .orderBy('leaf_id')
        .limit(MAX_BATCH)
        .as('waiting'),
    )
    .set((eb) => ({ leaf_index: eb(eb('waiting.position', '+', size), '-', 1) }))
    .whereRef('log_leaves.leaf_id', '=', 'waiting.id')
    .returning(['leaf', 'leaf_index', 'kit_id'])
