// docs/decisions/0405
import { type RawBuilder, sql } from 'kysely'
import type { RequestCommentsTable, RequestItemsTable, RequestsTable } from '../database/request-schema.ts'
import type { Db, EvidenceTable, JobsTable, JobStatus } from '../database/schema.ts'
import type { RequestStatus } from './request-schemas.ts'
import {
  type EvidenceRequestId,
  isEvidenceRequestId,
  type SubmissionId,
  type WorkspaceId,
} from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'

/** A request with the state of its newest round. */
export interface RequestView extends RequestsTable {
  readonly status: RequestStatus
  readonly submission_id: SubmissionId | null
  readonly job_status: JobStatus | null
  /** The newest kit of any round. */
  readonly kit_id: JobsTable['kit_id']
  readonly items: number
  readonly received: number
  readonly accepted: number
  readonly needs_changes: number
}

/** A round that was handed over. */
const SEALED = sql`jobs.status in ('SUBMITTED', 'PASS', 'ISSUED')`
const items = sql`select count(*) from request_items i where i.request_id = requests.request_id`
/** A review counts until a later round is handed over. */
const needsChanges = sql`i.review = 'needs_changes' and (i.review_round = requests.round or not coalesce(${SEALED}, false))`

/** Derived from the reviews and the job of the newest round, so that the three cannot disagree. */
const STATUS: RawBuilder<RequestStatus> = sql<RequestStatus>`case
  when requests.closed_at is not null then 'closed'
  when (${items} and coalesce(i.review, '') <> 'accepted') = 0 then 'accepted'
  when ${SEALED} and (${items} and ${needsChanges}) = 0 then 'submitted'
  else 'open' end`

/** Whether a file belongs to an item: it is in the folder of that name. */
const IN_FOLDER = sql`substr(e.name, 1, length(i.item_id) + 1) = i.item_id || '/'`

function views(db: Db) {
  return db
    .selectFrom('requests')
    .leftJoin('request_rounds', (join) =>
      join
        .onRef('request_rounds.request_id', '=', 'requests.request_id')
        .onRef('request_rounds.round', '=', 'requests.round'),
    )
    .leftJoin('submissions', 'submissions.submission_id', 'request_rounds.submission_id')
    .leftJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .selectAll('requests')
    .select(['request_rounds.submission_id', 'jobs.status as job_status', STATUS.as('status')])
    .select((eb) =>
      eb
        .selectFrom('request_rounds as any_round')
        .innerJoin('submissions as any_submission', 'any_submission.submission_id', 'any_round.submission_id')
        .innerJoin('jobs as any_job', 'any_job.job_id', 'any_submission.job_id')
        .select('any_job.kit_id')
        .whereRef('any_round.request_id', '=', 'requests.request_id')
        .where('any_job.status', 'in', ['ISSUED', 'EXPIRED'])
        .where('any_job.kit_id', 'is not', null)
        .orderBy('any_round.round', 'desc')
        .limit(1)
        .as('kit_id'),
    )
    .select([
      sql<number>`(${items})`.as('items'),
      sql<number>`(${items} and i.review = 'accepted')`.as('accepted'),
      sql<number>`(${items} and ${needsChanges})`.as('needs_changes'),
      sql<number>`(${items} and exists (select 1 from evidence e
        where e.submission_id = request_rounds.submission_id and ${IN_FOLDER}))`.as('received'),
    ])
}

/** The request of a workspace. One of another workspace is reported as not found. */
export async function findRequest(db: Db, workspaceId: WorkspaceId, id: string): Promise<RequestView> {
  const found = isEvidenceRequestId(id) ? await readRequest(db, id) : undefined
  if (found === undefined || found.workspace_id !== workspaceId) throw notFound()
  return found
}

export const readRequest = (db: Db, id: EvidenceRequestId): Promise<RequestView | undefined> =>
  views(db).where('requests.request_id', '=', id).executeTakeFirst()

/** Locks a request, so that changes to it come one after the other. */
export async function lockRequest(trx: Db, id: EvidenceRequestId): Promise<RequestView> {
  await trx.selectFrom('requests').select('request_id').where('request_id', '=', id).forUpdate().execute()
  const found = await readRequest(trx, id)
  if (found === undefined) throw notFound()
  return found
}

const notFound = (): Refusal =>
  new Refusal('request_not_found', 'Request not found in this workspace.', { param: 'evidence_request_id' })

export interface RequestPage {
  readonly before: number
  readonly limit: number
  readonly status?: RequestStatus | undefined
}

/** Newest first, only sequences below `before`. */
export function listRequests(
  db: Db,
  workspaceId: WorkspaceId,
  { before, limit, status }: RequestPage,
): Promise<readonly RequestView[]> {
  return views(db)
    .where('requests.workspace_id', '=', workspaceId)
    .where('requests.sequence', '<', before)
    .$if(status !== undefined, (query) => query.where(STATUS, '=', status as RequestStatus))
    .orderBy('requests.sequence', 'desc')
    .limit(limit)
    .execute()
}

export type RequestFileRow = Pick<EvidenceTable, 'position' | 'name' | 'sha256' | 'size_bytes'>

export interface RequestParts {
  readonly items: readonly RequestItemsTable[]
  readonly comments: readonly RequestCommentsTable[]
  /** Of the newest round. */
  readonly files: readonly RequestFileRow[]
  readonly rounds: readonly {
    readonly round: number
    readonly submission_id: SubmissionId
    readonly kit_id: JobsTable['kit_id']
  }[]
}

export async function readParts(db: Db, view: RequestView): Promise<RequestParts> {
  const { request_id, submission_id } = view
  return {
    items: await itemsOf(db, request_id),
    comments: await db
      .selectFrom('request_comments')
      .selectAll()
      .where('request_id', '=', request_id)
      .orderBy('number')
      .execute(),
    files:
      submission_id === null || view.job_status === 'EXPIRED'
        ? []
        : await db
            .selectFrom('evidence')
            .select(['position', 'name', 'sha256', 'size_bytes'])
            .where('submission_id', '=', submission_id)
            .orderBy('position')
            .execute(),
    rounds: await db
      .selectFrom('request_rounds')
      .innerJoin('submissions', 'submissions.submission_id', 'request_rounds.submission_id')
      .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
      .select(['request_rounds.round', 'request_rounds.submission_id', 'jobs.kit_id'])
      .where('request_rounds.request_id', '=', request_id)
      .orderBy('request_rounds.round')
      .execute(),
  }
}

export const itemsOf = (db: Db, id: EvidenceRequestId): Promise<RequestItemsTable[]> =>
  db.selectFrom('request_items').selectAll().where('request_id', '=', id).orderBy('position').execute()

/** The request that a submission answers. */
export async function requestOfSubmission(db: Db, id: SubmissionId): Promise<EvidenceRequestId | undefined> {
  const row = await db
    .selectFrom('request_rounds')
    .select('request_id')
    .where('submission_id', '=', id)
    .executeTakeFirst()
  return row?.request_id
}
