import { BOUNDARY } from '@kitseal/kit/internal'
import { timestamp, type Clock } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { ResumableUploadsTable } from '../database/upload-schema.ts'
import { isUploadId, type SubmissionId } from '../runtime/identifiers.ts'
import type { PartialObject } from '../objects/resumable-objects.ts'
import type { Upload } from './submission-schemas.ts'
import { Refusal } from '../refusals.ts'

export type UploadRow = Readonly<ResumableUploadsTable>

/** The upload of a submission, unless it has expired. */
export async function findUpload(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  submissionId: SubmissionId,
  uploadId: string,
): Promise<UploadRow> {
  const row = isUploadId(uploadId)
    ? await db
        .selectFrom('resumable_uploads')
        .selectAll()
        .where('upload_id', '=', uploadId)
        .where('submission_id', '=', submissionId)
        .executeTakeFirst()
    : undefined
  if (row === undefined)
    throw new Refusal('upload_not_found', 'This submission has no upload with this ID. Create one.')
  const isOver = row.removed_at !== null || row.expires_at <= timestamp(clock.now())
  if (isOver && row.finished_at === null) throw expired()
  return row
}

export const expired = (cause?: unknown): Refusal =>
  new Refusal('upload_expired', 'This upload has expired. Start a new one.', { cause })

/** The uploads of a submission that can be continued, oldest first. */
export function openUploads(db: Db, id: SubmissionId, now: string): Promise<UploadRow[]> {
  return db
    .selectFrom('resumable_uploads')
    .selectAll()
    .where('submission_id', '=', id)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('upload_id')
    .execute()
}

/** An upload as the API returns it. */
export function uploadRecord(row: UploadRow): Upload {
  return {
    upload_id: row.upload_id,
    submission_id: row.submission_id,
    name: row.name,
    size_bytes: Number(row.size_bytes),
    offset_bytes: Number(row.offset_bytes),
    resume_key: row.resume_key,
    created_at: row.created_at,
    expires_at: row.expires_at,
    finished_at: row.finished_at,
    boundary: BOUNDARY,
  }
}

export function partialOf(row: UploadRow): PartialObject {
  return {
    object: row.object,
    sizeBytes: Number(row.size_bytes),
    offset: Number(row.offset_bytes),
    state: row.state,
  }
}

/** Takes an upload out of the counts of its submission, in the transaction that finishes or removes it. */
export async function closeUpload(
  trx: Db,
  { submission_id, size_bytes }: Pick<UploadRow, 'submission_id' | 'size_bytes'>,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '-', 1),
      reserved_bytes: eb('reserved_bytes', '-', size_bytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '>', 0)
    .execute()
}
