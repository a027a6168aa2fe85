import type { JsonValue, SubmissionProvenance } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import {
  idempotencyKeyFor,
  type IdempotencyName,
  runOnce,
  runTogether,
  type StoredResponse,
} from '../http/idempotency.ts'
import { accepting } from '../objects/accepted-objects.ts'
import { measuredOnly, type ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { addEvidence, recordArrival } from './add-evidence.ts'
import { rejectFuture } from './check-body.ts'
import { acceptText, draftEnd } from './create-submission.ts'
import { MultipartProblem } from './multipart.ts'
import { queueSubmission, submitted } from './seal-submission.ts'
import { alreadySubmitted, noCredits, unfinished } from './submission-refusals.ts'
import { type Form, FRAMING_BYTES, readForm, type SizeLimits, uploadTooLarge } from './read-form.ts'
import { rejectOverLimit, storageLeft } from './stored-bytes.ts'
import { acceptOf, type EvidenceView, statedIn, submissionRecord, type SubmissionView } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { evidenceIn, type SubmissionRow } from './submission-queries.ts'

type ReceiveContext = Pick<
  SubmissionContext,
  'db' | 'clock' | 'config' | 'objects' | 'transactTogether' | 'admit'
>

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

interface Received extends StoredResponse {
  /** Whether the submission is ready for a worker. */
  readonly submitted: boolean
  readonly replayed: boolean
}

/**
 * Receives an upload. Its files are stored while they stream in, before the transaction, so that a slow object store holds no database
 * lock. An aborted or refused upload does not change the submission. What a killed process has stored and not accepted is swept.
 */
export async function receiveEvidence(ctx: ReceiveContext, upload: Upload): Promise<Received> {
  const { submission, caller } = upload
  const limits = await limitsOf(ctx.db, upload)
  rejectEarly(upload, limits)
  const form = await readEvidence(ctx.objects, upload, limits)
  const receive = async (): Promise<Received> => {
    rejectPointless(submission, form)
    rejectFuture(form.provenance, ctx.clock.now())
    const names = form.files.map(({ name }) => name)
    const { request_id } = submission
    await ctx.admit?.(ctx.db, { request_id, names, isFinal: isFinal(form) }, caller)
    const once = upload.once && idempotencyKeyFor(upload.once, fingerprint(upload, form))
    const accept = (trx: Kysely<Database>): Promise<StoredResponse> => acceptForm(trx, ctx, upload, form)
    return { ...(await runTogether(ctx, caller.workspaceId, once, accept)), submitted: isFinal(form) }
  }
  return accepting(ctx.objects, form.objects, receive, ({ replayed }) => !replayed)
}

/** The limit of the submission, or of what may be stored, whichever is reached first. */
async function limitsOf(db: Kysely<Database>, { submission, caller }: Upload): Promise<SizeLimits> {
  const limits = planLimit(caller)
  const leftBytes = limits.leftBytes - submission.uploaded_bytes - submission.reserved_bytes
  const storage = await storageLeft(db, submission, caller)
  return storage.leftBytes < leftBytes ? storage : { ...limits, leftBytes }
}

function planLimit({ plan: { uploadLimitBytes } }: WorkspaceCaller): SizeLimits {
  return { leftBytes: uploadLimitBytes, refusal: () => uploadTooLarge(uploadLimitBytes) }
}

/** Adds the files to the submission, and queues it for a worker if the upload is the final one. */
async function acceptForm(
  trx: Kysely<Database>,
  { clock, config }: ReceiveContext,
  { submission, caller }: Upload,
  form: Form,
): Promise<StoredResponse> {
  const now = timestamp(clock.now())
  const accept = acceptText([...acceptOf(submission), ...form.accept])
  const stated = form.provenance && mergeProvenance(statedIn(submission), form.provenance)
  const provenance = stated === undefined ? submission.provenance : JSON.stringify(stated)
  // A draft does not expire while files are added to it.
  const expires_at = submission.expires_at === null ? null : draftEnd(clock.now())
  const added = { ...form, accept, provenance, changes: isFinal(form) ? submitted(now) : { expires_at } }
  await addEvidence(trx, submission, added, caller, 'form', now)
  await recordArrival(trx, submission, added, caller, now)
  if (form.files.length > 0) await rejectOverLimit(trx, submission, caller)
  // Nothing but this form, if it is the first one.
  const evidence =
    submission.uploads === 0 ? form.files.map(evidenceOf) : await evidenceIn(trx, submission.submission_id)
  const draft: SubmissionView = {
    ...submission,
    uploads: submission.uploads + 1,
    uploaded_bytes: submission.uploaded_bytes + form.sizeBytes,
    updated_at: now,
    accept,
    provenance,
  }
  if (isFinal(form)) await queueSubmission(trx, draft, evidence, caller, now)
  const view = { ...draft, ...added.changes }
  return { status: 202, body: JSON.stringify(submissionRecord(view, evidence, now, config.proof)) }
}

/** The later statement about all files replaces the earlier one, and so do those about the same file. */
function mergeProvenance(
  earlier: SubmissionProvenance | null,
  later: SubmissionProvenance,
): SubmissionProvenance {
  const { files: before, ...allBefore } = earlier ?? {}
  const { files: after, ...allAfter } = later
  const files = { ...before, ...after }
  return {
    ...(Object.keys(allAfter).length === 0 ? allBefore : allAfter),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  }
}

/** Answers a retry with a known `Idempotency-Key`. The upload is hashed, because it must be the same one, and not stored. */
export async function repeatEvidence(
  ctx: ReceiveContext,
  upload: Upload,
  once: IdempotencyName,
): Promise<Received> {
  const limits = planLimit(upload.caller)
  rejectTooLarge(upload, limits)
  const form = await readEvidence(measuredOnly, upload, limits)
  const key = idempotencyKeyFor(once, fingerprint(upload, form))
  const answer = await runOnce(ctx.db, ctx.clock, key, () => {
    throw alreadySubmitted()
  })
  return { ...answer, submitted: false }
}

/** Equal for equal uploads. */
function fingerprint({ submission }: Upload, form: Form): JsonValue {
  const files = form.files.map(({ name, sha256 }) => [name.toWellFormed(), sha256])
  const { accept, provenance } = form
  const stated = provenance === undefined ? [] : [provenance as JsonValue]
  const more = accept.length === 0 && stated.length === 0 ? [] : [[...accept], ...stated]
  return [submission.submission_id, isFinal(form), files, ...more]
}

const evidenceOf = ({ name, sha256, sizeBytes, mediaType }: Form['files'][number]): EvidenceView => ({
  name,
  sha256,
  size_bytes: sizeBytes,
  media_type: mediaType,
})

const isFinal = (form: Form): boolean => form.final ?? true

/** Checks what can be checked before the body is read. */
function rejectEarly(upload: Upload, limits: SizeLimits): void {
  rejectSubmitted(upload.submission)
  rejectTooLarge(upload, limits)
  rejectWithoutCredits(upload.submission)
}

export function rejectSubmitted({ status }: SubmissionView): void {
  if (status !== 'DRAFT') throw alreadySubmitted()
}

export function rejectWithoutCredits({ credits_available, credits_unlimited }: SubmissionRow): void {
  if (credits_unlimited === 0 && credits_available < 1) throw noCredits()
}

/** After other uploads, a form may only submit the evidence, acknowledge findings or say where it came from. */
function rejectPointless(submission: SubmissionRow, form: Form): void {
  const isAbout = form.accept.length > 0 || form.provenance !== undefined
  const hasPurpose = form.final === true || (form.final === false && isAbout)
  if (form.files.length > 0 || (submission.uploads > 0 && hasPurpose)) return
  if (form.final === true && submission.reserved_bytes > 0) throw unfinished()
  throw new Refusal('evidence_invalid', 'The form has no "file" part.', { param: 'file' })
}

function rejectTooLarge({ contentLength = 0 }: Upload, { leftBytes, refusal }: SizeLimits): void {
  if (contentLength > leftBytes + FRAMING_BYTES) throw refusal()
}

async function readEvidence(
  objects: Pick<ObjectStore, 'put' | 'delete'>,
  { submission, body, boundary }: Upload,
  limits: SizeLimits,
): Promise<Form> {
  // Files of a request can be removed again, one by one.
  const apart = submission.request_id !== null
  try {
    return await readForm(objects, body, boundary, { ...limits, apart })
  } catch (error) {
    if (error instanceof MultipartProblem) throw new Refusal('multipart_malformed', error.message)
    throw error
  }
}
