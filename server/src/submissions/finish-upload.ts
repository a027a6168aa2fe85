import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { readFully } from '../objects/chunks.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { UploadClaim } from './claim-upload.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { uploadTooLarge } from './read-form.ts'
import { alreadySubmitted } from './submission-refusals.ts'
import { type Added, addEvidence, recordArrival } from './add-evidence.ts'
import type { UploadContext } from './submission-context.ts'
import { readSubmission } from './submission-queries.ts'
import { closeUpload, expired, partialOf, type UploadRow } from './upload-queries.ts'

export interface ReceivedUpload {
  readonly upload: UploadRow
  readonly caller: WorkspaceCaller
}

/** Makes a complete upload evidence of its submission. A crash at any point is repaired by calling it again. */
export async function finishUpload(
  ctx: UploadContext,
  claim: UploadClaim,
  { upload, caller }: ReceivedUpload,
): Promise<void> {
  const { objects } = ctx
  const stored = (await alreadyStored(ctx, upload)) ?? (await storeObject(ctx, claim, upload))
  const head = await readFully(objects, stored.sha256, 0, Math.min(HEAD_BYTES, stored.sizeBytes))
  const file = { ...stored, name: upload.name, mediaType: mediaTypeOf(upload.name, head) }
  await referenceObjects(ctx.db, [stored.sha256], () =>
    transact(ctx.db, (trx) => accept(trx, timestamp(ctx.clock.now()), upload, caller, file)),
  )
  // What cannot be removed now is removed by maintenance.
  await objects.resumable.remove(partialOf(upload)).catch(() => {})
}

/** The hash is saved before the object gets its name, so that it is found after a crash. */
async function alreadyStored(
  { objects }: UploadContext,
  { sha256, crc32, size_bytes }: UploadRow,
): Promise<StoredObject | undefined> {
  if (sha256 === null || crc32 === null) return undefined
  const sizeBytes = Number(size_bytes)
  const found = await objects.inspect(sha256)
  return found?.sizeBytes === sizeBytes ? { sha256, crc32: Number(crc32), sizeBytes } : undefined
}

async function storeObject(
  { objects }: UploadContext,
  claim: UploadClaim,
  upload: UploadRow,
): Promise<StoredObject> {
  const { keep, discard: _, ...stored } = await objects.resumable.finish(partialOf(upload))
  await claim.saveMeasured(stored)
  await keep()
  return stored
}

async function accept(
  trx: Db,
  now: string,
  upload: UploadRow,
  caller: WorkspaceCaller,
  file: Added['files'][number],
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
  const added = { files: [file], sizeBytes: file.sizeBytes }
  await addEvidence(trx, view, added, caller, 'tus', now)
  await recordArrival(trx, view, added, caller, now)
  await closeUpload(trx, upload)
}
