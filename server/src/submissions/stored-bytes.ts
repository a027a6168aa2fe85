import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import { LIMITS } from '../settings/limits.ts'
import type { SubmissionView } from './submission.ts'

type Stored = Pick<SubmissionView, 'submission_id' | 'workspace_id'>

interface StorageLeft {
  /** Less than 0 if a limit is passed. */
  readonly leftBytes: number
  readonly refusal: () => Refusal
}

/** How many bytes may still be stored for a submission, by the limit of its workspace and that of the link of its request. */
export async function storageLeft(
  db: Db,
  submission: Stored,
  { plan, actor }: WorkspaceCaller,
): Promise<StorageLeft> {
  const { uploadLimitBytes, storageLimitBytes = Infinity } = plan
  const linkBytes = actor.is === 'link' ? LIMITS.linkStorage.value * uploadLimitBytes : Infinity
  const ofWorkspace =
    storageLimitBytes === Infinity ? 0 : await storedByWorkspace(db, submission.workspace_id)
  const ofLink = linkBytes === Infinity ? 0 : await storedByLink(db, submission.submission_id)
  const [left, leftOfLink] = [storageLimitBytes - ofWorkspace, linkBytes - ofLink]
  return left <= leftOfLink
    ? { leftBytes: left, refusal: () => workspaceFull(storageLimitBytes) }
    : { leftBytes: leftOfLink, refusal: () => linkFull(linkBytes) }
}

/** In the transaction that stores more, which has locked the submission by then. */
export async function rejectOverLimit(trx: Db, submission: Stored, caller: WorkspaceCaller): Promise<void> {
  const { leftBytes, refusal } = await storageLeft(trx, submission, caller)
  if (leftBytes < 0) throw refusal()
}

const workspaceFull = (bytes: number): Refusal =>
  new Refusal(
    'storage_limit_reached',
    `The workspace would store more than ${bytes} bytes, the storage limit of its plan. Delete submissions that are not needed, or ask the operator for more.`,
    { args: { of: 'workspace', bytes } },
  )

const linkFull = (bytes: number): Refusal =>
  new Refusal(
    'storage_limit_reached',
    `More than ${bytes} bytes would be stored for this request. Removed files count until they are deleted, which takes up to half an hour. Try again later.`,
    { args: { of: 'request', bytes } },
  )

async function storedByWorkspace(db: Db, workspaceId: Stored['workspace_id']): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('stored_bytes')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(row.stored_bytes)
}

/** The same file in several rounds of a request once, what is not gone yet, and what its draft has reserved. */
async function storedByLink(db: Db, submissionId: Stored['submission_id']): Promise<number> {
  const { rows } = await sql<{ bytes: number | string }>`
    with rounds as (select of_request.submission_id from request_rounds as this
      join request_rounds as of_request on of_request.request_id = this.request_id
      where this.submission_id = ${submissionId})
    select (select reserved_bytes from submissions where submission_id = ${submissionId}) + coalesce(sum(size_bytes), 0) as bytes
    from (select evidence.sha256, evidence.size_bytes from rounds
        join submissions on submissions.submission_id = rounds.submission_id
        join evidence on evidence.submission_id = rounds.submission_id where submissions.status <> 'EXPIRED'
      union select objects.object, objects.size_bytes from rounds
        join objects on objects.submission_id = rounds.submission_id where objects.erased_at is not null) as stored`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}
