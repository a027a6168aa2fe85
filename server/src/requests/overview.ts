import { BOUNDARY } from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { KEY_ACCESS } from '../access/key-routes.ts'
import { isAllowed } from '../access/may-call.ts'
import type { Db } from '../database/schema.ts'
import type { Reader } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import type { Answer } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { timestamp } from '../runtime/clock.ts'
import type { EvidenceRequestId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Overview as OverviewSchema, type Overview } from '../submissions/submission-schemas.ts'
import { decodeRequests, type ItemStatus, loadRequests, type RequestView, UNFINISHED } from './request.ts'

const DAY_MS = 24 * 60 * 60_000
/** The most rows of one kind. */
const MAX_LISTED = 20
/** The most requests that are looked at. */
const MAX_REQUESTS = 100
/** The most items of an owner that are looked at. */
const MAX_ITEMS = 200
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
      const { workspaceId, plan, session } = workspaceOf(caller)
      const isOwner = isAllowed(caller, KEY_ACCESS)
      const of = { workspaceId, retentionDays: plan.retentionDays, isOwner, memberId: session?.memberId }
      return overview(reader, of)
    },
  }),
]

/** Everything in a workspace that waits for a person. */
async function overview(reader: Reader, of: OverviewOf): Promise<Omit<Overview, 'boundary'>> {
  const now = Date.parse(reader.at)
  const queries = overviewQueries(reader.db, now, of)
  const requests = await loadRequests(reader, decodeRequests(reader, await queries.requests.execute()))
  const evidence = (await queries.evidence?.execute()) ?? []
  const owned = (await queries.items?.execute()) ?? []
  const lists = [
    (await queries.failed.execute()).map((row) => waiting('failed', row)),
    (await queries.mails.execute()).map(mailRow),
    failedPeriods(await loadRequests(reader, decodeRequests(reader, await queries.failedPeriods.execute()))),
    await ownItems(reader, owned, of.memberId),
    requestRows(requests, reader.at, timestamp(now + SOON_DAYS * DAY_MS)),
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

/** Periods that were not sealed because of their files. */
const failedPeriods = (periods: readonly RequestView[]): readonly Waiting[] =>
  periods.flatMap(({ status, program_id: id, title, period, rounds, updated_at }) =>
    status === 'failed'
      ? [{ ...waiting('period_failed', { id, title, at: rounds.at(-2)?.changed_at ?? updated_at }), period }]
      : [],
  )

/** Items of open periods that wait for their owner, the next due first. */
async function ownItems(
  reader: Reader,
  owned: readonly { readonly request_id: EvidenceRequestId }[],
  memberId: MemberId | undefined,
): Promise<readonly Waiting[]> {
  const ids = [...new Set(owned.map(({ request_id }) => request_id))]
  if (ids.length === 0) return []
  const rows = await reader.db.selectFrom('requests').selectAll().where('request_id', 'in', ids).execute()
  const periods = await loadRequests(reader, decodeRequests(reader, rows))
  const items = periods.flatMap(({ program_id: id, title, period, items: all }) =>
    all
      .filter(
        ({ owner_id, status }) =>
          owner_id === memberId && (status === 'missing' || status === 'needs_changes'),
      )
      .map(({ item_id, title: name, status, due_at, is_late }) => {
        const at = due_at ?? ''
        const what = status === 'needs_changes' ? 'item_sent_back' : is_late ? 'item_late' : 'item'
        const row = waiting(what, { id, title: `${title}: ${item_id} ${name}`, at })
        return Object.assign(row, { period, item_id })
      }),
  )
  return items.toSorted((a, b) => (a.at < b.at ? -1 : 1))
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
const requestRows = (requests: readonly RequestView[], now: string, soon: string): readonly Waiting[] =>
  requests.flatMap(({ request_id: id, title, status, updated_at, items, newest, handed, due_at }) => {
    const count = (of: ItemStatus): number => items.filter((each) => each.status === of).length
    const row = { id, title, at: updated_at }
    if (status === 'submitted') {
      const at = newest?.changed_at ?? updated_at
      if (count('to_review') === 0)
        return { ...waiting('unanswered', { ...row, at }), count: count('missing') }
      return {
        ...waiting('review', { ...row, at }),
        submission_id: handed?.submission_id ?? null,
        count: count('to_review'),
      }
    }
    if (status !== 'open') return []
    const dates = [due_at, ...items.filter((item) => UNFINISHED.has(item.status)).map((item) => item.due_at)]
    const [due] = dates.filter((at) => at !== null).toSorted()
    if (due !== undefined && due <= soon) return waiting(due < now ? 'overdue' : 'due', { ...row, at: due })
    return count('needs_changes') > 0 ? { ...waiting('sent_back', row), count: count('needs_changes') } : []
  })

/** One row for each room, with the time of its oldest question. */
const questionRows = (
  questions: readonly { readonly id: string; readonly title: string | null; readonly at: string }[],
): readonly Waiting[] =>
  [...Map.groupBy(questions, ({ id }) => id)].map(([id, [first, ...more]]) => {
    const row = waiting('question', { id, title: first?.title ?? '', at: first?.at ?? '' })
    return Object.assign(row, { count: more.length + 1 })
  })

/** `request ID ADDRESS`, `inv_ID`: what a mail is about, and to whom. */
function mailRow(mail: { dedupe: string; problem: string | null; at: string | null }): Waiting {
  const { dedupe, problem, at } = mail
  const id = /\b(?:evr|inv)_\S+/.exec(dedupe)?.[0] ?? null
  const title = /\S+@\S+$/.exec(dedupe)?.[0] ?? ''
  return { ...waiting('mail', { id, title, at: at ?? '' }), reason: problem }
}

const unsettled = (db: Db, workspaceId: WorkspaceId) =>
  db
    .selectFrom('requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('closed_at', 'is', null)
    .where('settled', '=', 0)

/** Each reads an index, and no more of it than it lists or counts. */
export function overviewQueries(db: Db, now: number, { workspaceId, retentionDays, memberId }: OverviewOf) {
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
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('audit_events')
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
    /** Neither closed nor accepted, the last change first. */
    requests: unsettled(db, workspaceId)
      .where('program_id', 'is', null)
      .orderBy('updated_at', 'desc')
      .limit(MAX_REQUESTS),
    failedPeriods: unsettled(db, workspaceId)
      .where('program_id', 'is not', null)
      .where('round', '>', 1)
      .limit(MAX_REQUESTS),
    items:
      memberId === undefined
        ? undefined
        : db
            .selectFrom('request_items')
            .select('request_id')
            .where('owner_id', '=', memberId)
            .where('sealed_status', 'is', null)
            .orderBy('due_at')
            .limit(MAX_ITEMS),
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
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('request_rounds')
              .select('round')
              .whereRef('request_rounds.submission_id', '=', 'submissions.submission_id'),
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
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('holds')
                    .select('holds.reason')
                    .whereRef('holds.submission_id', '=', 'submissions.submission_id'),
                ),
              ),
            )
            .orderBy('job_updated_at')
            .limit(MAX_EVIDENCE),
  }
}
