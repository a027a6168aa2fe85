import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import { transact } from '../database/transact.ts'
import type { Reader, Unit } from '../database/unit.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { list, resource } from '../http/resource.ts'
import { readFully } from '../objects/block-reads.ts'
import {
  newObjectName,
  PartialLost,
  type PartialObject,
  type PartialProgress,
} from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import type { SubmissionId, UploadId } from '../runtime/identifiers.ts'
import { type AddedFile, addEvidence, recordArrival } from './add-evidence.ts'
import { HEAD_BYTES, mediaTypeOf } from './media-type.ts'
import { uploadTooLarge } from './read-form.ts'
import { rejectOverLimit } from './stored-bytes.ts'
import type { SubmissionContext } from './submission-context.ts'
import { readSubmission } from './submission-queries.ts'
import { alreadySubmitted } from './submission-refusals.ts'
import type { SubmissionView } from './submission.ts'
import { type Checksum, type NewUpload, verifyChecksum } from './tus-headers.ts'

/** A file that arrives in several requests. Its upload is open until it is finished or removed. */
export const resumableUploads = table('resumable_uploads', {
  upload_id: column.id<UploadId>('upl'),
  submission_id: column.refersTo<SubmissionId>('submissions (submission_id)'),
  name: column.text().doc('The file name, as sent.'),
  size_bytes: column.count(),
  /** Stored durably. */
  offset_bytes: column.count().default(0).doc('How much has arrived.'),
  /** What the client sent to recognize the same content. */
  resume_key: column.text().nullable().doc('As sent by the client.'),
  created_at: column.created(),
  expires_at: column.time(),
  finished_at: column.time().nullable().doc('When the file became evidence of the submission.'),
  /** When the stored part was removed, because the upload expired or its submission was sealed. */
  removed_at: column.time().nullable(),
  /** `Upload-Metadata` as the client sent it. */
  metadata: column.text(),
  /** The name of the object that it becomes. */
  object: column.text(),
  /** What the object store needs to continue. */
  state: column.text().default(''),
  /** The request that may write, by its node and a random part. */
  claim: column.text().nullable(),
  claimed_until: column.time().nullable(),
})
  .index(['submission_id', 'created_at'])
  .index(['object'])
  .index(['expires_at'])
  .index(['upload_id'], 'finished_at is null and removed_at is null', 'resumable_uploads_open')
  .index(['upload_id'], 'claim is not null', 'resumable_uploads_claimed')
  .missing('upload_not_found', 'This submission has no upload with this ID. Create one.')

declare module '../database/schema.ts' {
  interface Database {
    readonly resumable_uploads: StoredRow<typeof resumableUploads>
  }
}

export type UploadRow = RowOf<typeof resumableUploads>

export const Upload = resource('Upload', 'A resumable upload of one file.', resumableUploads, {
  without: ['removed_at', 'metadata', 'object', 'state', 'claim', 'claimed_until'],
})
export const UploadList = list('UploadList', 'Uploads that can be continued, oldest first.', Upload)

/** What uploads need. */
type UploadContext = Pick<SubmissionContext, 'db' | 'clock' | 'objects' | 'node'>

/** The upload of a submission, unless it has expired. */
export async function findUpload(
  reader: Reader,
  submission_id: SubmissionId,
  uploadId: string,
): Promise<UploadRow> {
  const row = await reader.rows(resumableUploads, { submission_id }).find(uploadId)
  const isOver = row.removed_at !== null || row.expires_at <= reader.at
  if (isOver && row.finished_at === null) throw expired()
  return row
}

const expired = (cause?: unknown): Refusal =>
  new Refusal('upload_expired', 'This upload has expired. Start a new one.', { cause })

/** The uploads of a submission that can be continued, oldest first. */
export const openUploads = (reader: Reader, submission_id: SubmissionId): Promise<readonly UploadRow[]> =>
  reader
    .rows(resumableUploads, { submission_id })
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', reader.at)
    .orderBy('created_at')
    .orderBy('upload_id')
    .all()

const partialOf = ({ object, size_bytes, offset_bytes, state }: UploadRow): PartialObject => {
  return { object, sizeBytes: size_bytes, offset: offset_bytes, state }
}

/** How long an upload is accepted, from its creation. */
const UPLOAD_TTL_MS = 7 * 24 * 60 * 60 * 1000
const MAX_OPEN_UPLOADS = 1000

/** Records a resumable upload and reserves its size, so that uploads of one submission together stay within the limit. */
export async function createUpload(
  unit: Unit,
  submission: SubmissionView,
  caller: WorkspaceCaller,
  { name, sizeBytes, resumeKey, metadata }: NewUpload,
): Promise<UploadRow> {
  const { submission_id } = submission
  const { uploadLimitBytes } = caller.plan
  const { numUpdatedRows } = await unit.db
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '+', 1),
      reserved_bytes: eb('reserved_bytes', '+', sizeBytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '<', MAX_OPEN_UPLOADS)
    .where(sql<number>`uploaded_bytes + reserved_bytes`, '<=', uploadLimitBytes - sizeBytes)
    .where('status', '=', 'DRAFT')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) {
    const { view } = await readSubmission(unit.db, submission_id)
    throw view.open_uploads < MAX_OPEN_UPLOADS ? uploadTooLarge(uploadLimitBytes) : tooMany()
  }
  await rejectOverLimit(unit.db, submission, caller)
  return unit.insert(resumableUploads, {
    submission_id,
    name,
    size_bytes: sizeBytes,
    resume_key: resumeKey,
    metadata,
    expires_at: unit.after(UPLOAD_TTL_MS),
    object: newObjectName(),
  })
}

const tooMany = (): Refusal =>
  new Refusal(
    'upload_invalid',
    `A submission can have at most ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or delete some first.`,
  )

/** In the transaction that finishes or removes an upload. False if it is not open. */
async function closeUpload(
  trx: Db,
  { upload_id, submission_id, size_bytes }: Pick<UploadRow, 'upload_id' | 'submission_id' | 'size_bytes'>,
  as: Partial<Pick<UploadRow, 'finished_at' | 'removed_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('resumable_uploads')
    .set({ ...as, claim: null, claimed_until: null })
    .where('upload_id', '=', upload_id)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await trx
    .updateTable('submissions')
    .set((eb) => ({
      open_uploads: eb('open_uploads', '-', 1),
      reserved_bytes: eb('reserved_bytes', '-', size_bytes),
    }))
    .where('submission_id', '=', submission_id)
    .where('open_uploads', '>', 0)
    .execute()
  return true
}

const CLAIM_MS = 20_000
const RENEW_EVERY_MS = 5000

/**
 * Claims an upload at this offset. Of several requests, at any node, one gets it. Every write checks that no other request has taken it
 * over.
 */
export async function claimUpload(
  { db, clock, node }: UploadContext,
  { upload_id, offset_bytes }: UploadRow,
) {
  const claim = `${node}.${randomBytes(6).toString('hex')}`
  const until = (): string => timestamp(clock.now() + CLAIM_MS)
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ claim, claimed_until: until() })
    .where('upload_id', '=', upload_id)
    .where('offset_bytes', '=', offset_bytes)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claimed_until', '<=', timestamp(clock.now()))]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw inProgress()

  const save = async (values: Partial<UploadRow>): Promise<void> => {
    const saved = await db
      .updateTable('resumable_uploads')
      .set({ claimed_until: until(), ...values })
      .where('upload_id', '=', upload_id)
      .where('claim', '=', claim)
      .executeTakeFirst()
    if (saved.numUpdatedRows !== 1n) throw inProgress()
  }
  // If the database is unavailable, the next save fails too.
  const timer = setInterval(() => void save({}).catch(() => {}), RENEW_EVERY_MS).unref()
  return {
    saveProgress: ({ offset, state }: PartialProgress) => save({ offset_bytes: offset, state }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      // It ends by itself, and with the upload.
      await save({ claim: null, claimed_until: null }).catch(() => {})
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
    .select('claim')
    .where('claim', 'is not', null)
    .$narrowType<{ claim: string }>()
    .execute()
  for (const { claim } of claimed)
    if (isGone(claim))
      await db
        .updateTable('resumable_uploads')
        .set({ claim: null, claimed_until: null })
        .where('claim', '=', claim)
        .execute()
}

interface Chunk {
  readonly upload: UploadRow
  readonly caller: WorkspaceCaller
  readonly content: AsyncIterable<Uint8Array>
  readonly checksum?: Checksum | undefined
}

/** Stores the next bytes of an upload. With the last byte the file becomes evidence. */
export async function appendToUpload(ctx: UploadContext, chunk: Chunk): Promise<void> {
  const { upload, caller, checksum } = chunk
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
      await finishUpload(ctx, { ...upload, offset_bytes: offset, state }, caller)
  } catch (error) {
    if (!(error instanceof PartialLost)) throw error
    await dropUpload(ctx, upload)
    throw expired(error)
  }
}

/** Whether all bytes arrived, but a crash or an outage prevented the upload from being finished. */
export const isReceived = ({ offset_bytes, size_bytes, finished_at }: UploadRow): boolean =>
  finished_at === null && offset_bytes === size_bytes

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
  { db, clock, objects }: UploadContext,
  upload: UploadRow,
  caller: WorkspaceCaller,
): Promise<void> {
  const stored = await objects.resumable.finish(partialOf(upload))
  const head = await readFully(objects, stored.object, 0, Math.min(HEAD_BYTES, stored.sizeBytes))
  const { name } = upload
  const file = { ...stored, offset: 0, name, mediaType: mediaTypeOf(name, head) }
  await transact(db, (trx) => accept(trx, timestamp(clock.now()), upload, caller, file))
}

async function accept(
  trx: Db,
  now: string,
  upload: UploadRow,
  caller: WorkspaceCaller,
  file: AddedFile,
): Promise<void> {
  const { submission_id } = upload
  const { uploadLimitBytes } = caller.plan
  // Locked: several uploads of a submission may be finished at the same time.
  const locked = trx.selectFrom('submissions').select('status').where('submission_id', '=', submission_id)
  await locked.forUpdate().executeTakeFirstOrThrow()
  const { view } = await readSubmission(trx, submission_id)
  if (view.status !== 'DRAFT') throw alreadySubmitted()
  if (view.uploaded_bytes + file.sizeBytes > uploadLimitBytes) throw uploadTooLarge(uploadLimitBytes)
  if (!(await closeUpload(trx, upload, { finished_at: now }))) throw expired()
  const added = { files: [file], objects: [file], sizeBytes: file.sizeBytes }
  await addEvidence(trx, view, added, caller, 'tus', now)
  await recordArrival(trx, view, added, caller, now)
}

type RemoveContext = Pick<UploadContext, 'db' | 'objects' | 'clock'>

/** Removes the stored part of an upload that is not finished, and frees its reservation. */
export async function dropUpload(
  { db, objects, clock }: RemoveContext,
  upload: Pick<UploadRow, 'upload_id' | 'submission_id' | 'size_bytes' | 'object' | 'state'>,
): Promise<boolean> {
  const removed_at = timestamp(clock.now())
  const isDropped = await transact(db, (trx) => closeUpload(trx, upload, { removed_at }))
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
