// docs/decisions/0241
import type { JsonValue } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { CallerActor, WorkspaceCaller } from '../http/caller.ts'
import { type StoredResponse, runOnce, idempotencyKeyFor, type IdempotencyName } from '../http/idempotency.ts'
import { measuredOnly } from '../objects/measured-only.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { reached } from '../steps.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { type NewEvent, recordEvents } from '../workspaces/audit-trail.ts'
import { moveCredits } from '../workspaces/credits.ts'
import { draftEnd } from './create-submission.ts'
import { indexNames } from './index-words.ts'
import { MultipartProblem } from './multipart-problem.ts'
import { type Form, FRAMING_BYTES, readForm, type SizeLimits, uploadTooLarge } from './read-form.ts'
import { actorText, receivedFromOthers } from './received-by.ts'
import { acceptText } from './create-submission.ts'
import { acceptOf, type EvidenceView, submissionRecord, type SubmissionView } from './submission.ts'
import { evidenceIn, nextPosition } from './submission-queries.ts'

export type ReceiveContext = Pick<Context, 'db' | 'clock' | 'objects'>

export interface Upload {
  readonly submission: SubmissionView
  readonly caller: WorkspaceCaller
  readonly body: AsyncIterable<Uint8Array>
  readonly boundary: string
  /** From the request, if it has one. */
  readonly contentLength: number | undefined
  /** The `Idempotency-Key` of the upload, if it has one. */
  readonly once?: IdempotencyName | undefined
}

export interface Received extends StoredResponse {
  /** Whether the submission is ready for a worker. */
  readonly sealed: boolean
  readonly replayed: boolean
}

/**
 * Receives an upload. Files are staged while they stream in and stored before the transaction, so that a slow object store holds no
 * database lock. An aborted or refused upload does not change the submission. Objects that were stored but not accepted
 * are orphans, which maintenance removes.
 */
export async function receiveEvidence(ctx: ReceiveContext, upload: Upload): Promise<Received> {
  const { submission, caller } = upload
  const planBytes = caller.plan.uploadLimitBytes
  const limits = { leftBytes: planBytes - submission.uploaded_bytes - submission.reserved_bytes, planBytes }
  await rejectEarly(ctx.db, upload, limits)
  await using form = await readEvidence(ctx.objects, upload, limits)
  reached('upload staged')
  // After other uploads, a form may only seal the submission or acknowledge findings.
  const hasPurpose = form.final === true || (form.final === false && form.accept.length > 0)
  if (form.files.length === 0 && (submission.uploads === 0 || !hasPurpose)) {
    if (form.final === true && submission.reserved_bytes > 0) throw unfinished()
    throw new Refusal('evidence_invalid', 'The form has no "file" part.')
  }
  await form.keep()
  reached('upload kept')
  const objects = form.files.map(({ sha256 }) => sha256)
  const received = await referenceObjects(ctx.db, objects, () => acceptOnce(ctx, upload, form))
  reached('upload accepted')
  return received
}

async function acceptOnce(ctx: ReceiveContext, upload: Upload, form: Form): Promise<Received> {
  const sealed = isFinal(form)
  const accepting = (trx: Kysely<Database>): Promise<StoredResponse> => acceptForm(trx, ctx, upload, form)
  if (upload.once === undefined) {
    return { ...(await transact(ctx.db, accepting)), sealed, replayed: false }
  }
  const once = idempotencyKeyFor(upload.once, fingerprint(upload, form))
  return { ...(await runOnce(ctx.db, ctx.clock, once, accepting)), sealed }
}

/** Answers a retry with a known `Idempotency-Key`. The upload is hashed, because it must be the same one, and not stored. */
export async function repeatEvidence(
  ctx: ReceiveContext,
  upload: Upload,
  once: IdempotencyName,
): Promise<Received> {
  const planBytes = upload.caller.plan.uploadLimitBytes
  rejectTooLarge(upload, { leftBytes: planBytes, planBytes })
  await using form = await readEvidence(measuredOnly, upload, { leftBytes: planBytes, planBytes })
  const key = idempotencyKeyFor(once, fingerprint(upload, form))
  const answer = await runOnce(ctx.db, ctx.clock, key, () => {
    throw sealed()
  })
  return { ...answer, sealed: false }
}

/** Equal for equal uploads. */
function fingerprint({ submission }: Upload, form: Form): JsonValue {
  const files = form.files.map(({ name, sha256 }) => [name.toWellFormed(), sha256])
  const { accept } = form
  return [submission.submission_id, isFinal(form), files, ...(accept.length === 0 ? [] : [[...accept]])]
}

const isFinal = (form: Form): boolean => form.final ?? true

/** Checks what can be checked before the body is read. */
async function rejectEarly(db: Kysely<Database>, upload: Upload, limits: SizeLimits): Promise<void> {
  rejectSealed(upload.submission)
  rejectTooLarge(upload, limits)
  await rejectWithoutCredits(db, upload.caller)
}

export function rejectSealed({ job_status }: SubmissionView): void {
  if (job_status !== 'DRAFT') throw sealed()
}

export async function rejectWithoutCredits(
  db: Kysely<Database>,
  { workspaceId }: WorkspaceCaller,
): Promise<void> {
  const { credits_available } = await db
    .selectFrom('workspaces')
    .select('credits_available')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (credits_available < 1) throw noCredits()
}

function rejectTooLarge({ contentLength = 0 }: Upload, { leftBytes, planBytes }: SizeLimits): void {
  if (contentLength > leftBytes + FRAMING_BYTES) throw uploadTooLarge(planBytes)
}

async function readEvidence(
  objects: Pick<ObjectStore, 'stage'>,
  upload: Upload,
  limits: SizeLimits,
): Promise<Form> {
  try {
    return await readForm(objects, upload.body, upload.boundary, limits)
  } catch (error) {
    if (error instanceof MultipartProblem) throw new Refusal('multipart_malformed', error.message)
    throw error
  }
}

async function acceptForm(
  trx: Kysely<Database>,
  ctx: ReceiveContext,
  { submission, caller }: Upload,
  form: Form,
): Promise<StoredResponse> {
  const now = timestamp(ctx.clock.now())
  const isSealed = isFinal(form)
  const accepted = acceptText([...acceptOf(submission), ...form.accept])
  await addEvidence(trx, submission, { ...form, accept: accepted }, caller.actor, now)
  if (!isSealed) await postponeEnd(trx, submission, ctx.clock.now())
  const { submission_id, uploads, uploaded_bytes, job_updated_at } = submission
  const evidence = uploads === 0 ? form.files.map(viewOf) : await evidenceIn(trx, submission_id)
  if (isSealed && evidence.length === 0)
    throw new Refusal('evidence_invalid', 'The submission has no files. Add at least one.')
  if (isSealed) {
    const event = { workspaceId: caller.workspaceId, subject: submission_id, at: now } as const
    // Before the workspace is locked.
    const others = uploads === 0 ? [] : await receivedFromOthers(trx, submission_id, caller.actor)
    const details = {
      files: evidence.length,
      bytes: uploaded_bytes + form.sizeBytes,
      ...(uploads === 0 ? {} : { uploads: uploads + 1 }),
      ...(accepted === null ? {} : { accept: (JSON.parse(accepted) as string[]).join(' ') }),
    }
    const sealing: NewEvent = { ...event, actor: caller.actor, action: 'submission.sealed', details }
    const before = others.map((other): NewEvent =>
      Object.assign({ action: 'evidence.received' as const }, event, other),
    )
    await seal(trx, submission, sealing, before)
  }
  reached('upload accepting')
  const view: SubmissionView = {
    ...submission,
    uploads: uploads + 1,
    uploaded_bytes: uploaded_bytes + form.sizeBytes,
    updated_at: now,
    accept: accepted,
    job_status: isSealed ? 'SUBMITTED' : 'DRAFT',
    job_updated_at: isSealed ? now : job_updated_at,
  }
  return { status: 202, body: JSON.stringify(submissionRecord(view, evidence, now)) }
}

const viewOf = ({ name, sha256, sizeBytes, mediaType }: Added['files'][number]): EvidenceView => {
  return { name, sha256, size_bytes: sizeBytes, media_type: mediaType }
}

/** Files that are measured, in the order in which they came. */
export interface Added {
  readonly files: readonly (StoredObject & { readonly name: string; readonly mediaType: string })[]
  readonly sizeBytes: number
  /** As stored; unchanged if undefined. */
  readonly accept?: string | null
}

/** Only where no other upload was accepted since this one began: of two that race, one wins. */
export async function addEvidence(
  trx: Kysely<Database>,
  submission: SubmissionView,
  form: Added,
  actor: CallerActor,
  now: string,
): Promise<void> {
  const { submission_id, job_id, uploads } = submission
  const taken = await trx
    .updateTable('submissions')
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '+', form.sizeBytes),
      updated_at: now,
      ...(form.accept === undefined ? {} : { accept: form.accept }),
    }))
    .where('submission_id', '=', submission_id)
    .where('uploads', '=', uploads)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('jobs').select('job_id').where('job_id', '=', job_id).where('status', '=', 'DRAFT'),
      ),
    )
    .executeTakeFirst()
  if (taken.numUpdatedRows !== 1n) throw overtaken()
  if (form.files.length === 0) return
  const first = uploads === 0 ? 0 : await nextPosition(trx, submission_id)
  await trx
    .insertInto('evidence')
    .values(
      form.files.map(({ name, sha256, sizeBytes, crc32, mediaType }, index) => ({
        submission_id,
        position: first + index,
        name,
        sha256,
        size_bytes: sizeBytes,
        crc32,
        media_type: mediaType,
        received_by: actorText(actor),
      })),
    )
    .execute()
  const names = form.files.map(({ name }) => name)
  await indexNames(trx, submission, names)
}

async function isDraft(trx: Kysely<Database>, jobId: SubmissionView['job_id']): Promise<boolean> {
  const job = await trx.selectFrom('jobs').select('status').where('job_id', '=', jobId).executeTakeFirst()
  return job?.status === 'DRAFT'
}

/** A draft does not expire while files are added to it. */
async function postponeEnd(trx: Kysely<Database>, { job_id }: SubmissionView, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    // Null if the draft does not expire.
    .set((eb) => ({
      expires_at: eb.case().when('expires_at', 'is', null).then(null).else(draftEnd(nowMs)).end(),
    }))
    .where('job_id', '=', job_id)
    .where('status', '=', 'DRAFT')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw sealed()
}

/** DRAFT → SUBMITTED, and holds one credit. Updates the workspace last, because that row is locked by every submission of the workspace. */
async function seal(
  trx: Kysely<Database>,
  { submission_id, job_id }: SubmissionView,
  event: NewEvent,
  before: readonly NewEvent[],
): Promise<void> {
  const { workspaceId, at } = event
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set({ status: 'SUBMITTED', updated_at: at, expires_at: null })
    .where('job_id', '=', job_id)
    .where('status', '=', 'DRAFT')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('submissions')
            .select('submission_id')
            .where('submission_id', '=', submission_id)
            .where('open_uploads', '>', 0),
        ),
      ),
    )
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw (await isDraft(trx, job_id)) ? unfinished() : sealed()
  await recordEvents(trx, before)
  const hold = { workspaceId, kind: 'hold', amount: 1, submissionId: submission_id, at } as const
  if (!(await moveCredits(trx, hold, event))) throw noCredits()
}

export const sealed = (): Refusal =>
  new Refusal(
    'submission_sealed',
    'This submission is sealed and accepts no more evidence. Create a new one.',
  )

const unfinished = (): Refusal =>
  new Refusal(
    'uploads_unfinished',
    'Some resumable uploads of this submission are not finished. Finish or delete them, then submit.',
  )

const overtaken = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission finished first. Get the submission, then retry if needed.',
  )

const noCredits = (): Refusal =>
  new Refusal(
    'credits_exhausted',
    'This workspace has no credits left. Ask the operator for credits, then upload again.',
  )
