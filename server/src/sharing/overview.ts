import { sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { type ItemStatus, UNFINISHED } from '../database/request-schema.ts'
import type { Overview } from '../submissions/summary-schemas.ts'
import { periodRows } from './overview-periods.ts'
import { itemStatuses, type RequestView, unsettledRequests } from './request-queries.ts'

const DAY_MS = 24 * 60 * 60_000
/** The most rows of one kind. */
const MAX_LISTED = 20
/** The most requests that are looked at. */
const MAX_REQUESTS = 100
/** The most questions that are looked at. */
const MAX_QUESTIONS = 100
/** The most kits that are counted. */
const MAX_EVIDENCE = 1000
const SINCE_DAYS = 30
const SOON_DAYS = 7
const EVIDENCE_SOON_DAYS = 30

export interface OverviewOf {
  readonly workspaceId: WorkspaceId
  /** Of the plan. Undefined if evidence is kept indefinitely. */
  readonly retentionDays: number | undefined
  /** API keys and the name are for those who manage them. */
  readonly isOwner: boolean
  /** Whose items are listed. Undefined for API keys. */
  readonly memberId?: MemberId | undefined
}

type Waiting = Overview['waiting'][number]

/** Everything in a workspace that waits for a person. */
export async function overview(db: Db, clock: Clock, of: OverviewOf): Promise<Omit<Overview, 'boundary'>> {
  const now = clock.now()
  const queries = overviewQueries(db, now, of)
  const requests = await queries.requests.execute()
  const evidence = (await queries.evidence?.execute()) ?? []
  const lists = [
    (await queries.failed.execute()).map((row) => waiting('failed', row)),
    (await queries.mails.execute()).map(mailRow),
    await periodRows(db, now, of.workspaceId, of.memberId),
    await requestRows(db, requests, timestamp(now), timestamp(now + SOON_DAYS * DAY_MS)),
    questionRows(await queries.questions.execute()),
    (await queries.drafts.execute()).map((row) => waiting('draft', row)),
    (await queries.shares.execute()).map((row) => waiting('share', row)),
    of.isOwner ? (await queries.keys.execute()).map((row) => waiting('key', row)) : [],
    of.isOwner ? (await queries.names.execute()).map((row) => waiting('name', row)) : [],
  ]
  if (evidence[0] !== undefined && of.retentionDays !== undefined) {
    const at = timestamp(Date.parse(evidence[0].updated_at) + of.retentionDays * DAY_MS)
    lists.push([{ ...waiting('evidence', { id: null, title: '', at }), count: evidence.length }])
  }
  return {
    is_empty: (await queries.any.executeTakeFirst()) === undefined,
    waiting: lists.flat(),
    has_more: requests.length === MAX_REQUESTS || lists.some(({ length }) => length >= MAX_LISTED),
  }
}

const waiting = (
  what: Waiting['what'],
  { id, title, at }: Pick<Waiting, 'id' | 'title' | 'at'>,
): Waiting => ({
  what,
  id,
  submission_id: null,
  title,
  at,
  count: null,
  reason: null,
  period: null,
  item_id: null,
})

/** What a request waits for: a review, or something from the supplier. One row each, the most urgent one. */
async function requestRows(
  db: Db,
  requests: readonly RequestView[],
  now: string,
  soon: string,
): Promise<readonly Waiting[]> {
  const ids = requests.map(({ request_id }) => request_id)
  const statuses = await itemStatuses(db, ids)
  return requests.flatMap(({ request_id: id, title, status, updated_at, ...view }) => {
    const items = statuses.get(id) ?? []
    const count = (of: ItemStatus): number => items.filter((each) => each.status === of).length
    const row = { id, title, at: updated_at }
    if (status === 'submitted') {
      const at = view.job_updated_at ?? updated_at
      if (count('to_review') === 0)
        return { ...waiting('unanswered', { ...row, at }), count: count('missing') }
      return {
        ...waiting('review', { ...row, at }),
        submission_id: view.handed_submission_id,
        count: count('to_review'),
      }
    }
    if (status !== 'open') return []
    const dates = [view, ...items.filter((item) => UNFINISHED.has(item.status))].map(({ due_at }) => due_at)
    const [due] = dates.filter((at) => at !== null).toSorted()
    if (due !== undefined && due <= soon) return waiting(due < now ? 'overdue' : 'due', { ...row, at: due })
    return count('needs_changes') > 0 ? { ...waiting('sent_back', row), count: count('needs_changes') } : []
  })
}

interface OpenQuestion {
  readonly id: string
  readonly title: string | null
  readonly at: string
}

/** One row for each room, with the time of its oldest question. */
const questionRows = (questions: readonly OpenQuestion[]): readonly Waiting[] =>
  [...Map.groupBy(questions, ({ id }) => id)].map(([id, [first, ...more]]) => {
    const row = waiting('question', { id, title: first?.title ?? '', at: first?.at ?? '' })
    return Object.assign(row, { count: more.length + 1 })
  })

/** `request ID ADDRESS`, `inv_ID`: what a mail is about, and to whom. */
function mailRow({
  dedupe,
  problem,
  at,
}: {
  dedupe: string
  problem: string | null
  at: string | null
}): Waiting {
  const id = /\b(?:evr|inv)_\S+/.exec(dedupe)?.[0] ?? null
  const title = /\S+@\S+$/.exec(dedupe)?.[0] ?? ''
  return { ...waiting('mail', { id, title, at: at ?? '' }), reason: problem }
}

/** Each reads an index, and no more of it than it lists or counts. */
export function overviewQueries(db: Db, now: number, { workspaceId, retentionDays }: OverviewOf) {
  const inDays = (days: number): string => timestamp(now + days * DAY_MS)
  return {
    any: db
      .selectFrom('submissions')
      .select('sequence')
      .where('workspace_id', '=', workspaceId)
      .where('sequence', 'is not', null)
      .limit(1),
    failed: db
      .selectFrom('submissions')
      .where('submissions.sequence', 'is not', null)
      .select([
        'submissions.submission_id as id',
        'submissions.label as title',
        'submissions.job_updated_at as at',
      ])
      .where('submissions.workspace_id', '=', workspaceId)
      .where('submissions.status', '=', 'FAIL')
      .where('submissions.job_updated_at', '>=', inDays(-SINCE_DAYS))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('audit_events')
              .select('audit_events.sequence')
              .whereRef('audit_events.subject', '=', 'submissions.submission_id')
              // Names the index, which has no creations of jobs.
              .where('audit_events.action', '<>', sql.lit('job.created'))
              .where('audit_events.action', '=', 'submission.resubmitted'),
          ),
        ),
      )
      .orderBy('submissions.job_updated_at', 'desc')
      .limit(MAX_LISTED),
    requests: unsettledRequests(db, workspaceId).limit(MAX_REQUESTS),
    mails: db
      .selectFrom('mails')
      .select(['dedupe', 'problem', 'ended_at as at'])
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'failed')
      .where('ended_at', '>=', inDays(-SINCE_DAYS))
      .orderBy('ended_at', 'desc')
      .limit(MAX_LISTED),
    drafts: db
      .selectFrom('submissions')
      .where('submissions.sequence', 'is not', null)
      .select([
        'submissions.submission_id as id',
        'submissions.label as title',
        'submissions.updated_at as at',
      ])
      .where('submissions.workspace_id', '=', workspaceId)
      .where('submissions.status', '=', 'DRAFT')
      // Names the index.
      .where('submissions.status', '<>', 'ISSUED')
      // The sum keeps SQLite from the index by size.
      .where(sql<number>`submissions.uploaded_bytes + 0`, '>', 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('request_rounds')
              .select('round')
              .whereRef('request_rounds.submission_id', '=', 'submissions.submission_id'),
          ),
        ),
      )
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('program_periods')
              .select('number')
              .whereRef('program_periods.submission_id', '=', 'submissions.submission_id'),
          ),
        ),
      )
      .orderBy('submissions.sequence', 'desc')
      .limit(MAX_LISTED),
    names: db
      .selectFrom('workspaces')
      .select(['workspace_id as id', 'name as title', 'created_at as at'])
      .where('workspace_id', '=', workspaceId)
      .where('named_by', '=', 'service'),
    shares: db
      .selectFrom('shares')
      .leftJoin('share_kits', (join) =>
        join.onRef('share_kits.share_id', '=', 'shares.share_id').on('share_kits.position', '=', 0),
      )
      .leftJoin('submissions', 'submissions.kit_id', 'share_kits.kit_id')
      .select(['shares.share_id as id', 'shares.expires_at as at'])
      .select(({ fn }) => fn.coalesce('shares.title', 'submissions.scope_label').as('title'))
      .$narrowType<{ title: string }>()
      .where('shares.workspace_id', '=', workspaceId)
      .where('shares.revoked_at', 'is', null)
      .where('shares.expires_at', '>', inDays(0))
      .where('shares.expires_at', '<=', inDays(SOON_DAYS))
      .orderBy('shares.expires_at')
      .limit(MAX_LISTED),
    questions: db
      .selectFrom('remarks')
      .innerJoin('shares', 'shares.share_id', 'remarks.share_id')
      .select(['shares.share_id as id', 'shares.title', 'remarks.created_at as at'])
      .where('remarks.workspace_id', '=', workspaceId)
      .where('remarks.state', '=', sql.lit('open'))
      .where('remarks.side', '=', 'reviewer')
      .where('shares.revoked_at', 'is', null)
      .orderBy('remarks.created_at')
      .limit(MAX_QUESTIONS),
    keys: db
      .selectFrom('api_keys')
      .select(['key_id as id', 'label as title', 'expires_at as at'])
      .$narrowType<{ at: string }>()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', inDays(0))
      .where('expires_at', '<=', inDays(SOON_DAYS))
      .orderBy('expires_at')
      .limit(MAX_LISTED),
    evidence:
      retentionDays === undefined
        ? undefined
        : db
            .selectFrom('submissions')
            .select('job_updated_at as updated_at')
            .where('workspace_id', '=', workspaceId)
            .where('status', '=', 'ISSUED')
            .where('job_updated_at', '<=', inDays(EVIDENCE_SOON_DAYS - retentionDays))
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('holds')
                    .select('holds.reason')
                    .whereRef('holds.submission_id', '=', 'submissions.submission_id'),
                ),
              ),
            )
            .orderBy('job_updated_at')
            .limit(MAX_EVIDENCE),
  }
}
