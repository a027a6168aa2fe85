import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { cancelRemoval } from '../objects/reference-objects.ts'
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

/** Deletes objects that were condemned long enough ago; returns how many. */
export async function removeCondemned(ctx: SweepContext): Promise<number> {
  const before = timestamp(ctx.clock.now() - CONDEMNED_MS)
  const due = await ctx.db
    .selectFrom('condemned_objects')
    .select(['sha256', 'condemned_at'])
    .where('removing_at', 'is', null)
    .where('condemned_at', '<=', before)
    .orderBy('sha256')
    .execute()
  let removed = 0
  for (const { sha256, condemned_at } of due) if (await removeOne(ctx, sha256, condemned_at)) removed += 1
  return removed
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
  const { db, clock, objects } = ctx
  const over = await db
    .selectFrom('condemned_objects')
    .select(['sha256', 'condemned_at'])
    .where('removing_at', '<=', timestamp(clock.now() - REMOVING_MS))
    .execute()
  for (const { sha256, condemned_at } of over) {
    const found = await objects.inspect(sha256)
    const row = db.deleteFrom('condemned_objects').where('sha256', '=', sha256)
    if (found === undefined || isNewer(found.keptAtMs, condemned_at)) await row.execute()
    else {
      await db
        .updateTable('condemned_objects')
        .set({ removing_at: null })
        .where('sha256', '=', sha256)
        .execute()
    }
  }
}
