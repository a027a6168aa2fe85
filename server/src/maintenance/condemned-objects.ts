import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { cancelRemoval } from '../objects/reference-objects.ts'
import { namedAmong } from './named-objects.ts'

/** Longer than any transaction lasts: what began before an object was condemned has come to its end by then. */
export const CONDEMNED_MS = 10 * 60 * 1000
/** How long after the removal began no record may name the object: longer than stored bytes are on their way to a record. */
export const REMOVING_MS = 10 * 60 * 1000
/** A node that was held up for longer leaves the removal to the next one. */
const REMOVAL_LIMIT_MS = 30 * 1000

export interface SweepContext {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly clock: Clock
}

/**
 * An object that nobody names goes in steps. It is condemned: from then on the database refuses every record that would
 * name it. Ten minutes later, when no transaction from before is left, and if still no record names it and nobody has
 * put it again, its removal begins and it is deleted. Ten minutes after that it may be named again. Whoever is refused
 * asks for a reprieve, which is given until the removal begins.
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

/** Removes what was condemned long enough ago; says how many objects were deleted. */
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
  const isNamed = (await namedAmong(db, [sha256])).size > 0
  const look = await objects.look(sha256)
  if (isNamed || look === undefined || isNewer(look.keptAtMs, condemnedAt)) {
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

/** The clock of the store may be a little behind ours: what is doubtful counts as put again. */
const SKEW_MS = 60_000

const isNewer = (keptAtMs: number, than: string): boolean => keptAtMs > Date.parse(than) - SKEW_MS

/** Lets go of removals that are over. One that was begun and not done, because a node died, is begun again. */
export async function endRemovals(ctx: SweepContext): Promise<void> {
  const { db, clock, objects } = ctx
  const over = await db
    .selectFrom('condemned_objects')
    .select(['sha256', 'condemned_at'])
    .where('removing_at', '<=', timestamp(clock.now() - REMOVING_MS))
    .execute()
  for (const { sha256, condemned_at } of over) {
    const look = await objects.look(sha256)
    const row = db.deleteFrom('condemned_objects').where('sha256', '=', sha256)
    if (look === undefined || isNewer(look.keptAtMs, condemned_at)) await row.execute()
    else {
      await db
        .updateTable('condemned_objects')
        .set({ removing_at: null })
        .where('sha256', '=', sha256)
        .execute()
    }
  }
}
