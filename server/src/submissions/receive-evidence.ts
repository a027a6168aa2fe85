// docs/decisions/0241
import type { JsonValue } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import { insertion, makeChanges, updating } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import type { CallerActor, WorkspaceCaller } from '../http/caller.ts'
import {
  type StoredResponse,
  runOnce,
  runTogether,
  idempotencyKeyFor,
  type IdempotencyName,
} from '../http/idempotency.ts'
import type { Queue } from './job-queue.ts'
import type { Place } from './place.ts'
import { measuredOnly } from '../objects/measured-only.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { reached } from '../runtime/steps.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { NewEvent } from '../audit/audit-trail.ts'
import { draftEnd } from './create-submission.ts'
import { nameWords } from './index-words.ts'
import { MultipartProblem } from './multipart-problem.ts'
import { type Form, FRAMING_BYTES, readForm, type SizeLimits, uploadTooLarge } from './read-form.ts'
import { actorText, receivedFromOthers } from './received-by.ts'
import { acceptText } from './create-submission.ts'
import { acceptOf, type EvidenceView, submissionRecord, type SubmissionView } from './submission.ts'
import { type Additions, noCredits, overtaken, seal, sealed, unfinished } from './queue-submission.ts'
import { evidenceIn, nextPosition, type SubmissionRow } from './submission-queries.ts'

export interface ReceiveContext extends Pick<Context, 'db' | 'clock' | 'objects'> {
  readonly queue?: Pick<Queue, 'reserve'>
}

export interface Upload {
  readonly submission: SubmissionRow
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
  /** Whether a worker has it already. */
  readonly isHandedOver: boolean
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
  rejectEarly(upload, limits)
  await using form = await readEvidence(ctx.objects, upload, limits)
  reached('upload staged')
  // After other uploads, a form may only seal the submission or acknowledge findings.
  const hasPurpose = form.final === true || (form.final === false && form.accept.length > 0)
  if (form.files.length === 0 && (submission.uploads === 0 || !hasPurpose)) {
    if (form.final === true && submission.reserved_bytes > 0) throw unfinished()
    throw new Refusal('evidence_invalid', 'The form has no "file" part.', { param: 'file' })
  }
  await form.keep()
  reached('upload kept')
  const objects = form.files.map(({ sha256 }) => sha256)
  using place = isFinal(form) ? ctx.queue?.reserve() : undefined
  const received = await referenceObjects(ctx.db, objects, () => acceptOnce(ctx, upload, form, place))
  reached('upload accepted')
  if (received.isHandedOver) place?.handOver(submission.job_id)
  return received
}

async function acceptOnce(
  ctx: ReceiveContext,
  upload: Upload,
  form: Form,
  place: Place | undefined,
): Promise<Received> {
  const accepting = (trx: Kysely<Database>): Promise<StoredResponse> =>
    acceptForm(trx, ctx, upload, form, place)
  const once = upload.once && idempotencyKeyFor(upload.once, fingerprint(upload, form))
  const { workspaceId } = upload.caller
  const answer = await runTogether(ctx.db, ctx.clock, workspaceId, once, accepting)
  return { ...answer, sealed: isFinal(form), isHandedOver: place !== undefined && !answer.replayed }
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
  return { ...answer, sealed: false, isHandedOver: false }
}

/** Equal for equal uploads. */
function fingerprint({ submission }: Upload, form: Form): JsonValue {
  const files = form.files.map(({ name, sha256 }) => [name.toWellFormed(), sha256])
  const { accept } = form
  return [submission.submission_id, isFinal(form), files, ...(accept.length === 0 ? [] : [[...accept]])]
}

const isFinal = (form: Form): boolean => form.final ?? true

/** Checks what can be checked before the body is read. */
function rejectEarly(upload: Upload, limits: SizeLimits): void {
  rejectSealed(upload.submission)
  rejectTooLarge(upload, limits)
  rejectWithoutCredits(upload.submission)
}

export function rejectSealed({ job_status }: SubmissionView): void {
  if (job_status !== 'DRAFT') throw sealed()
}

export function rejectWithoutCredits({ credits_available }: SubmissionRow): void {
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
  place: Place | undefined,
): Promise<StoredResponse> {
  const now = timestamp(ctx.clock.now())
  const isSealed = isFinal(form)
  const { submission_id, uploads, uploaded_bytes, job_updated_at } = submission
  const accept = acceptText([...acceptOf(submission), ...form.accept])
  const added = { ...form, accept }
  const isFirst = uploads === 0
  // What the first upload needs is known, so that it is sealed in the same statement.
  const sealedAtOnce = isSealed && isFirst
  if (!sealedAtOnce) await addEvidence(trx, submission, added, caller.actor, now)
  if (!isSealed) await postponeEnd(trx, submission, ctx.clock.now())
  const evidence = isFirst ? form.files.map(viewOf) : await evidenceIn(trx, submission_id)
  if (isSealed && evidence.length === 0)
    throw new Refusal('evidence_invalid', 'The submission has no files. Add at least one.')
  if (isSealed) {
    const event = { workspaceId: caller.workspaceId, subject: submission_id, at: now } as const
    // Before the workspace is locked.
    const others = isFirst ? [] : await receivedFromOthers(trx, submission_id, caller.actor)
    const details = {
      files: evidence.length,
      bytes: uploaded_bytes + form.sizeBytes,
      ...(isFirst ? {} : { uploads: uploads + 1 }),
      ...(accept === null ? {} : { accept: (JSON.parse(accept) as string[]).join(' ') }),
    }
    const sealing: NewEvent = { ...event, actor: caller.actor, action: 'submission.sealed', details }
    const received = others.map((other): NewEvent =>
      Object.assign({ action: 'evidence.received' as const }, event, other),
    )
    const additions = sealedAtOnce ? additionsOf(submission, added, caller.actor, now, 0) : undefined
    const lease = place && { owner: place.owner, until: timestamp(ctx.clock.now() + place.leaseMs) }
    await seal(trx, submission, sealing, { received, lease, additions })
  }
  reached('upload accepting')
  const view: SubmissionView = {
    ...submission,
    uploads: uploads + 1,
    uploaded_bytes: uploaded_bytes + form.sizeBytes,
    updated_at: now,
    accept,
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
  const first =
    submission.uploads === 0 || form.files.length === 0
      ? 0
      : await nextPosition(trx, submission.submission_id)
  const { rows, words } = additionsOf(submission, form, actor, now, first)
  if ((await makeChanges(trx, rows)).counts[0] !== 1) throw overtaken()
  for (const each of words) await makeChanges(trx, [each])
}

function additionsOf(
  submission: SubmissionView,
  { files, sizeBytes, accept }: Added,
  actor: CallerActor,
  now: string,
  first: number,
): Additions {
  const { submission_id, job_id, uploads } = submission
  const rows = files.map((file, index) => ({
    submission_id,
    position: first + index,
    name: file.name,
    sha256: file.sha256,
    size_bytes: file.sizeBytes,
    crc32: file.crc32,
    media_type: file.mediaType,
    received_by: actorText(actor),
  }))
  const names = files.map(({ name }) => name)
  const taken = updating(
    `update submissions set uploads = uploads + 1, uploaded_bytes = uploaded_bytes + ?, updated_at = ?,
      accept = ${accept === undefined ? 'accept' : '?'}
      where submission_id = ? and uploads = ?
        and exists (select 1 from jobs where job_id = ? and status = 'DRAFT')`,
    [sizeBytes, now, ...(accept === undefined ? [] : [accept]), submission_id, uploads, job_id],
  )
  return {
    rows: [taken, ...(rows.length === 0 ? [] : [insertion('evidence', rows)])],
    words: nameWords(submission, names),
  }
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
