import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { closeUpload, type UploadRow } from './upload-queries.ts'

export interface RemoveContext {
  readonly db: Db
  readonly objects: ObjectStore
  readonly clock: Clock
}

/** Removes the stored part of an upload that is not finished, and frees its reservation. */
export async function dropUpload(
  { db, objects, clock }: RemoveContext,
  upload: Pick<UploadRow, 'upload_id' | 'submission_id' | 'size_bytes' | 'object' | 'state'>,
): Promise<boolean> {
  const isDropped = await transact(db, async (trx) => {
    const dropped = await trx
      .updateTable('resumable_uploads')
      .set({ removed_at: timestamp(clock.now()) })
      .where('upload_id', '=', upload.upload_id)
      .where('finished_at', 'is', null)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (dropped.numUpdatedRows !== 1n) return false
    await closeUpload(trx, upload)
    return true
  })
  if (isDropped) {
    await objects.resumable.remove(upload)
    // It was complete, and then not accepted.
    await objects.delete(upload.object)
  }
  return isDropped
}

const BATCH = 100
/** Clients are told for this long that their upload has expired. */
const FORGET_AFTER_MS = 7 * 24 * 60 * 60 * 1000

/** Drops expired uploads and those of submissions that take no more evidence; returns how many. */
export async function sweepUploads(ctx: RemoveContext): Promise<number> {
  const { db, clock } = ctx
  const now = timestamp(clock.now())
  const over = await db
    .selectFrom('resumable_uploads')
    .innerJoin('submissions', 'submissions.submission_id', 'resumable_uploads.submission_id')
    .selectAll('resumable_uploads')
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('resumable_uploads.expires_at', '<=', now), eb('submissions.status', '<>', 'DRAFT')]),
    )
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claimed_until', '<=', now)]))
    .limit(BATCH)
    .execute()
  let dropped = 0
  for (const upload of over) if (await dropUpload(ctx, upload)) dropped += 1
  await db
    .deleteFrom('resumable_uploads')
    .where('expires_at', '<=', timestamp(clock.now() - FORGET_AFTER_MS))
    .where((eb) => eb.or([eb('finished_at', 'is not', null), eb('removed_at', 'is not', null)]))
    .execute()
  await correctCounts(db)
  return dropped
}

/** A restored backup has submissions with uploads, but not the uploads. */
async function correctCounts(db: Db): Promise<void> {
  await db
    .updateTable('submissions')
    .set({ open_uploads: 0, reserved_bytes: 0 })
    .where('open_uploads', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('resumable_uploads')
            .select('upload_id')
            .whereRef('resumable_uploads.submission_id', '=', 'submissions.submission_id')
            .where('finished_at', 'is', null)
            .where('removed_at', 'is', null),
        ),
      ),
    )
    .execute()
}
