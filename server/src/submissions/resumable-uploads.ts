import { randomBytes } from 'node:crypto'
import { BOUNDARY } from '@kitseal/kit/internal'
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { ResumableUploadsTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { Context } from '../kits/context.ts'
import { readFully } from '../objects/block-reads.ts'
import {
  newObjectName,
  PartialLost,
  type PartialObject,
  type PartialProgress,
} from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import { isUploadId, type SubmissionId } from '../runtime/identifiers.ts'
import { type AddedFile, addEvidence, recordArrival } from './add-evidence.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { uploadTooLarge } from './read-form.ts'
import { rejectOverLimit } from './stored-bytes.ts'
import type { UploadContext } from './submission-context.ts'
import { readSubmission } from './submission-queries.ts'
import { alreadySubmitted } from './submission-refusals.ts'
import type { Upload } from './submission-schemas.ts'
import type { SubmissionView } from './submission.ts'
import { type Checksum, type NewUpload, verifyChecksum } from './tus-headers.ts'

export type UploadRow = Readonly<ResumableUploadsTable>

/** The upload of a submission, unless it has expired. */
export async function findUpload(
  { db, clock }: Pick<UploadContext, 'db' | 'clock'>,
  submissionId: SubmissionId,
  uploadId: string,
): Promise<UploadRow> {
  const row = isUploadId(uploadId)
    ? await db
        .selectFrom('resumable_uploads')
        .selectAll()
        .where('upload_id', '=', uploadId)
        .where('submission_id', '=', submissionId)
        .executeTakeFirst()
    : undefined
  if (row === undefined)
    throw new Refusal('upload_not_found', 'This submission has no upload with this ID. Create one.')
  const isOver = row.removed_at !== null || row.expires_at <= timestamp(clock.now())
  if (isOver && row.finished_at === null) throw expired()
  return row
}

export const expired = (cause?: unknown): Refusal =>
  new Refusal('upload_expired', 'This upload has expired. Start a new one.', { cause })

/** The uploads of a submission that can be continued, oldest first. */
export function openUploads(db: Db, id: SubmissionId, now: string): Promise<UploadRow[]> {
  return db
    .selectFrom('resumable_uploads')
    .selectAll()
    .where('submission_id', '=', id)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('upload_id')
    .execute()
}

/** An upload as the API returns it. */
export function uploadRecord(row: UploadRow): Upload {
  return {
    upload_id: row.upload_id,
    submission_id: row.submission_id,
    name: row.name,
    size_bytes: Number(row.size_bytes),
    offset_bytes: Number(row.offset_bytes),
    resume_key: row.resume_key,
    created_at: row.created_at,
    expires_at: row.expires_at,
    finished_at: row.finished_at,
    boundary: BOUNDARY,
  }
}

function partialOf(row: UploadRow): PartialObject {
  return {
    object: row.object,
    sizeBytes: Number(row.size_bytes),
    offset: Number(row.offset_bytes),
    state: row.state,
  }
}

/** Takes an upload out of the counts of its submission, in the transaction that finishes or removes it. */
async function closeUpload(
  trx: Db,
  { submission_id, size_bytes }: Pick<UploadRow, 'submission_id' | 'size_bytes'>,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '-', 1),
      reserved_bytes: eb('reserved_bytes', '-', size_bytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '>', 0)
    .execute()
}

/** How long an upload is accepted, from its creation. */
const UPLOAD_TTL_MS = 7 * 24 * 60 * 60 * 1000
const MAX_OPEN_UPLOADS = 1000

/** Records a resumable upload and reserves its size, so that uploads of one submission together stay within the limit. */
export async function createUpload(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'identifiers'>,
  submission: SubmissionView,
  caller: WorkspaceCaller,
  { name, sizeBytes, resumeKey, metadata }: NewUpload,
): Promise<UploadRow> {
  const { submission_id } = submission
  const { plan } = caller
  const now = ctx.clock.now()
  const taken = await trx
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '+', 1),
      reserved_bytes: eb('reserved_bytes', '+', sizeBytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '<', MAX_OPEN_UPLOADS)
    .where(sql<number>`uploaded_bytes + reserved_bytes`, '<=', plan.uploadLimitBytes - sizeBytes)
    .where('status', '=', 'DRAFT')
    .executeTakeFirst()
  if (taken.numUpdatedRows !== 1n) await refuse(trx, submission_id, plan.uploadLimitBytes)
  await rejectOverLimit(trx, submission, caller)
  const row: UploadRow = {
    upload_id: ctx.identifiers.uploadId(),
    submission_id,
    name,
    size_bytes: sizeBytes,
    resume_key: resumeKey,
    metadata,
    created_at: timestamp(now),
    expires_at: timestamp(now + UPLOAD_TTL_MS),
    offset_bytes: 0,
    object: newObjectName(),
    state: '',
    finished_at: null,
    removed_at: null,
    claim: null,
    claimed_until: null,
  }
  await trx.insertInto('resumable_uploads').values(row).execute()
  return row
}

async function refuse(
  trx: Db,
  submissionId: SubmissionView['submission_id'],
  planBytes: number,
): Promise<never> {
  const { open_uploads } = await trx
    .selectFrom('submissions')
    .select('open_uploads')
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow()
  if (open_uploads < MAX_OPEN_UPLOADS) throw uploadTooLarge(planBytes)
  throw new Refusal(
    'upload_invalid',
    `A submission can have at most ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or delete some first.`,
  )
}

const CLAIM_MS = 20_000
const RENEW_EVERY_MS = 5000

/**
 * Claims an upload at this offset. Of several requests, at any node, one gets it. Every write checks that no other request has taken it
 * over.
 */
export async function claimUpload(ctx: Pick<UploadContext, 'db' | 'clock' | 'node'>, upload: UploadRow) {
  const { db, clock } = ctx
  const { upload_id } = upload
  const claim = `${ctx.node}.${randomBytes(6).toString('hex')}`
  const until = (): string => timestamp(clock.now() + CLAIM_MS)
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ claim, claimed_until: until() })
    .where('upload_id', '=', upload_id)
    .where('offset_bytes', '=', upload.offset_bytes)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claimed_until', '<=', timestamp(clock.now()))]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw inProgress()

  const mine = () =>
    db.updateTable('resumable_uploads').where('upload_id', '=', upload_id).where('claim', '=', claim)
  const save = async (values: Partial<UploadRow>): Promise<void> => {
    const saved = await mine()
      .set({ ...values, claimed_until: until() })
      .executeTakeFirst()
    if (saved.numUpdatedRows !== 1n) throw inProgress()
  }
  // If the database is unavailable, the next save fails too.
  const timer = setInterval(() => void save({}).catch(() => {}), RENEW_EVERY_MS).unref()
  return {
    saveProgress: ({ offset, state }: PartialProgress): Promise<void> =>
      save({ offset_bytes: offset, state }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await mine()
        .set({ claim: null, claimed_until: null })
        .execute()
        // It ends by itself.
        .catch(() => {})
    },
  }
}

const inProgress = (): Refusal =>
  new Refusal('upload_in_progress', 'Another request is writing this upload. Wait until it ends.', {
    headers: { 'retry-after': '1' },
  })

/** Ends the claims of processes that have ended. */
export async function releaseClaimsOf(db: Db, isGone: (owner: string) => boolean): Promise<void> {
  const claimed = await db
    .selectFrom('resumable_uploads')
    .select(['upload_id', 'claim'])
    .where('claim', 'is not', null)
    .execute()
  for (const { upload_id, claim } of claimed) {
    if (claim === null || !isGone(claim)) continue
    await db
      .updateTable('resumable_uploads')
      .set({ claim: null, claimed_until: null })
      .where('upload_id', '=', upload_id)
      .where('claim', '=', claim)
      .execute()
  }
}

interface Chunk {
  readonly upload: UploadRow
  readonly caller: WorkspaceCaller
  readonly content: AsyncIterable<Uint8Array>
  readonly checksum?: Checksum | undefined
}

/** Stores the next bytes of an upload. With the last byte the file becomes evidence. */
export async function appendToUpload(ctx: UploadContext, chunk: Chunk): Promise<void> {
  const { upload, checksum } = chunk
  await using claim = await claimUpload(ctx, upload)
  const before = partialOf(upload)
  const content = exactly(chunk.content, before.sizeBytes - before.offset)
  try {
    const { offset, state } = await ctx.objects.resumable.append(
      before,
      checksum === undefined ? content : verifyChecksum(content, checksum),
      { commit: (progress) => claim.saveProgress(progress), atomic: checksum !== undefined },
    )
    if (offset === before.sizeBytes)
      await finishUpload(ctx, { ...chunk, upload: { ...upload, offset_bytes: offset, state } })
  } catch (error) {
    if (!(error instanceof PartialLost)) throw error
    await dropUpload(ctx, upload)
    throw expired(error)
  }
}

/** Whether all bytes arrived, but a crash or an outage prevented the upload from being finished. */
export const isReceived = ({ offset_bytes, size_bytes, finished_at }: UploadRow): boolean =>
  finished_at === null && Number(offset_bytes) === Number(size_bytes)

/** Passes content through. Holds back the last bytes until it is known that none follow. */
async function* exactly(content: AsyncIterable<Uint8Array>, leftBytes: number): AsyncGenerator<Uint8Array> {
  let left = leftBytes
  let last: Uint8Array | undefined
  for await (const chunk of content) {
    left -= chunk.length
    if (left < 0) throw tooLong()
    if (left > 0) yield chunk
    // A copy: chunks are valid until the next one is requested.
    else if (chunk.length > 0) last = Buffer.copyBytesFrom(chunk)
  }
  if (last !== undefined) yield last
}

export const tooLong = (): Refusal =>
  new Refusal('upload_invalid', 'The body is longer than the rest of the upload. Check Upload-Length.')

/** Makes a complete upload evidence of its submission. A crash at any point is repaired by calling it again. */
export async function finishUpload(
  ctx: UploadContext,
  { upload, caller }: Pick<Chunk, 'upload' | 'caller'>,
): Promise<void> {
  const { objects } = ctx
  const stored = await objects.resumable.finish(partialOf(upload))
  const head = await readFully(objects, stored.object, 0, Math.min(HEAD_BYTES, stored.sizeBytes))
  const file = { ...stored, offset: 0, name: upload.name, mediaType: mediaTypeOf(upload.name, head) }
  await transact(ctx.db, (trx) => accept(trx, timestamp(ctx.clock.now()), upload, caller, file))
}

async function accept(
  trx: Db,
  now: string,
  upload: UploadRow,
  caller: WorkspaceCaller,
  file: AddedFile,
): Promise<void> {
  const { submission_id, upload_id } = upload
  const { plan } = caller
  // Locked: several uploads of a submission may be finished at the same time.
  await trx
    .selectFrom('submissions')
    .select('submission_id')
    .where('submission_id', '=', submission_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { view } = await readSubmission(trx, submission_id)
  if (view.status !== 'DRAFT') throw alreadySubmitted()
  if (view.uploaded_bytes + file.sizeBytes > plan.uploadLimitBytes)
    throw uploadTooLarge(plan.uploadLimitBytes)
  const finished = await trx
    .updateTable('resumable_uploads')
    .set({ finished_at: now, claim: null, claimed_until: null })
    .where('upload_id', '=', upload_id)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (finished.numUpdatedRows !== 1n) throw expired()
  const added = { files: [file], objects: [file], sizeBytes: file.sizeBytes }
  await addEvidence(trx, view, added, caller, 'tus', now)
  await recordArrival(trx, view, added, caller, now)
  await closeUpload(trx, upload)
}

type RemoveContext = Pick<UploadContext, 'db' | 'objects' | 'clock'>

/** Removes the stored part of an upload that is not finished, and frees its reservation. */
export async function dropUpload(
  { db, objects, clock }: RemoveContext,
  upload: Pick<UploadRow, 'upload_id' | 'submission_id' | 'size_bytes' | 'object' | 'state'>,
): Promise<boolean> {
  const isDropped = await transact(db, async (trx) => {
    const dropped = await trx
      .updateTable('resumable_uploads')
      .set({ removed_at: timestamp(clock.now()) })
      .where('upload_id', '=', upload.upload_id)
      .where('finished_at', 'is', null)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (dropped.numUpdatedRows !== 1n) return false
    await closeUpload(trx, upload)
    return true
  })
  if (isDropped) {
    await objects.resumable.remove(upload)
    // It was complete, and then not accepted.
    await objects.delete(upload.object)
  }
  return isDropped
}

const BATCH = 100
/** Clients are told for this long that their upload has expired. */
const FORGET_AFTER_MS = 7 * 24 * 60 * 60 * 1000

/** Drops expired uploads and those of submissions that take no more evidence; returns how many. */
export async function sweepUploads(ctx: RemoveContext): Promise<number> {
  const { db, clock } = ctx
  const now = timestamp(clock.now())
  const over = await db
    .selectFrom('resumable_uploads')
    .innerJoin('submissions', 'submissions.submission_id', 'resumable_uploads.submission_id')
    .selectAll('resumable_uploads')
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('resumable_uploads.expires_at', '<=', now), eb('submissions.status', '<>', 'DRAFT')]),
    )
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claimed_until', '<=', now)]))
    .limit(BATCH)
    .execute()
  let dropped = 0
  for (const upload of over) if (await dropUpload(ctx, upload)) dropped += 1
  await db
    .deleteFrom('resumable_uploads')
    .where('expires_at', '<=', timestamp(clock.now() - FORGET_AFTER_MS))
    .where((eb) => eb.or([eb('finished_at', 'is not', null), eb('removed_at', 'is not', null)]))
    .execute()
  await correctCounts(db)
  return dropped
}

/** A restored backup has submissions with uploads, but not the uploads. */
async function correctCounts(db: Db): Promise<void> {
  await db
    .updateTable('submissions')
    .set({ open_uploads: 0, reserved_bytes: 0 })
    .where('open_uploads', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('resumable_uploads')
            .select('upload_id')
            .whereRef('resumable_uploads.submission_id', '=', 'submissions.submission_id')
            .where('finished_at', 'is', null)
            .where('removed_at', 'is', null),
        ),
      ),
    )
    .execute()
}
