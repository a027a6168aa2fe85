import { workspaceRow } from '../database/questions.ts'
import { type Static, type TObject, Type } from 'typebox'
import { answer } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import {
  checkCursor,
  cursorOf,
  ListOf,
  listResponse,
  pageOf,
  PageQuery,
  readCursor,
} from '../http/page-query.ts'
import {
  DateTime,
  NullableString,
  Sha256,
  OneOf,
  ref,
  DateOrTime,
  OptionalOrNull,
} from '../http/schema-parts.ts'
import { cutPage } from '../database/unit.ts'
import { Readable } from 'node:stream'
import { auditLine } from '@kitseal/kit/internal'
import { exportedEvent } from '../database/audit-chain.ts'
import type { AuditEventsTable, Db, SubmissionsTable } from '../database/schema.ts'
import { workspaceOf } from '../http/caller.ts'
import { problem, type ExtraCheck } from '../http/validate-request.ts'
import type { WorkspaceId, ApiKeyId, LinkId, MemberId } from '../runtime/identifiers.ts'
import { type AuditHeadContext, currentHead } from './audit-heads.ts'
import { sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'

export const EVENT_ACTOR = OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous'])
const AUDIT_EVENT = {
  seq: Type.Integer({ minimum: 1 }),
  prev: Sha256('`hash` of the event before. The first event has the audit tag of the workspace.'),
  hash: Sha256('Of this event and, through `prev`, of all before it.'),
  at: DateTime(),
  actor: EVENT_ACTOR,
  key_id: NullableString('The API key, if one was used.'),
  member_id: NullableString('The member, if it was done in the console.'),
  action: Type.String(),
  subject: Type.String({ description: 'ID of what was changed or downloaded.' }),
  details: Type.Record(Type.String(), Type.Unknown()),
}

const AuditTrail = answer(
  'AuditTrail',
  'The audit log of a workspace: who changed or downloaded what, and when.',
  {
    workspace_id: Type.String(),
    ...ListOf(
      Type.Object({
        ...AUDIT_EVENT,
        by: Type.Optional(
          NullableString('With `names`: the email address of the member, or the label of the key.'),
        ),
        subject_name: Type.Optional(NullableString('With `names`: of a member or an API key.')),
        submission: OptionalOrNull(
          Type.Object({ submission_id: Type.String(), label: Type.String() }),
          'With `names`: the submission that the event belongs to.',
        ),
      }),
      'Newest first, or with `after` oldest first. Append-only, without gaps in `seq`.',
    ),
  },
  ({ workspaceId, rows, next, names }: Trail) => ({
    workspace_id: workspaceId,
    ...listResponse(
      rows.map((row) => ({ ...exportedEvent(row), ...names(row) })),
      next,
    ),
  }),
)

interface Trail {
  readonly workspaceId: WorkspaceId
  readonly rows: readonly AuditEventsTable[]
  readonly next: string | null
  names(row: AuditEventsTable): object
}

const AuditHead = answer(
  'AuditHead',
  'The state of an audit log, with the proof that it is in the transparency log.',
  {
    audit_version: Type.Literal('kitseal-audit-1'),
    audit_tag: Sha256('Identifies the audit log in the transparency log without naming the workspace.'),
    count: Type.Integer({ minimum: 1, description: '`seq` of the newest event.' }),
    head: Sha256('`hash` of the newest event.'),
    log_proof: Type.String({ description: 'A tlog-proof (C2SP) of the leaf with these members.' }),
  },
  (head: Awaited<ReturnType<typeof currentHead>>) => head,
)

interface Person {
  readonly id: MemberId | ApiKeyId
  readonly name: string
  readonly is: 'member' | 'key'
}

const PersonList = answer(
  'PersonList',
  'The members and API keys of a workspace, also those that are removed or revoked.',
  ListOf(Type.Object({ id: Type.String(), name: Type.String(), is: OneOf(['member', 'key']) })),
  (people: readonly Person[]) => listResponse(people),
)

const JSONL = 'application/jsonl'
const MAX_EVENTS = 1000

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

const AUDIT_FILTERS = {
  action: Text('Only this action, such as `key.created`, or this kind, such as `key`.'),
  by: Text(
    'Only events by this member or API key (its ID), or by `operator`, `service`, `link` or `anonymous`.',
  ),
  subject: Text('Only events about this ID.'),
  since: Type.Optional(DateOrTime('Only events from this time on.')),
  until: Type.Optional(DateOrTime('Only events before this time.')),
}

const QUERY = {
  ...PageQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS, default: 50 })),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Return the events after this `seq`, oldest first and without gaps. 0 for all. Not with a cursor or a filter.',
    }),
  ),
  names: Type.Optional(
    OneOf(
      ['true'],
      'Adds `by`, `subject_name` and `submission` to each event, which are not part of the log.',
    ),
  ),
  ...AUDIT_FILTERS,
}

const OLDEST_FIRST = 'audit, oldest first'

const checkQuery: ExtraCheck = (query) => [
  ...(isOldestFirst(query['cursor']) ? [] : checkCursor('audit')(query)),
  ...(query['after'] === undefined
    ? []
    : ['cursor', ...Object.keys(AUDIT_FILTERS)]
        .filter((name) => query[name] !== undefined)
        .map((name) => problem('after', `cannot be combined with ${name}`))),
]

const isOldestFirst = (cursor: unknown): boolean =>
  typeof cursor === 'string' && readCursor(OLDEST_FIRST, cursor) !== undefined

const lines = (description: string) => ({ schema: { type: 'string', description } }) as const

const access = { scope: 'read', role: 'viewer' } as const

export const auditRoutes = [
  route('getAuditTrail', 'GET /v1/audit', {
    access,
    summary: 'Get the audit log',
    description:
      'Newest first, or with `after` oldest first and without gaps. With `Accept: application/jsonl`, one event per line, oldest first.',
    query: QUERY,
    checkQuery,
    returns: AuditTrail,
    responses: {
      200: {
        description: 'Events.',
        content: {
          'application/json': { schema: ref('AuditTrail') },
          [JSONL]: lines('Canonical JSON, one event per line.'),
        },
      },
    },
    async send({ db }: AuditHeadContext, { query, caller, request }, reply) {
      const { workspaceId } = workspaceOf(caller)
      const wantsLines = request.headers.accept?.includes(JSONL) === true
      const { after, cursor, limit, names: isNamed, ...filter } = query
      const from = readCursor(OLDEST_FIRST, cursor) ?? after
      const isAscending = from !== undefined || (wantsLines && cursor === undefined)
      const page = pageOf('audit', query)
      const most = isAscending && wantsLines ? (limit ?? MAX_EVENTS) : page.limit
      const range = isAscending
        ? ({ after: from ?? 0, order: 'asc' } as const)
        : ({ before: page.before, order: 'desc' } as const)
      const found = await readEvents(db, workspaceId, { ...filter, ...range, limit: most + 1 })
      const { rows, next: last } = cutPage(found, most, ({ sequence }) => sequence)
      if (wantsLines) return reply.type(JSONL).send(rows.map(lineOf).join(''))
      const next = last === null ? null : cursorOf(isAscending ? OLDEST_FIRST : 'audit', last)
      const names = isNamed === undefined ? () => ({}) : await namesOf(db, workspaceId, rows)
      return reply.send(AuditTrail.show({ workspaceId, rows, next, names }, true))
    },
  }),
  route('getAuditPeople', 'GET /v1/audit/people', {
    access,
    summary: 'Get the people of the audit log',
    description: 'Members and API keys by name, for the filter `by`. Also those that are removed or revoked.',
    returns: PersonList,
    read: ({ db, workspaceId }) => peopleOf(db, workspaceId),
  }),
  route('getAuditHead', 'GET /v1/audit/head', {
    access,
    summary: 'Get the head of the audit log',
    description:
      'The number and the hash of the newest event, with the proof that they are in the transparency log. Adds them to it if they are not.',
    returns: AuditHead,
    run: (ctx: AuditHeadContext & Service, { caller }) => currentHead(ctx, workspaceOf(caller).workspaceId),
  }),
  route('exportAudit', 'GET /v1/audit/export', {
    access,
    summary: 'Export the audit log',
    description:
      'All events as JSON Lines, oldest first, and the head as the last line. `kitseal audit verify` checks the file offline. ' +
      'It ends with the newest event that the log and its witnesses have confirmed. `X-Unconfirmed-Events` says how many follow, and the file is then called `audit-log-COUNT-of-NEWEST.jsonl`.',
    responses: {
      200: {
        description: 'The audit log.',
        content: { [JSONL]: lines('Canonical JSON, one event per line.') },
      },
    },
    async send(ctx: AuditHeadContext, { caller }, reply) {
      const { workspaceId } = workspaceOf(caller)
      // Events that happen meanwhile are not missed.
      const { audit_events: newest } = await workspaceRow(ctx.db, workspaceId)
      const head = await currentHead(ctx, workspaceId)
      const unconfirmed = Math.max(0, Number(newest) - head.count)
      const file = `audit-log-${head.count}${unconfirmed === 0 ? '' : `-of-${newest}`}.jsonl`
      return reply
        .type(JSONL)
        .header('content-disposition', `attachment; filename="${file}"`)
        .header('x-unconfirmed-events', unconfirmed)
        .send(Readable.from(exportedLines(ctx, workspaceId, head)))
    },
  }),
]

/** The named schemas, in the order of the API's description. */
export const auditSchemas = [AuditHead, AuditTrail].map(({ schema }) => schema)
export const personSchema = PersonList.schema

async function* exportedLines(
  { db }: AuditHeadContext,
  workspaceId: WorkspaceId,
  head: Awaited<ReturnType<typeof currentHead>>,
): AsyncGenerator<string> {
  for (let after = 0; after < head.count;) {
    const range = { after, before: head.count + 1, limit: MAX_EVENTS, order: 'asc' } as const
    const rows = await readEvents(db, workspaceId, range)
    if (rows.length === 0) throw new Error(`events after ${after} of ${workspaceId} are missing`)
    yield rows.map(lineOf).join('')
    after += rows.length
  }
  const { audit_secret } = await workspaceRow(db, workspaceId)
  yield auditLine(audit_secret === null ? head : { ...head, workspace_id: workspaceId, audit_secret })
}

const lineOf = (row: AuditEventsTable): string => auditLine(exportedEvent(row))

/** The names of people, keys and submissions in events: for people, and not part of the hash. */
async function namesOf(db: Db, workspaceId: WorkspaceId, rows: readonly AuditEventsTable[]) {
  const people = new Map<string, string>((await peopleOf(db, workspaceId)).map(({ id, name }) => [id, name]))
  const submissions = await submissionsOf(db, workspaceId, rows.map(subjectOf))
  const recipients = await recipientsOf(
    db,
    rows.flatMap((row) => linkOf(row) ?? []),
  )
  const byOf = (row: AuditEventsTable): string | null => {
    const id = row.member_id ?? row.key_id
    return id === null ? (recipients.get(linkOf(row) ?? '') ?? operatorOf(row)) : (people.get(id) ?? id)
  }
  return (row: AuditEventsTable) => ({
    by: byOf(row),
    subject_name: people.get(row.subject) ?? null,
    submission: submissions.get(subjectOf(row)) ?? null,
  })
}

/** The members and API keys of a workspace, by ID. Also those that are removed or revoked. */
async function peopleOf(db: Db, workspaceId: WorkspaceId): Promise<readonly Person[]> {
  const members = await db
    .selectFrom('members')
    .select(['member_id as id', 'email as name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('email')
    .execute()
  const keys = await db
    .selectFrom('api_keys')
    .select(['key_id as id', 'label as name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .execute()
  return [
    ...members.map((row) => Object.assign(row, { is: 'member' as const })),
    ...keys.map((row) => Object.assign(row, { is: 'key' as const })),
  ]
}

/** A text in the details of an event. */
function detail(row: AuditEventsTable, name: 'operator' | 'link_id' | 'job_id'): string | undefined {
  const { [name]: value } = JSON.parse(row.details) as Readonly<Record<string, unknown>>
  return typeof value === 'string' ? value : undefined
}

/** The operator who did it in the console. On the command line nobody is named. */
const operatorOf = (row: AuditEventsTable): string | null =>
  (row.actor === 'operator' ? detail(row, 'operator') : undefined) ?? null

/** The link that somebody without an account used. */
const linkOf = (row: AuditEventsTable): string | undefined =>
  row.actor === 'link' ? detail(row, 'link_id') : undefined

/** Whom links were made for. */
async function recipientsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const links = await db
    .selectFrom('links')
    .select(['link_id', 'recipient'])
    .where('link_id', 'in', [...new Set(ids)] as LinkId[])
    .execute()
  return new Map(links.map(({ link_id, recipient }) => [link_id, recipient]))
}

/** An event of a job belongs to its submission too. */
const subjectOf = (row: AuditEventsTable): string =>
  (/^(sub|kit)_/.test(row.subject) ? undefined : detail(row, 'job_id')) ?? row.subject

const KINDS_OF_ID = [
  ['submission_id', 'sub_'],
  ['job_id', 'job_'],
  ['kit_id', 'kit_'],
] as const

/** The submissions that IDs of submissions, kits and jobs belong to. */
async function submissionsOf(db: Db, workspaceId: WorkspaceId, subjects: readonly string[]) {
  const wanted = [...new Set(subjects)]
  const found = new Map<string | null, Pick<SubmissionsTable, 'submission_id' | 'label'>>()
  // One query for each kind of ID, because each kind has its own index.
  for (const [column, prefix] of KINDS_OF_ID) {
    const ids = wanted.filter((id) => id.startsWith(prefix))
    if (ids.length === 0) continue
    const rows = await db
      .selectFrom('submissions')
      .select(['submission_id', 'label', 'job_id', 'kit_id', 'workspace_id'])
      .where('sequence', 'is not', null)
      .where(sql<string>`${sql.ref(column)}`, 'in', ids)
      .execute()
    // Not a condition, because SQLite would read all submissions of the workspace.
    for (const { submission_id, label, ...row } of rows.filter((each) => each.workspace_id === workspaceId))
      for (const id of [submission_id, row.job_id, row.kit_id]) found.set(id, { submission_id, label })
  }
  return found
}

interface AuditRange extends Static<TObject<typeof AUDIT_FILTERS>> {
  readonly after?: number
  readonly before?: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

/** How many events one statement looks through. */
const EVENTS_PER_SCAN = 5000

/**
 * Events of a workspace. The history of a subject has an index; what other filters find is read in parts, between which the service does
 * something else.
 */
export async function readEvents(db: Db, workspaceId: WorkspaceId, range: AuditRange) {
  const { order, limit, after = 0, before = Number.MAX_SAFE_INTEGER, subject, ...filter } = range
  if (subject !== undefined || Object.values(filter).every((value) => value === undefined))
    return eventsIn(db, workspaceId, range).execute()
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
    await setImmediate()
  }
  return rows
}

function eventsIn(db: Db, workspaceId: WorkspaceId, { after, before, order, limit, ...filter }: AuditRange) {
  let events = db.selectFrom('audit_events').selectAll().where('workspace_id', '=', workspaceId)
  if (after !== undefined) events = events.where('sequence', '>', after)
  if (before !== undefined) events = events.where('sequence', '<', before)
  const { action, by, subject, since, until } = filter
  if (action !== undefined)
    events = action.includes('.')
      ? events.where('action', '=', action)
      : // '/' is the character after '.'.
        events.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
  if (by !== undefined)
    events = events.where((eb) =>
      eb.or([
        eb('actor', '=', by as AuditEventsTable['actor']),
        eb('member_id', '=', by as MemberId),
        eb('key_id', '=', by as ApiKeyId),
      ]),
    )
  // Its index has no creations of jobs.
  if (subject !== undefined) {
    events = events.where('subject', '=', subject)
    if (!subject.startsWith('job_')) events = events.where('action', '<>', sql.lit('job.created'))
  }
  if (since !== undefined) events = events.where('at', '>=', asStored(since))
  if (until !== undefined) events = events.where('at', '<', asStored(until))
  return events.orderBy('sequence', order).limit(limit)
}

/** Times are stored as text of fixed width. */
const asStored = (time: string): string => new Date(time).toISOString()
