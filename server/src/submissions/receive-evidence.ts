// docs/decisions/0241
import type { JsonValue } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { type Answer, answerOnce, onceKeyFor, type OnceName } from '../http/idempotency.ts'
import type { SubmissionId } from '../identifiers.ts'
import { measuredOnly } from '../objects/measured-only.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { reached } from '../steps.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { type NewEvent, recordEvent } from '../workspaces/audit-trail.ts'
import { moveCredits } from '../workspaces/credits.ts'
import { MultipartProblem } from './multipart-problem.ts'
import { type Form, FRAMING_BYTES, readForm, type SizeLimits, uploadTooLarge } from './read-form.ts'
import { type EvidenceView, submissionRecord, type SubmissionView } from './submission.ts'
import { evidenceIn } from './submission-queries.ts'

export type ReceiveContext = Pick<Context, 'db' | 'clock' | 'objects'>

export interface Upload {
  readonly submission: SubmissionView
  readonly caller: WorkspaceCaller
  readonly body: AsyncIterable<Uint8Array>
  readonly boundary: string
  /** As the request says; undefined where it does not. */
  readonly contentLength: number | undefined
  /** Given where a repeat of this upload is to be answered as it was. */
  readonly once?: OnceName | undefined
}

export interface Received extends Answer {
  /** Whether it waits for a worker now. */
  readonly sealed: boolean
  readonly replayed: boolean
}

/**
 * Takes evidence in. The bytes are streamed aside and get their names once all of them are there, before the transaction
 * that accepts them: a store that is far away holds no row of the database meanwhile. An upload that is cut or refused
 * leaves the submission as it was; what was named and then not accepted is an orphan, and swept.
 */
export async function receiveEvidence(ctx: ReceiveContext, upload: Upload): Promise<Received> {
  const { submission, caller } = upload
  const planBytes = caller.plan.uploadLimitBytes
  const limits = { leftBytes: planBytes - submission.uploaded_bytes, planBytes }
  await refuseEarly(ctx.db, upload, limits)
  await using form = await readEvidence(ctx.objects, upload, limits)
  reached('upload staged')
  if (form.files.length === 0 && (submission.uploads === 0 || form.final !== true)) {
    throw new Refusal('evidence_invalid', 'The form has no part "file".')
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
  const accepting = (trx: Kysely<Database>): Promise<Answer> => accept(trx, ctx, upload, form)
  if (upload.once === undefined) {
    return { ...(await transact(ctx.db, accepting)), sealed, replayed: false }
  }
  const once = onceKeyFor(upload.once, whatIsAsked(upload, form))
  return { ...(await answerOnce(ctx.db, ctx.clock, once, accepting)), sealed }
}

/**
 * Takes an upload again whose key was answered already. It is read to its end and measured, as it must be the same one,
 * and nothing of it is stored.
 */
export async function repeatEvidence(ctx: ReceiveContext, upload: Upload, once: OnceName): Promise<Received> {
  const planBytes = upload.caller.plan.uploadLimitBytes
  refuseTooLong(upload, { leftBytes: planBytes, planBytes })
  await using form = await readEvidence(measuredOnly, upload, { leftBytes: planBytes, planBytes })
  const key = onceKeyFor(once, whatIsAsked(upload, form))
  const answer = await answerOnce(ctx.db, ctx.clock, key, () => {
    throw sealed()
  })
  return { ...answer, sealed: false }
}

/** Two uploads are the same where these are. */
function whatIsAsked({ submission }: Upload, form: Form): JsonValue {
  const files = form.files.map(({ name, sha256 }) => [name.toWellFormed(), sha256])
  return [submission.submission_id, isFinal(form), files]
}

const isFinal = (form: Form): boolean => form.final ?? true

/** What would be refused in the end is refused before a hundred megabytes are read. */
async function refuseEarly(db: Kysely<Database>, upload: Upload, limits: SizeLimits): Promise<void> {
  if (upload.submission.job_status !== 'DRAFT') throw sealed()
  refuseTooLong(upload, limits)
  const { credits_available } = await db
    .selectFrom('workspaces')
    .select('credits_available')
    .where('workspace_id', '=', upload.caller.workspaceId)
    .executeTakeFirstOrThrow()
  if (credits_available < 1) throw noCredits()
}

function refuseTooLong({ contentLength = 0 }: Upload, { leftBytes, planBytes }: SizeLimits): void {
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

async function accept(
  trx: Kysely<Database>,
  ctx: ReceiveContext,
  { submission, caller }: Upload,
  form: Form,
): Promise<Answer> {
  const now = timestamp(ctx.clock.now())
  const isSealed = isFinal(form)
  await addEvidence(trx, submission, form, now)
  const event: NewEvent = {
    workspaceId: caller.workspaceId,
    actor: caller.actor,
    action: isSealed ? 'submission.sealed' : 'evidence.received',
    subject: submission.submission_id,
    details: { files: form.files.length, bytes: form.sizeBytes },
    at: now,
  }
  if (isSealed) await seal(trx, submission, event)
  else await recordEvent(trx, event)
  const { submission_id, uploads, uploaded_bytes, job_updated_at } = submission
  const evidence = uploads === 0 ? form.files.map(viewOf) : await evidenceIn(trx, submission_id)
  reached('upload accepting')
  const view: SubmissionView = {
    ...submission,
    uploads: uploads + 1,
    uploaded_bytes: uploaded_bytes + form.sizeBytes,
    updated_at: now,
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
}

/** Only where no other upload was accepted since this one began: of two that race, one wins. */
export async function addEvidence(
  trx: Kysely<Database>,
  { submission_id, job_id, uploads }: SubmissionView,
  form: Added,
  now: string,
): Promise<void> {
  const taken = await trx
    .updateTable('submissions')
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '+', form.sizeBytes),
      updated_at: now,
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
  const first = uploads === 0 ? 0 : await countEvidence(trx, submission_id)
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
      })),
    )
    .execute()
}

async function countEvidence(trx: Kysely<Database>, id: SubmissionId): Promise<number> {
  const { count } = await trx
    .selectFrom('evidence')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('submission_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * DRAFT → SUBMITTED, with one credit held for it. The row of the workspace comes last: every submission of a workspace
 * changes it, and waits for whoever did before.
 */
async function seal(
  trx: Kysely<Database>,
  { submission_id, job_id }: SubmissionView,
  event: NewEvent,
): Promise<void> {
  const { workspaceId, at } = event
  await trx
    .updateTable('jobs')
    .set({ status: 'SUBMITTED', updated_at: at, expires_at: null })
    .where('job_id', '=', job_id)
    .execute()
  const hold = { workspaceId, kind: 'hold', amount: 1, submissionId: submission_id, at } as const
  if (!(await moveCredits(trx, hold, event))) throw noCredits()
}

const sealed = (): Refusal =>
  new Refusal('submission_sealed', 'This submission is sealed and takes no more evidence. Create another.')

const overtaken = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload for this submission was accepted first. Nothing was changed.',
  )

const noCredits = (): Refusal =>
  new Refusal(
    'credits_exhausted',
    'This workspace has no credit left. Nothing was taken in; ask the operator for credits.',
  )
