import type { Db } from '../database/schema.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { alreadySubmitted } from './queue-submission.ts'

/** Removes a file from a draft. Returns false if it has no such file. The bytes go with the next sweep of unused objects. */
export async function removeEvidence(
  trx: Db,
  submissionId: SubmissionId,
  position: number,
  now: string,
): Promise<boolean> {
  const draft = await trx
    .selectFrom('submissions')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .select('jobs.status')
    .where('submission_id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst()
  if (draft?.status !== 'DRAFT') throw alreadySubmitted()
  const removed = await trx
    .deleteFrom('evidence')
    .where('submission_id', '=', submissionId)
    .where('position', '=', position)
    .returning('size_bytes')
    .executeTakeFirst()
  if (removed === undefined) return false
  await trx
    .updateTable('submissions')
    // Counted as an upload, so that one that runs at the same time notices the change.
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '-', Number(removed.size_bytes)),
      updated_at: now,
    }))
    .where('submission_id', '=', submissionId)
    .execute()
  return true
}
