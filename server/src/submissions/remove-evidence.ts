import type { Db } from '../database/schema.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { timestamp } from '../runtime/clock.ts'
import { alreadySubmitted } from './submission-refusals.ts'

/**
 * Removes a file from a draft. Returns false if it has no such file. The bytes count until they are gone. Files of such
 * drafts are objects of their own.
 */
export async function removeEvidence(
  trx: Db,
  submissionId: SubmissionId,
  position: number,
  nowMs: number,
): Promise<boolean> {
  const draft = await trx
    .selectFrom('submissions')
    .select('submissions.status')
    .where('submission_id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst()
  if (draft?.status !== 'DRAFT') throw alreadySubmitted()
  const removed = await trx
    .deleteFrom('evidence')
    .where('submission_id', '=', submissionId)
    .where('position', '=', position)
    .returning(['object', 'size_bytes'])
    .executeTakeFirst()
  if (removed === undefined) return false
  const sizeBytes = Number(removed.size_bytes)
  await trx
    .updateTable('submissions')
    // Counted as an upload, so that one that runs at the same time notices the change.
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '-', sizeBytes),
      updated_at: timestamp(nowMs),
    }))
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('objects')
    .set({ erased_at: timestamp(nowMs) })
    .where('object', '=', removed.object)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evidence')
            .select('position')
            .where('submission_id', '=', submissionId)
            .where('object', '=', removed.object),
        ),
      ),
    )
    .execute()
  return true
}
