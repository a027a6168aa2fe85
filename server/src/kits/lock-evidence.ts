import { randomUUID } from 'node:crypto'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import type { ObjectLocks, ObjectStore } from '../objects/object-store.ts'
import { Semaphore } from '../runtime/semaphore.ts'

export interface LockContext {
  readonly db: Db
  readonly clock: Clock
  readonly objects: Pick<ObjectStore, 'locks'>
}

const BATCH = 500
const CONCURRENT_REQUESTS = 16

/** Locks the objects of a submission under a legal hold. Call it after the hold is committed. */
export async function lockEvidence(ctx: LockContext, submissionId: SubmissionId): Promise<void> {
  const { locks } = ctx.objects
  if (locks !== undefined) await lockAll(ctx, locks, await heldObjects(ctx.db, { submissionId }))
}

/**
 * Locks what is held and not yet locked, and unlocks what is no longer held; returns how many of each. Only one process at
 * a time may call it. Holds that are placed meanwhile win.
 */
export async function alignLocks(
  ctx: LockContext,
): Promise<{ readonly locked: number; readonly unlocked: number }> {
  const { db, objects } = ctx
  const { locks } = objects
  if (locks === undefined) return { locked: 0, unlocked: 0 }
  const held = await heldObjects(db)
  const rows = await db.selectFrom('locked_objects').select(['sha256', 'pending']).execute()
  // What an interrupted process left pending may be locked or not.
  const done = new Set(rows.filter(({ pending }) => pending === null).map(({ sha256 }) => sha256))
  const missing = [...held].filter((sha256) => !done.has(sha256))
  await forget(db, missing)
  await lockAll(ctx, locks, missing)
  const ended = rows.map(({ sha256 }) => sha256).filter((sha256) => !held.has(sha256))
  for (const sha256 of ended) await unlock(ctx, locks, sha256)
  return { locked: missing.length, unlocked: ended.length }
}

/** The row is pending before the store is asked, so that an interruption is noticed. */
async function lockAll(ctx: LockContext, locks: ObjectLocks, objects: Iterable<string>): Promise<void> {
  const { db, clock } = ctx
  const pending = randomUUID()
  const requests = new Semaphore(CONCURRENT_REQUESTS)
  for (const batch of batches([...objects])) {
    const locked_at = timestamp(clock.now())
    await db
      .insertInto('locked_objects')
      .values(batch.map((sha256) => ({ sha256, locked_at, pending })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await Promise.all(batch.map((sha256) => requests.run(() => locks.lock(sha256))))
    // Not the rows of another process, which may be unlocking the object.
    await db.updateTable('locked_objects').set({ pending: null }).where('pending', '=', pending).execute()
  }
}

async function unlock(ctx: LockContext, locks: ObjectLocks, sha256: string): Promise<void> {
  const { db } = ctx
  const pending = randomUUID()
  await db.updateTable('locked_objects').set({ pending }).where('sha256', '=', sha256).execute()
  await locks.unlock(sha256)
  await forget(db, [sha256])
  // A hold that was placed meanwhile may have locked it just before.
  await lockAll(ctx, locks, await heldObjects(db, { sha256 }))
}

async function forget(db: Db, objects: readonly string[]): Promise<void> {
  for (const batch of batches(objects))
    await db.deleteFrom('locked_objects').where('sha256', 'in', batch).execute()
}

/** The evidence and the kits of submissions under a legal hold. */
async function heldObjects(
  db: Db,
  only: { readonly submissionId?: SubmissionId; readonly sha256?: string } = {},
): Promise<ReadonlySet<string>> {
  const { submissionId, sha256 } = only
  const rows = await db
    .selectFrom('holds')
    .innerJoin('evidence', 'evidence.submission_id', 'holds.submission_id')
    .select('evidence.sha256')
    .$if(submissionId !== undefined, (query) => query.where('holds.submission_id', '=', submissionId!))
    .$if(sha256 !== undefined, (query) => query.where('evidence.sha256', '=', sha256!))
    .union(
      db
        .selectFrom('holds')
        .innerJoin('submissions', 'submissions.submission_id', 'holds.submission_id')
        .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
        .innerJoin('kit_objects', 'kit_objects.kit_id', 'kits.kit_id')
        .select('kit_objects.sha256')
        .$if(submissionId !== undefined, (query) => query.where('holds.submission_id', '=', submissionId!))
        .$if(sha256 !== undefined, (query) => query.where('kit_objects.sha256', '=', sha256!)),
    )
    .execute()
  return new Set(rows.map((row) => row.sha256))
}

function batches(objects: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(objects.length / BATCH) }, (_, index) =>
    objects.slice(index * BATCH, (index + 1) * BATCH),
  )
}
