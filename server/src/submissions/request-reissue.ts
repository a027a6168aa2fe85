import { sql } from 'kysely'
import { queueSealing } from './seal-submission.ts'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { type CreateContext, createSubmission, type ReplacedKit } from './create-submission.ts'
import { attributesOf, statedIn, type SubmissionView } from './submission.ts'
import { countEvidence, type FoundSubmission, readSubmission } from './submission-queries.ts'

/** Creates a submission with the same evidence, ready for a worker. It holds no credit. */
export async function requestReissue(
  trx: Db,
  ctx: CreateContext,
  id: SubmissionId,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const at = timestamp(ctx.clock.now())
  const { workspaceId, actor } = caller
  const old = await lockSubmission(trx, id)
  const replaced = reissuableKit(old)
  const kept = { ...attributesOf(old), provenance: statedIn(old) }
  const request = { label: old.label, profile: old.profile, ...kept }
  const { view } = await createSubmission(trx, ctx, request, caller, replaced)
  const { submission_id, job_id } = view
  await copyEvidence(trx, old, submission_id)
  await trx
    .updateTable('submissions')
    .set({ status: 'SUBMITTED', job_updated_at: at, expires_at: null })
    .where('job_id', '=', job_id)
    .execute()
  await queueSealing(trx, { job_id, workspace_id: workspaceId })
  const event = { workspaceId, actor, at }
  const details = { files: await countEvidence(trx, id), bytes: Number(old.uploaded_bytes) }
  await recordEvent(trx, { ...event, action: 'submission.sealed', subject: submission_id, details })
  const as = { as: submission_id, kit_id: replaced.kit_id }
  await recordEvent(trx, { ...event, action: 'submission.reissued', subject: id, details: as })
  return readSubmission(trx, submission_id)
}

/** Locked, because a concurrent request may replace the kit, and maintenance may expire it. */
async function lockSubmission(trx: Db, id: SubmissionId): Promise<SubmissionView> {
  await trx.selectFrom('submissions').select('job_id').where('submission_id', '=', id).forUpdate().execute()
  return (await readSubmission(trx, id)).view
}

function reissuableKit(old: SubmissionView): ReplacedKit {
  const { submission_id, kit_id, key_revoked_at, replaced_by_submission_id } = old
  if (kit_id === null || key_revoked_at === null)
    throw new Refusal(
      'key_not_revoked',
      kit_id === null
        ? 'The submission has no kit.'
        : 'The key that signed this kit is not revoked, so the kit still verifies.',
    )
  if (replaced_by_submission_id !== null)
    throw new Refusal('kit_already_reissued', `The kit was re-issued by ${replaced_by_submission_id}.`)
  if (old.status === 'EXPIRED')
    throw new Refusal('evidence_gone', 'The evidence of this kit was deleted. Submit it again.')
  return { submission_id, kit_id }
}

/** The new kit gets copies of the files when it is sealed. Until then the replaced one cannot be erased. */
async function copyEvidence(
  trx: Db,
  { submission_id, uploads, uploaded_bytes }: SubmissionView,
  to: SubmissionId,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ uploads, uploaded_bytes })
    .where('submission_id', '=', to)
    .execute()
  const columns = [
    'position',
    'name',
    'sha256',
    'size_bytes',
    'crc32',
    'object',
    'offset_bytes',
    'media_type',
    'received',
  ] as const
  await trx
    .insertInto('evidence')
    .columns(['submission_id', ...columns])
    .expression((eb) =>
      eb
        .selectFrom('evidence')
        .select([sql<SubmissionId>`cast(${to} as text)`.as('submission_id'), ...columns])
        .where('submission_id', '=', submission_id),
    )
    .execute()
}
