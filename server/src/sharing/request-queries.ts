import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type {
  ItemStatus,
  RequestCommentsTable,
  RequestItemsTable,
  RequestsTable,
} from '../database/request-schema.ts'
import type { Db, EvidenceTable, SubmissionsTable, JobStatus } from '../database/schema.ts'
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
  readonly job_updated_at: string | null
  /** The newest round that was submitted, and its submission. */
  readonly handed_round: number | null
  readonly handed_submission_id: SubmissionId | null
  /** The newest kit of any round. */
  readonly kit_id: SubmissionsTable['kit_id']
}

/** An item with its status. */
export interface ItemRow extends RequestItemsTable {
  readonly status: ItemStatus
  /** 1 if the newest submitted round has a file for it. */
  readonly has_files: number
  /** 0 until a round was submitted. */
  readonly handed_round: number
}

/** Whether a file belongs to an item: it is in the folder of that name. */
const IN_FOLDER = sql`substr(e.name, 1, length(i.item_id) + 1) = i.item_id || '/'`
const NEWEST = sql.ref('request_rounds.submission_id')
const HANDED = sql.ref('handed.submission_id')
const HANDED_ROUND = sql`coalesce(handed.round, 0)`
const REVIEWED = sql`(select r.submission_id from request_rounds r
  where r.request_id = i.request_id and r.round = i.review_round)`

const hasFiles = (submission: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from evidence e where e.submission_id = ${submission} and ${IN_FOLDER})`

/** Whether an item has a file in one submission that it does not have in the other. */
const hasMore = (one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from evidence e where e.submission_id = ${one} and ${IN_FOLDER}
    and not exists (select 1 from evidence o
      where o.submission_id = ${other} and o.name = e.name and o.sha256 = e.sha256))`

/**
 * The one place that says what the status of an item is. A review is about the files of its round: it ends when other files
 * are submitted, and an item that was sent back is to review again when the next round is submitted.
 */
const ITEM_STATUS = sql<ItemStatus>`case
  when i.review = 'needs_changes' and i.review_round >= ${HANDED_ROUND} then 'needs_changes'
  when i.review in ('accepted', 'not_applicable') and (i.review_round >= ${HANDED_ROUND}
    or not (${hasMore(HANDED, REVIEWED)} or ${hasMore(REVIEWED, HANDED)})) then i.review
  when ${hasFiles(HANDED)} or i.answered_round <= ${HANDED_ROUND} then 'to_review'
  when (submissions.status <> 'EXPIRED' and ${hasFiles(NEWEST)}) or i.not_applicable is not null then 'collected'
  else 'missing' end`

const itemsWith = (statuses: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from request_items i where i.request_id = requests.request_id and ${ITEM_STATUS} ${statuses})`

/** Derived from the reviews and the jobs of the rounds, so that they cannot disagree. */
const STATUS: RawBuilder<RequestStatus> = sql<RequestStatus>`case
  when requests.closed_at is not null then 'closed'
  when not ${itemsWith(sql`not in ('accepted', 'not_applicable')`)} then 'accepted'
  when handed.round is not null and not ${itemsWith(sql`= 'needs_changes'`)} then 'submitted'
  else 'open' end`

/** Requests with their newest round, and the newest one that was submitted. */
const rounds = (db: Db) =>
  db
    .selectFrom('requests')
    .leftJoin('request_rounds', (join) =>
      join
        .onRef('request_rounds.request_id', '=', 'requests.request_id')
        .onRef('request_rounds.round', '=', 'requests.round'),
    )
    .leftJoin('submissions', 'submissions.submission_id', 'request_rounds.submission_id')
    .leftJoin('request_rounds as handed', (join) =>
      join.onRef('handed.request_id', '=', 'requests.request_id').on('handed.round', '=', (eb) =>
        eb
          .selectFrom('request_rounds as r')
          .innerJoin('submissions as j', 'j.submission_id', 'r.submission_id')
          .select(({ fn }) => fn.max<number>('r.round').as('round'))
          .whereRef('r.request_id', '=', 'requests.request_id')
          .where(wasHandedOver),
      ),
    )

/** A draft expires without a kit. */
const wasHandedOver = sql<SqlBool>`(j.status in ('SUBMITTED', 'PASS', 'ISSUED') or (j.status = 'EXPIRED' and j.kit_id is not null))`

const views = (db: Db) =>
  rounds(db)
    .selectAll('requests')
    .select([
      'request_rounds.submission_id',
      'submissions.status as job_status',
      'submissions.job_updated_at',
      'handed.round as handed_round',
      'handed.submission_id as handed_submission_id',
      STATUS.as('status'),
    ])
    .select((eb) =>
      eb
        .selectFrom('request_rounds as any_round')
        .innerJoin('submissions as any_job', 'any_job.submission_id', 'any_round.submission_id')
        .select('any_job.kit_id')
        .whereRef('any_round.request_id', '=', 'requests.request_id')
        .where('any_job.status', 'in', ['ISSUED', 'EXPIRED'])
        .where('any_job.kit_id', 'is not', null)
        .orderBy('any_round.round', 'desc')
        .limit(1)
        .as('kit_id'),
    )

/** Those that wait for the supplier. */
export const openRequests = (db: Db) =>
  rounds(db).select('requests.request_id').where('requests.closed_at', 'is', null).where(STATUS, '=', 'open')

/** Neither closed nor accepted, the last change first. */
export const unsettledRequests = (db: Db, workspaceId: WorkspaceId) =>
  views(db)
    .where('requests.workspace_id', '=', workspaceId)
    .where('requests.closed_at', 'is', null)
    .where('requests.settled', '=', 0)
    .orderBy('requests.updated_at', 'desc')

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
  readonly items: readonly ItemRow[]
  readonly comments: readonly RequestCommentsTable[]
  /** Of the newest round. */
  readonly files: readonly RequestFileRow[]
  /** Of the newest round that was submitted, and of the submitted one before a round. */
  readonly handed: readonly RequestFileRow[]
  readonly before: { readonly newest: readonly RequestFileRow[]; readonly handed: readonly RequestFileRow[] }
  readonly rounds: readonly {
    readonly round: number
    readonly submission_id: SubmissionId
    readonly kit_id: SubmissionsTable['kit_id']
    readonly sender: string | null
  }[]
}

export async function readParts(db: Db, view: RequestView): Promise<RequestParts> {
  const { request_id, submission_id, handed_submission_id, handed_round } = view
  const isDraftOver = view.job_status === 'EXPIRED' && submission_id !== handed_submission_id
  const files = isDraftOver ? [] : await filesOf(db, submission_id)
  const handed = submission_id === handed_submission_id ? files : await filesOf(db, handed_submission_id)
  const all = await db
    .selectFrom('request_rounds')
    .innerJoin('submissions as j', 'j.submission_id', 'request_rounds.submission_id')
    .select(['request_rounds.round', 'request_rounds.submission_id', 'request_rounds.sender', 'j.kit_id'])
    .select(sql<number>`case when ${wasHandedOver} then 1 else 0 end`.as('was_handed'))
    .where('request_rounds.request_id', '=', request_id)
    .orderBy('request_rounds.round')
    .execute()
  const earlier = all.findLast((each) => each.was_handed === 1 && each.round < (handed_round ?? 0))
  const beforeHanded = await filesOf(db, earlier?.submission_id ?? null)
  return {
    items: await itemsOf(db, request_id),
    comments: await db
      .selectFrom('request_comments')
      .selectAll()
      .where('request_id', '=', request_id)
      .orderBy('number')
      .execute(),
    files,
    handed,
    before: { newest: view.round === handed_round ? beforeHanded : handed, handed: beforeHanded },
    rounds: all,
  }
}

const filesOf = async (db: Db, id: SubmissionId | null): Promise<readonly RequestFileRow[]> =>
  id === null
    ? []
    : db
        .selectFrom('evidence')
        .select(['position', 'name', 'sha256', 'size_bytes'])
        .where('submission_id', '=', id)
        .orderBy('position')
        .execute()

export async function itemsOf(db: Db, id: EvidenceRequestId): Promise<readonly ItemRow[]> {
  const items = await rounds(db)
    .innerJoin('request_items as i', 'i.request_id', 'requests.request_id')
    .selectAll('i')
    .select([
      ITEM_STATUS.as('status'),
      sql<number>`case when ${hasFiles(HANDED)} then 1 else 0 end`.as('has_files'),
      sql<number>`${HANDED_ROUND}`.as('handed_round'),
    ])
    .where('requests.request_id', '=', id)
    .execute()
  return items.toSorted((a, b) => a.position - b.position)
}

/** The status of every item, and when it is due, by request. */
export async function itemStatuses(
  db: Db,
  ids: readonly EvidenceRequestId[],
): Promise<ReadonlyMap<string, readonly { readonly status: ItemStatus; readonly due_at: string | null }[]>> {
  if (ids.length === 0) return new Map()
  const rows = await rounds(db)
    .innerJoin('request_items as i', 'i.request_id', 'requests.request_id')
    .select(['requests.request_id', 'i.due_at', ITEM_STATUS.as('status')])
    .where('requests.request_id', 'in', ids)
    .execute()
  return Map.groupBy(rows, ({ request_id }) => request_id as string)
}

/** What was said about each item, by request and item. */
export async function itemAnswers(
  db: Db,
  ids: readonly EvidenceRequestId[],
): Promise<ReadonlyMap<string, { readonly status: ItemStatus; readonly reason: string | null }>> {
  if (ids.length === 0) return new Map()
  const rows = await rounds(db)
    .innerJoin('request_items as i', 'i.request_id', 'requests.request_id')
    .select(['i.request_id', 'i.item_id', 'i.reason', 'i.not_applicable', ITEM_STATUS.as('status')])
    .where('requests.request_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ request_id, item_id, status, reason, not_applicable }) => [
      `${request_id} ${item_id}`,
      { status, reason: reason ?? not_applicable },
    ]),
  )
}

/** The files that were submitted for requests. */
export const requestFiles = async (db: Db, ids: readonly EvidenceRequestId[]) =>
  ids.length === 0
    ? []
    : rounds(db)
        .innerJoin('evidence as e', 'e.submission_id', 'handed.submission_id')
        .select([
          'requests.request_id',
          'e.submission_id',
          'e.position',
          'e.name',
          'e.sha256',
          'e.size_bytes',
        ])
        .where('requests.request_id', 'in', ids)
        .execute()

/** The request that a submission answers. */
export async function requestOfSubmission(db: Db, id: SubmissionId): Promise<EvidenceRequestId | undefined> {
  const row = await db
    .selectFrom('request_rounds')
    .select('request_id')
    .where('submission_id', '=', id)
    .executeTakeFirst()
  return row?.request_id
}
