import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { cancelRemoval } from '../objects/reference-objects.ts'
import { atOnce, inOrder } from './in-order.ts'
import { referencedAmong } from './referenced-objects.ts'

/** Longer than any transaction: those that began before the object was condemned have ended by then. */
export const CONDEMNED_MS = 10 * 60 * 1000
/** How long the object cannot be referenced after deletion began: longer than the time from storing to recording. */
export const REMOVING_MS = 10 * 60 * 1000
/** A node that was delayed for longer does not delete. */
const REMOVAL_LIMIT_MS = 30 * 1000

export interface SweepContext {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly clock: Clock
  /** Ends the sweep early. */
  readonly isStopping?: () => boolean
}

/**
 * Marks orphans for deletion, which takes three steps. 1: The object is condemned, and the database rejects new
 * references to it; `referenceObjects` can still cancel this. 2: Ten minutes later, if it has no reference and was not
 * stored again, it is deleted. 3: Another ten minutes later it can be referenced again.
 */
export async function condemn(
  { db, clock }: Pick<SweepContext, 'db' | 'clock'>,
  objects: readonly string[],
): Promise<void> {
  const condemned_at = timestamp(clock.now())
  if (objects.length === 0) return
  await db
    .insertInto('condemned_objects')
    .values(objects.map((sha256) => ({ sha256, condemned_at, removing_at: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Rows that one statement reads. */
const PAGE = 500

/** Deletes objects that were condemned long enough ago, many at once; returns how many. */
export async function removeCondemned(ctx: SweepContext): Promise<number> {
  let removed = 0
  const remove = ({ sha256, at }: Condemned) => removeOne(ctx, sha256, at)
  const due = condemnedBefore(ctx, 'condemned_at', ctx.clock.now() - CONDEMNED_MS)
  for await (const isRemoved of inOrder(due, atOnce(ctx.objects), remove)) if (isRemoved) removed += 1
  return removed
}

interface Condemned {
  readonly sha256: string
  /** When it was condemned. */
  readonly at: string
}

/** In the order of the index. */
async function* condemnedBefore(
  { db, isStopping }: SweepContext,
  column: 'condemned_at' | 'removing_at',
  before: number,
): AsyncGenerator<Condemned> {
  for (let after = { at: '', sha256: '' }; ;) {
    const page = await db
      .selectFrom('condemned_objects')
      .select(['sha256', 'condemned_at', `${column} as after`])
      .where('removing_at', column === 'removing_at' ? 'is not' : 'is', null)
      .where(column, '<=', timestamp(before))
      .where((eb) => eb(eb.refTuple(column, 'sha256'), '>', eb.tuple(after.at, after.sha256)))
      .orderBy(column)
      .orderBy('sha256')
      .limit(PAGE)
      .execute()
    for (const { sha256, condemned_at: at } of page) {
      if (isStopping?.() === true) return
      yield { sha256, at }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { at: last.after ?? '', sha256: last.sha256 }
  }
}

async function removeOne(ctx: SweepContext, sha256: string, condemnedAt: string): Promise<boolean> {
  const { db, clock, objects } = ctx
  const isReferenced = (await referencedAmong(db, [sha256])).size > 0
  const found = await objects.inspect(sha256)
  if (isReferenced || found === undefined || isNewer(found.keptAtMs, condemnedAt)) {
    await cancelRemoval(db, [sha256])
    return false
  }
  const begun = clock.now()
  const { numUpdatedRows } = await db
    .updateTable('condemned_objects')
    .set({ removing_at: timestamp(begun) })
    .where('sha256', '=', sha256)
    .where('condemned_at', '=', condemnedAt)
    .where('removing_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n || clock.now() - begun > REMOVAL_LIMIT_MS) return false
  await objects.delete(sha256)
  return true
}

/** Tolerance for the store's clock being behind ours. */
const SKEW_MS = 60_000

const isNewer = (keptAtMs: number, than: string): boolean => keptAtMs > Date.parse(than) - SKEW_MS

/** Ends completed removals. Restarts those that a crashed node did not complete. */
export async function endRemovals(ctx: SweepContext): Promise<void> {
  const ended = condemnedBefore(ctx, 'removing_at', ctx.clock.now() - REMOVING_MS)
  for await (const _ of inOrder(ended, atOnce(ctx.objects), (each) => endOne(ctx, each)));
}

async function endOne({ db, objects }: SweepContext, { sha256, at }: Condemned): Promise<void> {
  const found = await objects.inspect(sha256)
  const isGone = found === undefined || isNewer(found.keptAtMs, at)
  if (isGone) await db.deleteFrom('condemned_objects').where('sha256', '=', sha256).execute()
  else {
    await db
      .updateTable('condemned_objects')
      .set({ removing_at: null })
      .where('sha256', '=', sha256)
      .execute()
  }
}
