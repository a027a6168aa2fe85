import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { readFully } from '../objects/chunks.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { uploadTooLarge } from './read-form.ts'
import { alreadySubmitted } from './submission-refusals.ts'
import { type AddedFile, addEvidence, recordArrival } from './add-evidence.ts'
import type { UploadContext } from './submission-context.ts'
import { readSubmission } from './submission-queries.ts'
import { closeUpload, expired, partialOf, type UploadRow } from './upload-queries.ts'

export interface ReceivedUpload {
  readonly upload: UploadRow
  readonly caller: WorkspaceCaller
}

/** Makes a complete upload evidence of its submission. A crash at any point is repaired by calling it again. */
export async function finishUpload(ctx: UploadContext, { upload, caller }: ReceivedUpload): Promise<void> {
  const { objects } = ctx
  const stored = await objects.resumable.finish(partialOf(upload))
  const head = await readFully(objects, stored.object, 0, Math.min(HEAD_BYTES, stored.sizeBytes))
  const file = { ...stored, offset: 0, name: upload.name, mediaType: mediaTypeOf(upload.name, head) }
  await transact(ctx.db, (trx) => accept(trx, timestamp(ctx.clock.now()), upload, caller, file))
}

async function accept(
  trx: Db,
  now: string,
  upload: UploadRow,
  caller: WorkspaceCaller,
  file: AddedFile,
): Promise<void> {
  const { submission_id, upload_id } = upload
  const { plan } = caller
  // Locked: several uploads of a submission may be finished at the same time.
  await trx
    .selectFrom('submissions')
    .select('submission_id')
    .where('submission_id', '=', submission_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { view } = await readSubmission(trx, submission_id)
  if (view.status !== 'DRAFT') throw alreadySubmitted()
  if (view.uploaded_bytes + file.sizeBytes > plan.uploadLimitBytes)
    throw uploadTooLarge(plan.uploadLimitBytes)
  const finished = await trx
    .updateTable('resumable_uploads')
    .set({ finished_at: now, claim: null, claimed_until: null })
    .where('upload_id', '=', upload_id)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (finished.numUpdatedRows !== 1n) throw expired()
  const added = { files: [file], objects: [file], sizeBytes: file.sizeBytes }
  await addEvidence(trx, view, added, caller, 'tus', now)
  await recordArrival(trx, view, added, caller, now)
  await closeUpload(trx, upload)
}
