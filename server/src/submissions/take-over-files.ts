import type { ConfirmedFile } from '@kitseal/examiner'
import type { JsonValue, SubmissionProvenance } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import type { Db, EvidenceTable } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { asSent } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import type { Context } from '../kits/context.ts'
import { accepting, type NewObject } from '../objects/accepted-objects.ts'
import { type ObjectStore, ObjectUnreadable, type StoredRange } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { addEvidence } from './add-evidence.ts'
import { checkAccept } from './check-body.ts'
import { type CreateContext, createOnce, createSubmission, sendCreated } from './create-submission.ts'
import { requireProfile } from './profiles.ts'
import { uploadTooLarge } from './read-form.ts'
import { statusOf } from './statuses.ts'
import type { SubmissionContext } from './submission-context.ts'
import { findSubmission, type FoundSubmission, readSubmission } from './submission-queries.ts'
import { rejectPart } from './submission-refusals.ts'
import { Resubmission } from './submission-schemas.ts'
import {
  acceptOf,
  type Attributes,
  attributesOf,
  confirmedIn,
  statedIn,
  SubmissionAnswer,
  type SubmissionView,
} from './submission.ts'

/** What a draft takes over beside files. */
export interface TakenOver {
  readonly label: string
  readonly profile: string
  /** Codes of findings to acknowledge. */
  readonly accept: readonly string[]
  readonly confirm?: readonly ConfirmedFile[]
  readonly attributes?: Partial<Attributes>
  readonly provenance?: SubmissionProvenance | null
}

export const resubmitRoute = route('resubmit', 'POST /v1/submissions/:submission_id/resubmit', {
  access: { scope: 'submit', role: 'member' },
  status: 201,
  path: { submission_id: Type.String({ description: 'The submission that failed.' }) },
  summary: 'Resubmit a failed submission',
  description:
    'Creates a draft with files of a failed submission, which are not uploaded again. Add the corrected files and submit it. 409 if the submission has not failed, or it belongs to a request or a period.',
  once: 'A retry with the same key within 24 hours returns the first response and creates no second submission.',
  body: asSent(Resubmission),
  check: checkAccept,
  example: { keep: [0] },
  returns: SubmissionAnswer,
  codes: [
    'submission_not_failed',
    'submission_of_request',
    'submission_of_period',
    'evidence_gone',
    'kit_expired',
    'profile_not_found',
  ],
  async send(ctx: SubmissionContext & Service, call, reply) {
    const { body } = call
    const caller = workspaceOf(call.caller)
    const failed = await findSubmission(ctx, call)
    rejectPart(failed, ['request', 'period'])
    const asked = {
      label: body.label ?? failed.label,
      profile: body.profile ?? failed.profile,
      accept: body.accept ?? acceptOf(failed),
      confirm: body.confirm ?? confirmedIn(failed),
      attributes: attributesOf(failed),
      provenance: statedIn(failed),
    }
    await requireProfile(ctx.db, ctx.profiles, caller.workspaceId, asked.profile)
    const taken = await takeOverFiles(ctx, await keptFiles(ctx, failed, [...new Set(body.keep)]))
    const content = { of: failed.submission_id, body: body as JsonValue }
    const run = () =>
      createOnce(ctx, call, content, (unit) => resubmit(unit, ctx, failed, taken, asked, caller))
    return sendCreated(reply, await accepting(ctx.objects, taken.objects, run, ({ replayed }) => !replayed))
  },
})

/** The files to keep. */
async function keptFiles(
  ctx: Context,
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
export async function storedFiles(ctx: Context, id: SubmissionId): Promise<readonly EvidenceTable[]> {
  const files = await evidenceOf(ctx.db, id)
  const stored = new Set<string>()
  for (const object of (await storedObjects(ctx.db, files)).keys())
    if ((await ctx.objects.inspect(object)) !== undefined) stored.add(object)
  return files.filter(({ object }) => stored.has(object))
}

/** Creates a draft with files of an earlier submission, which are not uploaded again. */
export async function resubmit(
  unit: Unit,
  ctx: CreateContext,
  earlier: Pick<SubmissionView, 'submission_id'>,
  { files: kept, objects }: TakenFiles,
  options: TakenOver,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const { db } = unit
  const request = {
    label: options.label,
    profile: options.profile,
    accept: [...options.accept],
    confirm: [...(options.confirm ?? [])],
    ...options.attributes,
    provenance: options.provenance ?? null,
  }
  const { view } = await createSubmission(db, ctx, request, caller)
  const from = earlier.submission_id
  const { submission_id } = view
  const bytes = kept.reduce((sum, file) => sum + Number(file.size_bytes), 0)
  if (kept.length > 0) {
    if (bytes > caller.plan.uploadLimitBytes) throw uploadTooLarge(caller.plan.uploadLimitBytes)
    const added = { files: kept.map(sameFile), objects, sizeBytes: bytes }
    await addEvidence(db, view, added, caller, 'form', unit.at)
  }
  await unit.record('evidence.received', submission_id, { from, files: kept.length, bytes })
  await unit.record('submission.resubmitted', from, { as: submission_id })
  return readSubmission(db, submission_id)
}

export const evidenceOf = (db: Db, id: SubmissionId): Promise<EvidenceTable[]> =>
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

interface TakeOverContext {
  readonly db: Db
  readonly objects: Pick<ObjectStore, 'copy' | 'put' | 'read' | 'delete'>
}

/** Files of earlier submissions, where their copies are. */
export interface TakenFiles {
  readonly files: readonly EvidenceTable[]
  /** The copies, which nobody has accepted yet. */
  readonly objects: readonly NewObject[]
}

/** Copies files for another submission, before the transaction that adds them. */
export async function takeOverFiles(
  ctx: TakeOverContext,
  files: readonly EvidenceTable[],
): Promise<TakenFiles> {
  const ranges = files.map(({ object, offset_bytes, size_bytes }) => {
    return { object, offset: Number(offset_bytes), sizeBytes: Number(size_bytes) }
  })
  const copied = await copyRanges(ctx, ranges).catch((error: unknown) => {
    if (!(error instanceof ObjectUnreadable)) throw error
    const name = files.find(({ object }) => object === error.object)?.name
    const message = `${JSON.stringify(name)} is no longer stored. Upload it again.`
    throw new Refusal('evidence_gone', message, { cause: error })
  })
  const taken = files.map((file, index) => {
    const { object = '', offset = 0 } = copied.ranges[index] ?? {}
    return { ...file, object, offset_bytes: offset }
  })
  return { files: taken, objects: copied.objects }
}

/**
 * Copies ranges of objects. An object whose bytes are all wanted is copied by the store; of others only what is wanted is read, so that
 * nothing else outlives its submission. Throws `ObjectUnreadable` if one is gone; then nothing is stored.
 */
export async function copyRanges<Range extends StoredRange>(
  { db, objects: store }: TakeOverContext,
  ranges: readonly Range[],
): Promise<{ readonly ranges: readonly Range[]; readonly objects: readonly NewObject[] }> {
  const sources = await storedObjects(db, ranges)
  const objects: NewObject[] = []
  const copies = new Map<Range, Range>()
  try {
    for (const [object, own] of Map.groupBy(ranges, (range) => range.object)) {
      const source = sources.get(object)
      if (source === undefined) throw new ObjectUnreadable(object, 'is gone')
      const isWhole = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) === source.sizeBytes
      const copy = isWhole
        ? { ...source, object: await store.copy(object) }
        : await store.put(contentOf(store, own))
      objects.push(copy)
      let at = 0
      for (const range of own) {
        copies.set(range, { ...range, object: copy.object, offset: isWhole ? range.offset : at })
        at += range.sizeBytes
      }
    }
  } catch (error) {
    await Promise.allSettled(objects.map(({ object }) => store.delete(object)))
    throw error
  }
  return { ranges: ranges.map((range) => copies.get(range) ?? range), objects }
}

/** The objects that are not erased, by name. */
async function storedObjects(
  db: Db,
  ranges: readonly Pick<StoredRange, 'object'>[],
): Promise<ReadonlyMap<string, NewObject>> {
  const names = [...new Set(ranges.map(({ object }) => object))]
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('objects')
    .select(['object', 'sha256', 'size_bytes'])
    .where('object', 'in', names)
    .where('erased_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ object, sha256, size_bytes }) => [object, { object, sha256, sizeBytes: Number(size_bytes) }]),
  )
}

async function* contentOf(
  store: Pick<ObjectStore, 'read'>,
  ranges: readonly StoredRange[],
): AsyncGenerator<Uint8Array> {
  for (const { object, offset, sizeBytes } of ranges) yield* store.read(object, offset, offset + sizeBytes)
}

/** Of a failed submission, whose files nobody can take over again. */
export async function moveFiles(trx: Db, files: readonly EvidenceTable[], to: SubmissionId): Promise<void> {
  if (files.length === 0) return
  const objects = files.map(({ object }) => object)
  await trx.updateTable('objects').set({ submission_id: to }).where('object', 'in', objects).execute()
}
