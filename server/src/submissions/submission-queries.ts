import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Database, OpenedSubmission, WorkspacesTable } from '../database/schema.ts'
import { type ConstantTimeLookup, constantTimeLookup } from '../database/secret.ts'
import { nestedRows, type Param, preparedFirst, unnested } from '../database/statements.ts'
import { type Caller, workspaceOf } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import { isSubmissionId, type JobId, type SubmissionId } from '../runtime/identifiers.ts'
import { SEAL, type SubmissionStatus } from './statuses.ts'
import type { Queue } from './job-queue.ts'

/** A submission with what its record says about its kit. */
export type SubmissionView = Readonly<
  Awaited<ReturnType<ReturnType<typeof views>['executeTakeFirstOrThrow']>>
>

export type EvidenceView = Awaited<ReturnType<ReturnType<typeof evidenceRows>['execute']>>[number]

export interface FoundSubmission {
  readonly view: SubmissionView
  readonly evidence: readonly EvidenceView[]
}

/** What a request needs to know of a submission, in one row. The credits are of its workspace. */
export type SubmissionRow = SubmissionView & Pick<WorkspacesTable, 'credits_available' | 'credits_unlimited'>

export type SubmissionQueries = ReturnType<typeof submissionQueries>

export function submissionQueries(db: Kysely<Database>) {
  const row = (id: SubmissionId) =>
    views(db)
      .innerJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .select(['workspaces.credits_available', 'workspaces.credits_unlimited'])
      .where('submissions.submission_id', '=', id)
  const find = preparedFirst(db, (param: Param<{ id: SubmissionId }>) => row(param('id')))
  const findWithEvidence = preparedFirst(db, (param: Param<{ id: SubmissionId }>) =>
    row(param('id')).select(nestedRows(db, evidenceRows(db, param('id'))).as('evidence')),
  )
  return {
    /** A job with what the public sees of its workspace, which is null without one. */
    job: preparedFirst(db, (param: Param<{ id: JobId }>) =>
      db
        .selectFrom('submissions')
        .leftJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
        .select(['job_id', 'submissions.tenant_id', 'scope_label', 'status', 'job_created_at'])
        .select(['job_updated_at', 'kit_id', 'submissions.workspace_id', 'workspaces.visibility'])
        .where('job_id', '=', param('id')),
    ),
    ...constantTimeLookup<SubmissionId, SubmissionRow>((id) => find({ id })),
    withEvidence: constantTimeLookup(async (id: SubmissionId) => {
      const found = await findWithEvidence({ id })
      return found && { ...found, evidence: unnested(found.evidence) }
    }),
  }
}

/** `db` may be a transaction, which sees its own writes. */
export async function readSubmission(db: Kysely<Database>, id: SubmissionId): Promise<FoundSubmission> {
  const view = await views(db).where('submissions.submission_id', '=', id).executeTakeFirstOrThrow()
  return { view, evidence: await evidenceIn(db, id) }
}

export function evidenceIn(db: Kysely<Database>, id: SubmissionId): Promise<readonly EvidenceView[]> {
  return evidenceRows(db, id).execute()
}

/** Submissions with what tells where they are, and what became of their kits. */
export function currentSubmissions(db: Kysely<Database>) {
  return db
    .selectFrom('submissions')
    .where('submissions.sequence', 'is not', null)
    .leftJoin('kits', 'kits.kit_id', 'submissions.kit_id')
    .leftJoin('signing_keys', (join) =>
      join.onRef('signing_keys.kid', '=', 'kits.public_key_kid').on('signing_keys.state', '=', 'revoked'),
    )
    .leftJoin('tasks', (join) =>
      join.onRef('tasks.key', '=', 'submissions.job_id').on('tasks.kind', '=', SEAL),
    )
    .leftJoin('log', (join) => join.on('log.id', '=', 1))
    .leftJoin('log_checkpoints as newest', (join) =>
      join.onRef('newest.size', '=', 'log.size').on('submissions.status', '=', 'PASS'),
    )
    .select(['tasks.held_until', 'tasks.failing_since', 'log.frozen_at as log_frozen_at'])
    .select(['newest.quorum_met as log_cosigned', 'newest.time_stamp as log_time_stamp'])
    .select('signing_keys.revoked_at as key_revoked_at')
    .select((eb) => [
      replacements(eb).select('successor.submission_id').as('replaced_by_submission_id'),
      replacements(eb).select('successor.kit_id').as('replaced_by_kit_id'),
    ])
}

function views(db: Kysely<Database>) {
  return currentSubmissions(db)
    .leftJoin('request_rounds', 'request_rounds.submission_id', 'submissions.submission_id')
    .leftJoin('requests', 'requests.request_id', 'request_rounds.request_id')
    .leftJoin('kits as replaced_kit', 'replaced_kit.kit_id', 'submissions.replaces_kit_id')
    .leftJoin('submissions as replaced', 'replaced.job_id', 'replaced_kit.job_id')
    .leftJoin('holds', 'holds.submission_id', 'submissions.submission_id')
    .leftJoin('expired_kits', 'expired_kits.kit_id', 'submissions.kit_id')
    .selectAll('submissions')
    .$narrowType<OpenedSubmission>()
    .select(['holds.reason as hold_reason', 'holds.placed_at as hold_placed_at', 'expired_kits.erasure'])
    .select(['kits.downloads', 'request_rounds.request_id', 'requests.period'])
    .select('replaced.submission_id as replaces_submission_id')
}

/** The submission that replaces the kit of another. A failed one does not count. */
export function replacements(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submissions as successor')
    .whereRef('successor.replaces_kit_id', '=', 'submissions.kit_id')
    .where('successor.status', '<>', 'FAIL')
}

function evidenceRows(db: Kysely<Database>, id: SubmissionId) {
  return db
    .selectFrom('evidence')
    .select(['name', 'sha256', 'size_bytes', 'media_type'])
    .where('submission_id', '=', id)
    .orderBy('position')
}

/** The position of the next file. Positions of removed files are not used again. */
export async function nextPosition(trx: Kysely<Database>, id: SubmissionId): Promise<number> {
  const { last } = await trx
    .selectFrom('evidence')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('submission_id', '=', id)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : Number(last) + 1
}

/** When to poll again, as `Retry-After`. Undefined if the status is final. */
export function pollAfter(
  { queue }: { readonly queue: Pick<Queue, 'retryAfter'> },
  view: SubmissionView,
  status: SubmissionStatus,
): string | undefined {
  if (status !== 'PENDING' && status !== 'RUNNING') return undefined
  // A draft waits for its files, and a running one is nearly done.
  const isWaiting = status === 'PENDING' && view.status === 'SUBMITTED'
  return isWaiting ? queue.retryAfter(view.workspace_id) : '1'
}

/** A request about a submission. */
export interface OfSubmission {
  readonly params: { readonly submission_id: string }
  readonly caller: Caller
}

/** The submission of a request. A submission of another workspace is reported as not found. */
export async function findSubmission<Row extends SubmissionRow>(
  { submissions }: { readonly submissions: ConstantTimeLookup<SubmissionId, Row> },
  { params, caller }: OfSubmission,
): Promise<Row> {
  const { workspaceId } = workspaceOf(caller)
  const id = params.submission_id
  const view = isSubmissionId(id) ? await submissions.find(id) : undefined
  if (view === undefined || view.workspace_id !== workspaceId) {
    await submissions.equalizeTime(view)
    throw new Refusal('submission_not_found', 'Submission not found in this workspace.')
  }
  return view
}
