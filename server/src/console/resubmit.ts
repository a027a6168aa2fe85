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
  /** Positions of the files to keep. */
  readonly keep: readonly number[]
  readonly label: string
  readonly profile: string
  /** Codes of findings to acknowledge. */
  readonly accept: readonly string[]
}

type ResubmitContext = Pick<Context, 'db' | 'clock' | 'identifiers' | 'config' | 'objects'>

/** The files to keep. Throws if one is no longer stored. */
export async function keptFiles(
  ctx: ResubmitContext,
  failed: SubmissionView,
  keep: readonly number[],
): Promise<readonly EvidenceTable[]> {
  if (statusOf(failed, timestamp(ctx.clock.now())) !== 'FAIL')
    throw new Refusal('submission_not_failed', 'Only a failed submission can be resubmitted.')
  const all = await evidenceOf(ctx.db, failed.submission_id)
  const kept = all.filter(({ position }) => keep.includes(position))
  if (kept.length !== keep.length)
    throw new Refusal('body_invalid', `keep must contain positions of files, from 0 to ${all.length - 1}.`)
  for (const { sha256, name } of kept) {
    if (!(await ctx.objects.has(sha256)))
      throw new Refusal('evidence_gone', `${JSON.stringify(name)} is no longer stored. Upload it again.`)
  }
  return kept
}

/** Creates a draft with files of a failed submission, which are not uploaded or stored again. */
export async function resubmit(
  trx: Kysely<Database>,
  ctx: ResubmitContext,
  failed: SubmissionView,
  kept: readonly EvidenceTable[],
  options: Resubmission,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const at = timestamp(ctx.clock.now())
  const { workspaceId, actor } = caller
  const request = { label: options.label, profile: options.profile, accept: [...options.accept] }
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
    await addEvidence(trx, view, { files, sizeBytes }, actor, at)
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
