import { timestamp } from '../runtime/clock.ts'
import { atOnce, inOrder } from './copy-objects.ts'
import type { MaintenanceContext } from './task-progress.ts'

const HOUR_MS = 60 * 60 * 1000
const PAGE = 500
/** Longer than any process is stopped between storing an object and accepting it. */
const FORGET_AFTER_MS = 24 * HOUR_MS

type SweepContext = Pick<MaintenanceContext, 'db' | 'objects' | 'clock' | 'config'>

/** Deletes the bytes of objects whose submission has expired, and then their rows; returns how many. */
export async function eraseObjects(
  { db, objects }: Pick<SweepContext, 'db' | 'objects'>,
  stopping?: AbortSignal,
): Promise<number> {
  const erase = async ({ object }: { readonly object: string }): Promise<void> => {
    await objects.delete(object)
    await db.deleteFrom('objects').where('object', '=', object).execute()
  }
  for (let erased = 0; ;) {
    const page = await db
      .selectFrom('objects')
      .select('object')
      .where('erased_at', 'is not', null)
      .where('submission_id', 'is not', null)
      .orderBy('erased_at')
      .orderBy('object')
      .limit(PAGE)
      .execute()
    for await (const _ of inOrder(page, atOnce(objects), erase)) erased += 1
    if (page.length < PAGE || stopping?.aborted === true) return erased
  }
}

/**
 * Deletes what was stored and never accepted, because the process was killed between. Each object is first given up in the database,
 * which then accepts it no more, whatever the clocks say. Returns how many.
 */
export async function sweepUnaccepted(ctx: SweepContext, stopping?: AbortSignal): Promise<number> {
  const { db, objects, clock, config } = ctx
  const youngest = clock.now() - config.orphanGraceHours * HOUR_MS
  await db
    .deleteFrom('objects')
    .where('submission_id', 'is', null)
    .where('erased_at', '<=', timestamp(clock.now() - FORGET_AFTER_MS))
    .execute()
  let removed = await objects.sweepTemp()
  let old: string[] = []
  const removeOld = async (): Promise<void> => {
    for (const object of await giveUp(ctx, old)) await objects.delete(object).then(() => (removed += 1))
    old = []
  }
  for await (const { object, keptAtMs } of objects.list()) {
    if (stopping?.aborted === true) break
    if (keptAtMs <= youngest) old.push(object)
    if (old.length >= PAGE) await removeOld()
  }
  await removeOld()
  return removed
}

/** Those that nobody has accepted. */
async function giveUp({ db, clock }: SweepContext, listed: readonly string[]): Promise<readonly string[]> {
  if (listed.length === 0) return []
  const isListed = db.selectFrom('objects').select('object').where('object', 'in', listed)
  const arriving = db.selectFrom('resumable_uploads').select('object').where('object', 'in', listed)
  const known = await isListed.union(arriving.where('finished_at', 'is', null)).execute()
  const accepted = new Set(known.map(({ object }) => object))
  const unknown = listed.filter((object) => !accepted.has(object))
  if (unknown.length === 0) return []
  const erased_at = timestamp(clock.now())
  const given = await db
    .insertInto('objects')
    .values(unknown.map((object) => ({ object, submission_id: null, sha256: '', size_bytes: 0, erased_at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('object')
    .execute()
  return given.map(({ object }) => object)
}
