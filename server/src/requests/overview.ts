import { BOUNDARY } from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { KEY_ACCESS } from '../access/api-keys.ts'
import { isAllowed } from '../access/may-call.ts'
import type { Reader } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import type { Answer } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { timestamp } from '../runtime/clock.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Overview as OverviewSchema, type Overview } from '../submissions/submission-schemas.ts'
import {
  decodeRequests,
  type ItemStatus,
  loadRequests,
  requests,
  type RequestView,
  UNFINISHED,
} from './request.ts'

const DAY_MS = 24 * 60 * 60_000
/** The most rows of one kind. */
const MAX_LISTED = 20
/** The most requests and the most periods that are looked at. */
const MAX_REQUESTS = 100
/** The most questions that are looked at. */
const MAX_QUESTIONS = 100
/** The most kits that are counted. */
const MAX_EVIDENCE = 1000
const SINCE_DAYS = 30
const SOON_DAYS = 7
const EVIDENCE_SOON_DAYS = 30

interface OverviewOf {
  /** Of the plan. Undefined if evidence is kept indefinitely. */
  readonly retentionDays: number | undefined
  /** API keys and the name are for those who manage them. */
  readonly isOwner: boolean
  /** Whose items are listed. Undefined for API keys. */
  readonly memberId?: MemberId | undefined
}

type Waiting = Overview['waiting'][number]
type Found = Partial<Waiting> & Pick<Waiting, 'at'>

const Everything: Answer<Omit<Overview, 'boundary'>> = {
  schema: OverviewSchema,
  show: (found) => ({ ...found, boundary: BOUNDARY }),
}

export const overviewRoutes = [
  route('getOverview', 'GET /v1/overview', {
    access: { scope: 'read', role: 'viewer' },
    summary: 'Get what waits for a person',
    description:
      'Items of periods that the signed-in member owns, answers to review, items that were sent back, what is due, failed submissions, drafts with files, mail that was not sent, and what expires soon.',
    returns: Everything,
    async read(reader, { caller }) {
      const { plan, session } = workspaceOf(caller)
      const isOwner = isAllowed(caller, KEY_ACCESS)
      return overview(reader, { retentionDays: plan.retentionDays, isOwner, memberId: session?.memberId })
    },
  }),
]

/** Everything in a workspace that waits for a person. */
async function overview(reader: Reader, of: OverviewOf): Promise<Omit<Overview, 'boundary'>> {
  const queries = overviewQueries(Date.parse(reader.at), reader.workspaceId)
  const list = async (name: Exclude<keyof typeof queries, 'any' | 'mail' | 'question'>) =>
    (await queries[name].execute(reader.db)).rows.map((row) => waiting(name, row))
  const open = await openRequests(reader)
  const periods = await openPeriods(reader, of.memberId)
  const lists = [
    await list('failed'),
    (await queries.mail.execute(reader.db)).rows.map(mailRow),
    periods.flatMap(failedPeriod),
    periods.flatMap((period) => ownItems(period, of.memberId)).toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    open.flatMap((request) => requestRow(request, reader.at)),
    questionRows((await queries.question.execute(reader.db)).rows),
    await list('draft'),
    await list('share'),
    of.isOwner ? await list('key') : [],
    of.isOwner ? await list('name') : [],
    of.retentionDays === undefined ? [] : await endingEvidence(reader, of.retentionDays),
  ]
  return {
    is_empty: (await queries.any.execute(reader.db)).rows.length === 0,
    waiting: lists.flat(),
    has_more: open.length === MAX_REQUESTS || lists.some(({ length }) => length >= MAX_LISTED),
  }
}

/** How many kits end soon, and when the first does. */
async function endingEvidence(reader: Reader, retentionDays: number): Promise<readonly Waiting[]> {
  const { rows } = await evidenceQuery(Date.parse(reader.at), reader.workspaceId, retentionDays).execute(
    reader.db,
  )
  return rows.flatMap(({ at, count }) =>
    at === null ? [] : waiting('evidence', { at: daysAfter(at, retentionDays), count }),
  )
}

const daysAfter = (at: string, days: number): string => timestamp(Date.parse(at) + days * DAY_MS)

const NOTHING = {
  id: null,
  submission_id: null,
  title: '',
  count: null,
  reason: null,
  period: null,
  item_id: null,
}
const waiting = (what: Waiting['what'], row: Found): Waiting => ({ ...NOTHING, ...row, what })

/** Neither closed nor accepted, the last change first. */
const openRequests = async (reader: Reader): Promise<readonly RequestView[]> =>
  loadRequests(
    reader,
    await reader
      .own(requests)
      .where('closed_at', 'is', null)
      .where('settled', '=', false)
      .where('program_id', 'is', null)
      .orderBy('updated_at', 'desc')
      .all(MAX_REQUESTS),
  )

/** Periods that failed once, and those in which the member has something to do. */
async function openPeriods(reader: Reader, memberId: MemberId | undefined) {
  const { rows } = await sql<Parameters<typeof decodeRequests>[1][number]>`
    select * from requests where workspace_id = ${reader.workspaceId} and closed_at is null and settled = 0
      and program_id is not null and (round > 1 or request_id in
      (select request_id from request_items where owner_id = ${memberId ?? ''} and sealed_status is null))
      limit ${MAX_REQUESTS}`.execute(reader.db)
  return loadRequests(reader, decodeRequests(reader, rows))
}

/** A period that was not sealed because of its files. */
const failedPeriod = ({ status, program_id: id, title, period, rounds, updated_at }: RequestView) =>
  status === 'failed'
    ? [waiting('period_failed', { id, title, period, at: rounds.at(-2)?.changed_at ?? updated_at })]
    : []

/** Items of a period that wait for their owner. */
const ownItems = ({ program_id: id, title, period, items }: RequestView, memberId: MemberId | undefined) =>
  items
    .filter(
      ({ owner_id, status }) => owner_id === memberId && (status === 'missing' || status === 'needs_changes'),
    )
    .map(({ item_id, title: name, status, due_at, is_late }) => {
      const late = is_late ? 'item_late' : 'item'
      return waiting(status === 'needs_changes' ? 'item_sent_back' : late, {
        id,
        title: `${title}: ${item_id} ${name}`,
        at: due_at ?? '',
        period,
        item_id,
      })
    })

/** What a request waits for, the most urgent: a review, or something from the supplier. */
function requestRow(request: RequestView, now: string): readonly Waiting[] {
  const { request_id: id, title, status, updated_at: at, items, newest, handed } = request
  const count = (of: ItemStatus): number => items.filter((each) => each.status === of).length
  if (status === 'submitted') {
    const row = { id, title, at: newest?.changed_at ?? at }
    if (count('to_review') === 0) return [waiting('unanswered', { ...row, count: count('missing') })]
    const submission_id = handed?.submission_id ?? null
    return [waiting('review', { ...row, submission_id, count: count('to_review') })]
  }
  if (status !== 'open') return []
  const unfinished = items.filter((item) => UNFINISHED.has(item.status))
  const [due] = [request, ...unfinished].flatMap(({ due_at }) => due_at ?? []).toSorted()
  if (due !== undefined && due <= daysAfter(now, SOON_DAYS))
    return [waiting(due < now ? 'overdue' : 'due', { id, title, at: due })]
  const sentBack = count('needs_changes')
  return sentBack > 0 ? [waiting('sent_back', { id, title, at, count: sentBack })] : []
}

/** One row for each room, with the time of its oldest question. */
const questionRows = (questions: readonly Found[]): readonly Waiting[] =>
  [...Map.groupBy(questions, ({ id }) => id).values()].flatMap((own) =>
    own.slice(0, 1).map((oldest) => waiting('question', Object.assign(oldest, { count: own.length }))),
  )

/** `request ID ADDRESS`, `inv_ID`: what a mail is about, and to whom. */
function mailRow({ dedupe, ...mail }: Found & { readonly dedupe: string }): Waiting {
  const id = /\b(?:evr|inv)_\S+/.exec(dedupe)?.[0] ?? null
  return waiting('mail', { ...mail, id, title: /\S+@\S+$/.exec(dedupe)?.[0] ?? '' })
}

/** Each reads an index, and no more of it than it lists or counts. */
export function overviewQueries(now: number, workspaceId: WorkspaceId) {
  const inDays = (days: number): string => timestamp(now + days * DAY_MS)
  return {
    any: sql`select 1 from submissions where workspace_id = ${workspaceId} and sequence is not null limit 1`,
    // `<>` names the index, which has no creations of jobs.
    failed: sql<Found>`
      select submission_id as id, label as title, job_updated_at as at from submissions
      where workspace_id = ${workspaceId} and sequence is not null and status = 'FAIL' and job_updated_at >= ${inDays(-SINCE_DAYS)}
        and not exists (select 1 from audit_events where subject = submissions.submission_id
          and action <> 'job.created' and action = 'submission.resubmitted')
      order by job_updated_at desc limit ${MAX_LISTED}`,
    mail: sql<Found & { readonly dedupe: string }>`
      select dedupe, problem as reason, ended_at as at from mails
      where workspace_id = ${workspaceId} and state = 'failed' and ended_at >= ${inDays(-SINCE_DAYS)}
      order by ended_at desc limit ${MAX_LISTED}`,
    question: sql<Found>`
      select shares.share_id as id, shares.title, remarks.created_at as at
      from remarks join shares on shares.share_id = remarks.share_id
      where remarks.workspace_id = ${workspaceId} and remarks.state = 'open' and remarks.side = 'reviewer'
        and shares.revoked_at is null
      order by remarks.created_at limit ${MAX_QUESTIONS}`,
    // `<>` names the index, and the sum keeps SQLite from the one by size.
    draft: sql<Found>`
      select submission_id as id, label as title, updated_at as at from submissions
      where workspace_id = ${workspaceId} and sequence is not null and status = 'DRAFT' and status <> 'ISSUED' and uploaded_bytes + 0 > 0
        and not exists (select 1 from request_rounds where request_rounds.submission_id = submissions.submission_id)
      order by sequence desc limit ${MAX_LISTED}`,
    share: sql<Found>`
      select shares.share_id as id, coalesce(shares.title, scope_label) as title, shares.expires_at as at from shares
      left join share_kits on share_kits.share_id = shares.share_id and share_kits.position = 0
      left join submissions on submissions.kit_id = share_kits.kit_id
      where shares.workspace_id = ${workspaceId} and shares.revoked_at is null
        and shares.expires_at > ${inDays(0)} and shares.expires_at <= ${inDays(SOON_DAYS)}
      order by shares.expires_at limit ${MAX_LISTED}`,
    key: sql<Found>`
      select key_id as id, label as title, expires_at as at from "api_keys"
      where workspace_id = ${workspaceId} and revoked_at is null
        and expires_at > ${inDays(0)} and expires_at <= ${inDays(SOON_DAYS)}
      order by expires_at limit ${MAX_LISTED}`,
    name: sql<Found>`
      select workspace_id as id, name as title, created_at as at from workspaces
      where workspace_id = ${workspaceId} and named_by = 'service'`,
  }
}

export const evidenceQuery = (now: number, workspaceId: WorkspaceId, retentionDays: number) => sql<{
  readonly at: string | null
  readonly count: number
}>`
  select min(job_updated_at) as at, count(*) as count from (select job_updated_at from submissions
    where workspace_id = ${workspaceId} and status = 'ISSUED'
      and job_updated_at <= ${timestamp(now + (EVIDENCE_SOON_DAYS - retentionDays) * DAY_MS)}
      and not exists (select 1 from holds where holds.submission_id = submissions.submission_id)
    order by job_updated_at limit ${MAX_EVIDENCE}) as ending`
