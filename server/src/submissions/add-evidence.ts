import { recordEvent } from '../audit/audit-trail.ts'
import type { Db, SubmissionsTable } from '../database/schema.ts'
import { type Change, inOneRoundTrip } from '../database/statements.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { insertObjects, type NewObject } from '../objects/accepted-objects.ts'
import type { Measured, StoredRange } from '../objects/object-store.ts'
import { timestamp } from '../runtime/clock.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { actorText, receivedFacts } from './provenance-report.ts'
import { nextPosition } from './submission-queries.ts'
import { alreadySubmitted, overtaken, unfinished } from './submission-refusals.ts'
import { nameWords } from './submission-words.ts'
import type { SubmissionView } from './submission.ts'

/** Files that are measured, in the order in which they came. */
interface Added {
  readonly files: readonly AddedFile[]
  /** The objects that have their bytes, unless they belong to another submission. */
  readonly objects: readonly NewObject[]
  readonly sizeBytes: number
  /** As stored; unchanged if undefined. */
  readonly accept?: string | null
  /** As stored; unchanged if undefined. */
  readonly provenance?: string | null | undefined
  /** What else changes, such as that it is submitted. */
  readonly changes?: Partial<Pick<SubmissionsTable, 'status' | 'job_updated_at' | 'expires_at'>>
}

export interface AddedFile extends Measured, StoredRange {
  readonly name: string
  readonly mediaType: string
  /** Of a file of an earlier submission: how it was received then. */
  readonly received?: string | null
}

/** What comes with a link is an event when it comes: its holder may never submit it. Uploads of the workspace are one event of the submission. */
export async function recordArrival(
  trx: Db,
  { submission_id: subject }: Pick<SubmissionView, 'submission_id'>,
  { files, sizeBytes }: Pick<Added, 'files' | 'sizeBytes'>,
  { workspaceId, actor }: WorkspaceCaller,
  at: string,
): Promise<void> {
  if (actor.is !== 'link' || files.length === 0) return
  const details = { files: files.length, bytes: sizeBytes }
  await recordEvent(trx, { workspaceId, actor, action: 'evidence.received', subject, details, at })
}

/**
 * Only where no other upload was accepted since this one began: of two that race, one wins. The files come first, because a
 * submission that is not a draft takes none; those of an upload that loses are rolled back.
 */
export async function addEvidence(
  trx: Db,
  submission: SubmissionView,
  { files, objects, sizeBytes, accept, provenance, changes = {} }: Added,
  caller: WorkspaceCaller,
  protocol: 'form' | 'tus',
  now: string,
): Promise<void> {
  const { submission_id, uploads } = submission
  const insertions =
    files.length === 0 ? [] : await fileInsertions(trx, submission, { files, objects }, caller, protocol, now)
  const update = trx
    .updateTable('submissions')
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '+', sizeBytes),
      updated_at: now,
      ...(accept === undefined ? {} : { accept }),
      ...(provenance === undefined ? {} : { provenance }),
      ...changes,
    }))
    .where('submission_id', '=', submission_id)
    .where('uploads', '=', uploads)
    .where('status', '=', 'DRAFT')
    .$if(changes.status === 'SUBMITTED', (query) => query.where('open_uploads', '=', 0))
  const names = files.map(({ name }) => name)
  // A statement has a limited number of parameters, and names can have very many words.
  const [words, ...more] = nameWords(trx, submission, names)
  const counts = await inOneRoundTrip(trx, [...insertions, ...(words === undefined ? [] : [words]), update])
  for (const each of more) await each.execute()
  if (counts.at(-1) !== 1) throw (await isAsBefore(trx, submission)) ? unfinished() : overtaken()
}

async function fileInsertions(
  trx: Db,
  submission: SubmissionView,
  { files, objects }: Pick<Added, 'files' | 'objects'>,
  caller: WorkspaceCaller,
  protocol: 'form' | 'tus',
  now: string,
): Promise<readonly Change[]> {
  const { submission_id, uploads } = submission
  const first = uploads === 0 ? 0 : await nextPosition(trx, submission_id)
  const received = receivedFacts(caller, protocol, now)
  const rows = files.map((file, index) => ({
    submission_id,
    position: first + index,
    name: file.name,
    sha256: file.sha256,
    size_bytes: file.sizeBytes,
    crc32: file.crc32,
    object: file.object,
    offset_bytes: file.offset,
    media_type: file.mediaType,
    received_by: actorText(caller.actor),
    received: file.received === undefined ? received : file.received,
  }))
  return [
    // A position that is taken is that of an upload that was accepted meanwhile.
    trx
      .insertInto('evidence')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
    ...(objects.length === 0 ? [] : [insertObjects(trx, submission_id, objects)]),
  ]
}

/** Whether it is a draft to which nothing was added. */
async function isAsBefore(trx: Db, { submission_id, uploads }: SubmissionView): Promise<boolean> {
  const row = await trx
    .selectFrom('submissions')
    .select(['status', 'uploads'])
    .where('submission_id', '=', submission_id)
    .executeTakeFirst()
  return row?.status === 'DRAFT' && row.uploads === uploads
}

/**
 * Removes a file from a draft. Returns false if it has no such file. The bytes count until they are gone. Files of such
 * drafts are objects of their own.
 */
export async function removeEvidence(
  trx: Db,
  submissionId: SubmissionId,
  position: number,
  nowMs: number,
): Promise<boolean> {
  const draft = await trx
    .selectFrom('submissions')
    .select('submissions.status')
    .where('submission_id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst()
  if (draft?.status !== 'DRAFT') throw alreadySubmitted()
  const removed = await trx
    .deleteFrom('evidence')
    .where('submission_id', '=', submissionId)
    .where('position', '=', position)
    .returning(['object', 'size_bytes'])
    .executeTakeFirst()
  if (removed === undefined) return false
  const sizeBytes = Number(removed.size_bytes)
  await trx
    .updateTable('submissions')
    // Counted as an upload, so that one that runs at the same time notices the change.
    .set((eb) => ({
      uploads: eb('uploads', '+', 1),
      uploaded_bytes: eb('uploaded_bytes', '-', sizeBytes),
      updated_at: timestamp(nowMs),
    }))
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('objects')
    .set({ erased_at: timestamp(nowMs) })
    .where('object', '=', removed.object)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evidence')
            .select('position')
            .where('submission_id', '=', submissionId)
            .where('object', '=', removed.object),
        ),
      ),
    )
    .execute()
  return true
}
