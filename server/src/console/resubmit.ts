import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Database, EvidenceTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { SubmissionId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import { createSubmission } from '../submissions/create-submission.ts'
import { addEvidence } from '../submissions/receive-evidence.ts'
import { uploadTooLarge } from '../submissions/read-form.ts'
import { statusOf, type SubmissionView } from '../submissions/submission.ts'
import { type FoundSubmission, readSubmission } from '../submissions/submission-queries.ts'
import { recordEvent } from '../workspaces/audit-trail.ts'

export interface Resubmission {
  /** Which files of the failed submission are good, by their places. */
  readonly keep: readonly number[]
  readonly label: string
  readonly profile: string
}

type ResubmitContext = Pick<Context, 'db' | 'clock' | 'identifiers' | 'config' | 'objects'>

/** The files to keep, proved to be in the store; read before anything is written. */
export async function keptFiles(
  ctx: ResubmitContext,
  failed: SubmissionView,
  keep: readonly number[],
): Promise<readonly EvidenceTable[]> {
  if (statusOf(failed, timestamp(ctx.clock.now())) !== 'FAIL')
    throw new Refusal('submission_not_failed', 'Only a submission that failed is submitted again.')
  const all = await evidenceOf(ctx.db, failed.submission_id)
  const kept = all.filter(({ position }) => keep.includes(position))
  if (kept.length !== keep.length)
    throw new Refusal('body_invalid', `keep must name files of the submission, which has ${all.length}.`)
  for (const { sha256, name } of kept) {
    if (!(await ctx.objects.has(sha256)))
      throw new Refusal('evidence_gone', `${JSON.stringify(name)} is not kept any more. Send it again.`)
  }
  return kept
}

/**
 * A new submission that begins with good files of a failed one: the same bytes under the same hashes, so that they are
 * neither sent nor stored again. It waits for the rest, like any other.
 */
export async function resubmit(
  trx: Kysely<Database>,
  ctx: ResubmitContext,
  failed: SubmissionView,
  kept: readonly EvidenceTable[],
  asked: Resubmission,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const at = timestamp(ctx.clock.now())
  const { workspaceId, actor } = caller
  const request = { label: asked.label, profile: asked.profile }
  const { view } = await createSubmission(trx, ctx, request, caller)
  const from = failed.submission_id
  if (kept.length > 0) {
    const sizeBytes = kept.reduce((sum, file) => sum + Number(file.size_bytes), 0)
    if (sizeBytes > caller.plan.uploadLimitBytes) throw uploadTooLarge(caller.plan.uploadLimitBytes)
    const files = kept.map((file) => ({
      name: file.name,
      sha256: file.sha256,
      sizeBytes: Number(file.size_bytes),
      crc32: Number(file.crc32),
      mediaType: file.media_type,
    }))
    await addEvidence(trx, view, { files, sizeBytes }, at)
  }
  const details = {
    from,
    files: kept.length,
    bytes: kept.reduce((sum, file) => sum + Number(file.size_bytes), 0),
  }
  const received = { workspaceId, actor, subject: view.submission_id, details, at } as const
  await recordEvent(trx, { ...received, action: 'evidence.received' })
  const again = { workspaceId, actor, subject: from, details: { as: view.submission_id }, at } as const
  await recordEvent(trx, { ...again, action: 'submission.resubmitted' })
  return readSubmission(trx, view.submission_id)
}

const evidenceOf = (db: Kysely<Database>, id: SubmissionId): Promise<EvidenceTable[]> =>
  db.selectFrom('evidence').selectAll().where('submission_id', '=', id).orderBy('position').execute()
