import type { Kysely } from 'kysely'
import { type Change, makeChanges, updating } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import { eventInsertions, type NewEvent } from '../audit/audit-trail.ts'
import { creditUpdate, ledgerInsertion, type MovedCredits } from '../access/credits.ts'
import type { SubmissionView } from './submission.ts'

export interface Additions {
  readonly rows: readonly Change[]
  /** That the files are found by. */
  readonly words: readonly Change[]
}

export interface Sealing {
  /** From others than the one who seals. */
  readonly received: readonly NewEvent[]
  /** Of the worker that the job is handed over to. */
  readonly lease: { readonly owner: string; readonly until: string } | undefined
  readonly additions: Additions | undefined
}

/** DRAFT → SUBMITTED, and holds one credit. Updates the workspace last, because that row is locked by every submission of the workspace. */
export async function seal(
  trx: Kysely<Database>,
  { submission_id, job_id }: SubmissionView,
  sealing: NewEvent,
  { received, lease, additions: { rows: additions, words } = { rows: [], words: [] } }: Sealing,
): Promise<void> {
  const { workspaceId, at } = sealing
  const events = [...received, sealing]
  const claims = lease === undefined ? 0 : 1
  const submitted = updating(
    `update jobs set status = 'SUBMITTED', updated_at = ?, expires_at = null,
      lease_owner = ?, lease_until = ?, lease_token = lease_token + ?, attempts = attempts + ?
      where job_id = ? and status = 'DRAFT'
        and not exists (select 1 from submissions where submission_id = ? and open_uploads > 0)`,
    [at, lease?.owner ?? null, lease?.until ?? null, claims, claims, job_id, submission_id],
  )
  const hold = [{ workspaceId, kind: 'hold', amount: 1, submissionId: submission_id, at }] as const
  const changes = [...additions, submitted, creditUpdate(hold, events.length)]
  const { counts, rows } = await makeChanges<MovedCredits>(trx, changes)
  if (additions.length > 0 && counts[0] !== 1) throw overtaken()
  if (counts[additions.length] !== 1) throw (await isDraft(trx, job_id)) ? unfinished() : sealed()
  const [moved] = rows
  if (moved === undefined) throw noCredits()
  const [firstWords, ...moreWords] = words
  await makeChanges(trx, [
    ledgerInsertion(hold, moved),
    ...eventInsertions(workspaceId, events, moved),
    ...(firstWords === undefined ? [] : [firstWords]),
  ])
  for (const each of moreWords) await makeChanges(trx, [each])
}

async function isDraft(trx: Kysely<Database>, jobId: SubmissionView['job_id']): Promise<boolean> {
  const job = await trx.selectFrom('jobs').select('status').where('job_id', '=', jobId).executeTakeFirst()
  return job?.status === 'DRAFT'
}

export const sealed = (): Refusal =>
  new Refusal(
    'submission_submitted',
    'This submission was submitted and accepts no more evidence. Create a new one.',
  )

export const unfinished = (): Refusal =>
  new Refusal(
    'uploads_unfinished',
    'Some resumable uploads of this submission are not finished. Finish or delete them, then submit.',
  )

export const overtaken = (): Refusal =>
  new Refusal(
    'upload_in_progress',
    'Another upload to this submission finished first. Get the submission, then retry if needed.',
  )

export const noCredits = (): Refusal =>
  new Refusal(
    'credits_exhausted',
    'This workspace has no credits left. Ask the operator for credits, then upload again.',
  )
