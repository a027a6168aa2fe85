// docs/decisions/0340, docs/decisions/0341
import { type Kysely, sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { takeLock } from '../database/advisory-lock.ts'
import { type Change, insertion, makeChanges, updating } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { reached } from '../runtime/steps.ts'
import { dayOf, recordDay } from './log-growth.ts'
import type { LogHead } from './log-mark.ts'
import type { PartialTiles } from './log-tiles.ts'
import { type Edge, edgeOf, type Extension, extendTree, tileInEdge } from './tree-extension.ts'

const MAX_BATCH = 1000

/** What a batch changed. */
export interface Sequenced {
  readonly count: number
  readonly from: LogHead
  readonly to: LogHead
}

/** A leaf that is added with its index. */
export interface KitLeaf {
  readonly kitId: KitId
  readonly leaf: string
}

/** SQL with `?` for each parameter. */
export interface Condition {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Puts waiting leaves into the tree. */
export interface Sequencer {
  /** Sequences one batch; returns undefined if no leaves are waiting, or the log is frozen. */
  sequence(): Promise<Sequenced | undefined>
  /** The newest head, as far as this process knows. */
  head(): Promise<Edge | undefined>
  /** Extends the log, and locks it for other nodes. Affects no row if the log has changed, is frozen, or leaves are waiting, or unless a condition holds. */
  growth(extension: Extension, condition: Condition): Change
  /** Stores what else an extension changes, rarely anything. */
  storeRest(trx: Kysely<Database>, extension: Extension): Promise<void>
  /** What was inserted is committed; undefined if the newest head is not known any more. */
  moveTo(head: Edge | undefined): void
  /** Hashes at the right edge of the tree, as of the last batch of this process. */
  readonly partialTile: PartialTiles
}

/** Any number of nodes may do this at once: a lock orders them, and the size is compared in the same transaction. */
export function sequencer(db: Kysely<Database>, clock: Clock): Sequencer {
  let cached: Edge | undefined
  /** The day of the last change that is known. */
  let day: string | undefined

  async function extend(trx: Kysely<Database>): Promise<(Sequenced & { readonly to: Edge }) | undefined> {
    await takeLock(trx, 'log')
    const { size, root, frozen_at } = await trx
      .selectFrom('log')
      .select(['size', 'root', 'frozen_at'])
      // `growth` takes no other lock.
      .forUpdate()
      .executeTakeFirstOrThrow()
    const leaves = frozen_at === null ? await numberLeaves(trx, size) : []
    if (leaves.length === 0) return undefined
    const extension = await extendTree(await edgeOf(trx, { size, root }, cached), leaves)
    await insertTiles(trx, extension)
    const { counts } = await makeChanges(trx, [growthOf(extension, clock)])
    if (counts[0] !== 1) throw new Error('the log was extended by another process')
    await recordDay(trx, extension.to.size, clock)
    reached('log extending')
    return { count: leaves.length, ...extension }
  }

  return {
    async sequence() {
      const extension = await transact(db, extend)
      if (extension === undefined) return undefined
      cached = extension.to
      day = dayOf(clock.now())
      reached('log extended')
      return extension
    },
    async head() {
      if (cached !== undefined && day !== undefined) return cached
      const log = await db.selectFrom('log').select(['size', 'root', 'updated_at']).executeTakeFirst()
      if (log === undefined) return undefined
      day = log.updated_at.slice(0, 10)
      return (cached = await edgeOf(db, log, cached))
    },
    growth: (extension, { text, parameters }) =>
      growthOf(extension, clock, `${NONE_WAITING} and ${text}`, parameters),
    async storeRest(trx, extension) {
      await insertTiles(trx, extension)
      const today = dayOf(clock.now())
      if (day === today) return
      const before = Date.parse(day ?? today)
      await recordDay(trx, extension.from.size, { now: () => before })
      await recordDay(trx, extension.to.size, clock)
    },
    moveTo(head) {
      cached = head
      day = head && dayOf(clock.now())
    },
    partialTile: (level, index, width) => cached && tileInEdge(cached, level, index, width),
  }
}

const NONE_WAITING = 'and not exists (select 1 from log_leaves where leaf_index is null)'

function growthOf({ from, to }: Extension, clock: Clock, and = '', more: readonly unknown[] = []): Change {
  return updating(
    `update log set size = ?, root = ?, updated_at = ? where size = ? and root = ? and frozen_at is null ${and}`,
    [to.size, to.root, timestamp(clock.now()), from.size, from.root, ...more],
  )
}

async function insertTiles(trx: Kysely<Database>, { full }: Extension): Promise<void> {
  if (full.length === 0) return
  const rows = full.map(({ level, index, hashes, root }) => ({
    level,
    tile_index: index,
    hashes: Buffer.concat(hashes).toString('base64'),
    root: Buffer.from(root).toString('base64'),
  }))
  await makeChanges(trx, [insertion('log_tiles', rows)])
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
