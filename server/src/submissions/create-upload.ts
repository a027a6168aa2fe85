import { sql } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { newObjectName } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { uploadTooLarge } from './read-form.ts'
import { rejectOverLimit } from './stored-bytes.ts'
import type { SubmissionView } from './submission.ts'
import type { NewUpload } from './tus-headers.ts'
import type { UploadRow } from './upload-queries.ts'

/** How long an upload is accepted, from its creation. */
const UPLOAD_TTL_MS = 7 * 24 * 60 * 60 * 1000
const MAX_OPEN_UPLOADS = 1000

/** Records a resumable upload and reserves its size, so that uploads of one submission together stay within the limit. */
export async function createUpload(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'identifiers'>,
  submission: SubmissionView,
  caller: WorkspaceCaller,
  { name, sizeBytes, resumeKey, metadata }: NewUpload,
): Promise<UploadRow> {
  const { submission_id } = submission
  const { plan } = caller
  const now = ctx.clock.now()
  const taken = await trx
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '+', 1),
      reserved_bytes: eb('reserved_bytes', '+', sizeBytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '<', MAX_OPEN_UPLOADS)
    .where(sql<number>`uploaded_bytes + reserved_bytes`, '<=', plan.uploadLimitBytes - sizeBytes)
    .where('status', '=', 'DRAFT')
    .executeTakeFirst()
  if (taken.numUpdatedRows !== 1n) await refuse(trx, submission_id, plan.uploadLimitBytes)
  await rejectOverLimit(trx, submission, caller)
  const row: UploadRow = {
    upload_id: ctx.identifiers.uploadId(),
    submission_id,
    name,
    size_bytes: sizeBytes,
    resume_key: resumeKey,
    metadata,
    created_at: timestamp(now),
    expires_at: timestamp(now + UPLOAD_TTL_MS),
    offset_bytes: 0,
    object: newObjectName(),
    state: '',
    finished_at: null,
    removed_at: null,
    claim: null,
    claimed_until: null,
  }
  await trx.insertInto('resumable_uploads').values(row).execute()
  return row
}

async function refuse(
  trx: Db,
  submissionId: SubmissionView['submission_id'],
  planBytes: number,
): Promise<never> {
  const { open_uploads } = await trx
    .selectFrom('submissions')
    .select('open_uploads')
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow()
  if (open_uploads < MAX_OPEN_UPLOADS) throw uploadTooLarge(planBytes)
  throw new Refusal(
    'upload_invalid',
    `A submission can have at most ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or delete some first.`,
  )
}
