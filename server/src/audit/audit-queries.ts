import { workspaceRow } from '../database/questions.ts'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { AuditEventsTable, Database, Db } from '../database/schema.ts'
import type { ApiKeyId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import type { AuditAction } from './event-types.ts'

interface AuditFilter {
  /** An action such as `key.created`, or the first part of one, such as `key`. */
  readonly action?: string | undefined
  /** ID of a member or an API key, or `operator`, `service`, `link` or `anonymous`. */
  readonly by?: string | undefined
  /** ID of what was changed. */
  readonly subject?: string | undefined
  /** From this time on, and before that. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

interface AuditRange extends AuditFilter {
  readonly after?: number
  readonly before?: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

/** Events of a workspace. */
export async function readEvents(
  db: Db,
  workspaceId: WorkspaceId,
  asked: AuditRange,
): Promise<readonly AuditEventsTable[]> {
  return rowsIn(db, workspaceId, await withinTimes(db, workspaceId, asked))
}

/** Rare actions of one kind are read one by one, because the index has the order of each. */
async function rowsIn(
  db: Db,
  workspaceId: WorkspaceId,
  range: AuditRange,
): Promise<readonly AuditEventsTable[]> {
  const { action, order, limit } = range
  if (range.by?.startsWith('key_') === true) return eventsBy(db, workspaceId, range)
  if (action === undefined || action.includes('.') || isFrequent(action))
    return eventsIn(db, workspaceId, range).execute()
  const rows: AuditEventsTable[] = []
  for (const each of await rareActions(db, workspaceId, action))
    rows.push(...(await eventsIn(db, workspaceId, { ...range, action: each }).execute()))
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => sign * (Number(a.sequence) - Number(b.sequence))).slice(0, limit)
}

/** How many events one statement looks through for those of an API key, which have no index. */
const EVENTS_PER_SCAN = 20_000

async function eventsBy(
  db: Db,
  workspaceId: WorkspaceId,
  range: AuditRange,
): Promise<readonly AuditEventsTable[]> {
  const { order, limit, after = 0, before = Number.MAX_SAFE_INTEGER } = range
  const { audit_events: newest } = await workspaceRow(db, workspaceId)
  const rows: AuditEventsTable[] = []
  let [first, end] = [after, Math.min(before, Number(newest) + 1)]
  while (first < end - 1 && rows.length < limit) {
    const part =
      order === 'asc'
        ? { after: first, before: Math.min(end, first + EVENTS_PER_SCAN + 1) }
        : { after: Math.max(first, end - EVENTS_PER_SCAN - 1), before: end }
    rows.push(
      ...(await eventsIn(db, workspaceId, { ...range, ...part, limit: limit - rows.length }).execute()),
    )
    if (order === 'asc') first = part.before - 1
    else end = part.after + 1
  }
  return rows
}

/** The actions of a kind that this workspace has. The index is read once for each. */
async function rareActions(db: Db, workspaceId: WorkspaceId, kind: string): Promise<readonly string[]> {
  const least = db
    .selectFrom('audit_events')
    .select(({ fn }) => fn.min('audit_events.action').as('action'))
    .where('audit_events.workspace_id', '=', workspaceId)
    .where('audit_events.action', '<', `${kind}/` as AuditAction)
    .where(({ and, eb }) => and(FREQUENT_ACTIONS.map((each) => eb('action', '<>', sql.lit(each)))))
  const { rows } = await sql<{ action: string }>`
    with recursive names(action) as (
      select ${least.where('audit_events.action', '>=', `${kind}.` as AuditAction)}
      union all
      select ${least.where(sql<SqlBool>`audit_events.action > names.action`)}
      from names where names.action is not null)
    select action from names where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

/** Nodes differ by less than this. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

/** The numbers between which the times lie, because there is no index of times. */
async function withinTimes(db: Db, workspaceId: WorkspaceId, range: AuditRange): Promise<AuditRange> {
  const { since, until, after = 0, before = Number.MAX_SAFE_INTEGER } = range
  const near = (time: string, byMs: number): Promise<number | undefined> =>
    findFirstAt(db, workspaceId, new Date(Date.parse(time) + byMs).toISOString())
  const first = since === undefined ? undefined : await near(since, -CLOCK_SKEW_MS)
  const end = until === undefined ? undefined : await near(until, CLOCK_SKEW_MS)
  return {
    ...range,
    ...(first === undefined ? {} : { after: Math.max(after, first - 1) }),
    ...(end === undefined ? {} : { before: Math.min(before, end) }),
  }
}

/** Timestamps are stored as text of fixed width. */
const asStored = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString()

function eventsIn(db: Db, workspaceId: WorkspaceId, { after, before, order, limit, ...filter }: AuditRange) {
  let events = db.selectFrom('audit_events').selectAll().where('workspace_id', '=', workspaceId)
  if (after !== undefined) events = events.where('sequence', '>', after)
  if (before !== undefined) events = events.where('sequence', '<', before)
  const { action, by, subject } = filter
  const [since, until] = [filter.since, filter.until].map(asStored)
  if (action !== undefined && !isFrequent(action))
    for (const each of FREQUENT_ACTIONS) events = events.where('action', '<>', sql.lit(each))
  if (action !== undefined)
    events = action.includes('.')
      ? events.where('action', '=', action)
      : // '/' is the character after '.'.
        events.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
  if (by !== undefined) events = events.where((eb) => isBy(eb, by))
  if (subject !== undefined) events = events.where('subject', '=', subject)
  // Its index has no creations of jobs.
  if (subject !== undefined && !subject.startsWith('job_'))
    events = events.where('action', '<>', sql.lit<AuditAction>('job.created'))
  if (since !== undefined) events = events.where('at', '>=', since)
  if (until !== undefined) events = events.where('at', '<', until)
  return events.orderBy('sequence', order).limit(limit)
}

/** What most submissions and jobs add. The index of actions has the others, and is used if a query names these. */
const FREQUENT_ACTIONS = [
  'job.created',
  'job.issued',
  'submission.created',
  'evidence.received',
  'submission.sealed',
  'submission.passed',
] as const satisfies readonly AuditAction[]

const isFrequent = (asked: string): boolean =>
  FREQUENT_ACTIONS.some((action) => action === asked || action.startsWith(`${asked}.`))

/** The index of actors has those that are neither a key, the service nor a member. Members have their own. */
function isBy(eb: ExpressionBuilder<Database, 'audit_events'>, by: string): Expression<SqlBool> {
  if (by === 'service') return eb('actor', '=', by)
  if (/^(operator|link|anonymous)$/.test(by))
    return eb.and([
      eb('actor', '=', by as AuditEventsTable['actor']),
      ...(['key', 'service', 'member'] as const).map((actor) => eb('actor', '<>', sql.lit(actor))),
    ])
  return by.startsWith('mem_') ? eb('member_id', '=', by as MemberId) : eb('key_id', '=', by as ApiKeyId)
}

/**
 * The number of the first audit event of a workspace at this time or later, by binary search: the numbers have no gaps, and the
 * times ascend but for the differences between nodes. Undefined if it cannot be told.
 */
async function findFirstAt(db: Db, workspaceId: WorkspaceId, time: string): Promise<number | undefined> {
  const middle = sql`(search.low + search.high) / 2`
  const { rows } = await sql<{ high: number | string }>`
    with recursive search(low, high) as (
      select cast(0 as bigint), audit_events + 1 from workspaces where workspace_id = ${workspaceId}
      union all
      select case when numbered.at < ${time} then ${middle} else search.low end,
        case when numbered.at < ${time} then search.high else ${middle} end
      from search join audit_events as numbered
        on numbered.workspace_id = ${workspaceId} and numbered.sequence = ${middle}
      where search.high - search.low > 1)
    select high from search where high - low = 1`.execute(db)
  const [found] = rows
  return found === undefined ? undefined : Number(found.high)
}
