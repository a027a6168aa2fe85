import type { ConfirmedFile } from '@kitseal/examiner'
import type { SubmissionProvenance } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db, EvidenceTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { type CreateContext, createSubmission } from './create-submission.ts'
import { addEvidence } from './add-evidence.ts'
import { uploadTooLarge } from './read-form.ts'
import { statusOf } from './statuses.ts'
import type { Attributes, SubmissionView } from './submission.ts'
import { type FoundSubmission, readSubmission } from './submission-queries.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { storedObjects, type TakenFiles } from './take-over-files.ts'

export interface Resubmission {
  readonly label: string
  readonly profile: string
  /** Codes of findings to acknowledge. */
  readonly accept: readonly string[]
  readonly confirm?: readonly ConfirmedFile[]
  readonly attributes?: Partial<Attributes>
  readonly provenance?: SubmissionProvenance | null
}

export type ResubmitContext = Pick<Context, 'db' | 'clock' | 'identifiers' | 'config' | 'objects'>

/** The files to keep. */
export async function keptFiles(
  ctx: ResubmitContext,
  failed: SubmissionView,
  keep: readonly number[],
): Promise<readonly EvidenceTable[]> {
  if (statusOf(failed, timestamp(ctx.clock.now())) !== 'FAIL')
    throw new Refusal('submission_not_failed', 'Only a failed submission can be resubmitted.')
  const all = await evidenceOf(ctx.db, failed.submission_id)
  const kept = all.filter((_, index) => keep.includes(index))
  if (kept.length !== keep.length)
    throw new Refusal('body_invalid', `keep must contain positions of files, from 0 to ${all.length - 1}.`, {
      param: 'keep',
    })
  return kept
}

/** The files of a submission that are still stored. */
export async function storedFiles(ctx: ResubmitContext, id: SubmissionId): Promise<readonly EvidenceTable[]> {
  const files = await evidenceOf(ctx.db, id)
  const stored = new Set<string>()
  for (const object of (await storedObjects(ctx.db, files)).keys())
    if ((await ctx.objects.inspect(object)) !== undefined) stored.add(object)
  return files.filter(({ object }) => stored.has(object))
}

/** Creates a draft with files of an earlier submission, which are not uploaded again. */
export async function resubmit(
  trx: Db,
  ctx: CreateContext,
  earlier: Pick<SubmissionView, 'submission_id'>,
  { files: kept, objects }: TakenFiles,
  options: Resubmission,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const at = timestamp(ctx.clock.now())
  const { workspaceId, actor } = caller
  const request = {
    label: options.label,
    profile: options.profile,
    accept: [...options.accept],
    confirm: [...(options.confirm ?? [])],
    ...options.attributes,
    provenance: options.provenance ?? null,
  }
  const { view } = await createSubmission(trx, ctx, request, caller)
  const from = earlier.submission_id
  if (kept.length > 0) {
    const sizeBytes = kept.reduce((sum, file) => sum + Number(file.size_bytes), 0)
    if (sizeBytes > caller.plan.uploadLimitBytes) throw uploadTooLarge(caller.plan.uploadLimitBytes)
    await addEvidence(trx, view, { files: kept.map(sameFile), objects, sizeBytes }, caller, 'form', at)
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

const evidenceOf = (db: Db, id: SubmissionId): Promise<EvidenceTable[]> =>
  db.selectFrom('evidence').selectAll().where('submission_id', '=', id).orderBy('position').execute()

/** A stored file, for another submission. It keeps how it was received. */
export const sameFile = (file: EvidenceTable) => ({
  name: file.name,
  sha256: file.sha256,
  sizeBytes: Number(file.size_bytes),
  crc32: Number(file.crc32),
  object: file.object,
  offset: Number(file.offset_bytes),
  mediaType: file.media_type,
  received: file.received,
})
