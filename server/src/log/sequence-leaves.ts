import type { Transaction } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { type Param, prepared } from '../database/statements.ts'
import type { Database, Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { LogHead } from './high-water-mark.ts'
import { frozenOf, LogFrozen } from './freeze-log.ts'
import { readLog } from './log-key.ts'
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
  const number = prepared(db, (param: Param<{ signed: number }>) => numberLeaves(db, param('signed')))

  async function extend(trx: Db, signed: number): Promise<Sequenced | LogFrozen | undefined> {
    const leaves = (await number({ signed }, trx)).toSorted((a, b) => indexOf(a) - indexOf(b))
    const [first] = leaves
    if (first === undefined) return reasonFrozen(trx, signed)
    const texts = leaves.map(({ leaf }) => leaf)
    const head = cached?.size === indexOf(first) ? cached : await logHead(trx)
    const { from, to, full } = await extendTree(await edgeOf(trx, head, cached), texts)
    if (full.length > 0) await trx.insertInto('log_tiles').values(full.map(tileRow)).execute()
    const { numUpdatedRows } = await trx
      .updateTable('log')
      .set({ size: to.size, root: to.root, updated_at: timestamp(clock.now()) })
      .where('size', '=', from.size)
      .where('root', '=', from.root)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) {
      cached = undefined
      throw new Error('the log is not as this process saw it last')
    }
    const indexes = new Map(
      leaves.flatMap((leaf) => (leaf.kit_id === null ? [] : [[leaf.kit_id, indexOf(leaf)]])),
    )
    return { count: leaves.length, indexes, from, to }
  }

  return {
    /**
     * Commits `work`, and with it one batch, unless the log is frozen or has fewer leaves than were signed. Undefined if no leaves are
     * waiting.
     */
    async sequence(signed: number, work?: Work): Promise<Sequenced | LogFrozen | undefined> {
      const extension = await transact(db, async (trx) => {
        await work?.(trx)
        return extend(trx, signed)
      })
      if (extension === undefined || extension instanceof LogFrozen) return extension
      cached = extension.to
      return extension
    },
    /** The right edge of the tree, as of the last batch of this process. */
    edge: (): Edge | undefined => cached,
  }
}

export const tileRow = ({ level, index, hashes, root }: FullTile) => ({
  level,
  tile_index: index,
  hashes: Buffer.concat(hashes).toString('base64'),
  root: Buffer.from(root).toString('base64'),
})

const indexOf = ({ leaf_index }: { readonly leaf_index: number | null }): number => Number(leaf_index)

const logHead = (db: Db) => db.selectFrom('log').select(['size', 'root']).executeTakeFirstOrThrow()

/** Why no leaf was numbered; undefined if none waits. */
async function reasonFrozen(db: Db, signed: number): Promise<LogFrozen | undefined> {
  const log = await readLog(db)
  if (log === undefined) return undefined
  const reason = frozenOf(log)?.reason ?? (log.size < signed ? behind(log.size, signed) : undefined)
  return reason === undefined ? undefined : new LogFrozen(reason)
}

/**
 * Gives the waiting leaves their index, in the order in which they were added, unless the log is frozen or has fewer leaves than were
 * signed. Locks the log: what waits for that sees its newest size, and no leaf that has an index by then.
 */
const numberLeaves = (db: Db, signed: number) =>
  db
    .updateTable('log_leaves')
    .from((eb) =>
      eb
        .selectFrom((inner) =>
          inner
            .selectFrom('log_leaves')
            .select('leaf_id')
            .where('leaf_index', 'is', null)
            .orderBy('leaf_id')
            .limit(MAX_BATCH)
            .forUpdate()
            .as('free'),
        )
        .select('leaf_id as id')
        .select((of) =>
          of.fn
            .agg<number>('row_number')
            .over((over) => over.orderBy('leaf_id'))
            .as('position'),
        )
        .as('waiting'),
    )
    .from((eb) =>
      eb
        .selectFrom('log')
        .select('size')
        .where('frozen_at', 'is', null)
        .where('size', '>=', signed)
        .forUpdate()
        .as('head'),
    )
    .set((eb) => ({ leaf_index: eb(eb('waiting.position', '+', eb.ref('head.size')), '-', 1) }))
    .whereRef('log_leaves.leaf_id', '=', 'waiting.id')
    .returning(['leaf', 'leaf_index', 'kit_id'])
