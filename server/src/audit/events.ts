import { EVENT_ACTOR, readEvents } from './audit-log.ts'
import { workspaceRow } from '../database/questions.ts'
import type { AuditEventsTable, Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { workspaceOf, type WorkspaceCaller } from '../http/caller.ts'
import { checkCursor, cursorOf, ListOf, listResponse, PageQuery, readCursor } from '../http/page-query.ts'
import { problem, type ExtraCheck } from '../http/validate-request.ts'
import { answer } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Count, DateTime } from '../http/schema-parts.ts'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../refusals.ts'

/** What happened in a workspace: an event of its audit log, for other systems. */
export type WorkspaceEvent = Readonly<ReturnType<typeof eventOf>>

const eventOf = (row: AuditEventsTable) => ({
  seq: Number(row.sequence),
  type: row.action,
  timestamp: row.at,
  workspace_id: row.workspace_id,
  actor: row.actor,
  subject: row.subject,
  data: JSON.parse(row.details) as Record<string, unknown>,
})

/** Events after a sequence number, oldest first. An index holds them in this order, so the cost does not depend on their number. */
export async function readFeed(db: Db, workspaceId: WorkspaceId, after: number, limit: number) {
  const rows = await readEvents(db, workspaceId, { after, limit, order: 'asc' })
  return rows.map(eventOf)
}

/** The sequence numbers of the newest events. */
async function newestEvents(db: Db, ids: readonly WorkspaceId[]): Promise<ReadonlyMap<WorkspaceId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('workspaces')
    .select(['workspace_id', 'audit_events'])
    .where('workspace_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.workspace_id, Number(row.audit_events)]))
}

/** The sequence number of the newest event. */
export const newestEvent = async (db: Db, workspaceId: WorkspaceId): Promise<number> =>
  Number((await workspaceRow(db, workspaceId)).audit_events)

/** Events of a workspace, for other systems. */
const EVENT = {
  seq: Type.Integer({
    minimum: 1,
    description: 'Without gaps in the workspace. The same as in the audit log.',
  }),
  type: Type.String({ description: 'Such as `submission.passed`.' }),
  timestamp: DateTime(),
  workspace_id: Type.String(),
  actor: EVENT_ACTOR,
  subject: Type.String({ description: 'ID of what changed.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'IDs and numbers. `webhooks` in this document describes it for each type.',
  }),
}

interface Events {
  readonly workspace_id: WorkspaceId
  readonly last_seq: number
  readonly events: readonly WorkspaceEvent[]
  readonly next: string | null
}

const EventList = answer(
  'EventList',
  'Events, oldest first and without gaps.',
  {
    workspace_id: Type.String(),
    last_seq: Count('Send it as `after`, now or later, to get what is newer.'),
    ...ListOf(Type.Object(EVENT)),
  },
  ({ events, next, ...of }: Events) => ({ ...of, ...listResponse(events, next) }),
)
export const eventListSchema = EventList.schema

const MAX_EVENTS = 1000
const DEFAULT_EVENTS = 100
const After = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Return the events after this `seq`. 0 for all.',
})

const checkQuery: ExtraCheck = (query) => [
  ...checkCursor('events')(query),
  ...(query['after'] !== undefined && query['cursor'] !== undefined
    ? [problem('after', 'cannot be combined with cursor')]
    : []),
]

const access = { scope: 'read', role: 'viewer' } as const

export const feedRoutes = [
  route('listEvents', 'GET /v1/events', {
    access,
    summary: 'Get events',
    description:
      'What happened in the workspace, oldest first. `seq` has no gaps: to continue, now or later, send `last_seq` as `after`. An empty list means that there is nothing newer.',
    query: {
      cursor: PageQuery.properties.cursor,
      after: Type.Optional(After),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS })),
    },
    checkQuery,
    returns: EventList,
    async read({ db, workspaceId }, { query }) {
      const { cursor, limit = DEFAULT_EVENTS } = query
      const after = readCursor('events', cursor) ?? query.after ?? 0
      const events = await readFeed(db, workspaceId, after, limit + 1)
      const shown = events.slice(0, limit)
      const last_seq = shown.at(-1)?.seq ?? after
      const next = events.length > limit ? cursorOf('events', last_seq) : null
      return { workspace_id: workspaceId, last_seq, events: shown, next }
    },
  }),
  route('streamEvents', 'GET /v1/events/stream', {
    access,
    summary: 'Follow events',
    description:
      'Server-sent events: `id` is `seq`, `event` is the type, `data` is the event. Starts after `Last-Event-ID`, or after `after`, or with the next event. Ends when the API key is revoked, or the session ends.',
    query: { after: Type.Optional(After) },
    codes: ['streams_exhausted'],
    responses: {
      200: {
        description: 'Events, as they happen.',
        content: {
          'text/event-stream': { schema: { type: 'string', description: 'Server-sent events.' } },
        },
      },
    },
    async send({ db, streams }: WithStreams, { query, request, ...call }, reply) {
      const caller = workspaceOf(call.caller)
      const after = lastEventId(request) ?? query.after ?? (await newestEvent(db, caller.workspaceId))
      const stream = streams.open(caller, after, reply.raw)
      reply.raw.once('close', () => stream.destroy())
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
        .send(stream)
    },
  }),
]

interface WithStreams {
  readonly db: Db
  readonly streams: ReturnType<typeof eventStreams>
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

interface StreamContext {
  readonly db: Db
  readonly config: { readonly maxInFlight: number }
  /** Whether the key or session of a stream is still valid. */
  isActive(caller: WorkspaceCaller): Promise<boolean>
}

/** By one key or session. */
const STREAMS_PER_CREDENTIAL = 10
const MAX_STREAMS = 500
/** Streams may use a quarter of the concurrent requests, and one workspace a quarter of those. */
const SHARE = 4
const POLL_EVERY_MS = 500
const CHECK_EVERY = 4
const HEARTBEAT_EVERY = 30
const PAGE = 200

interface OpenStream {
  readonly workspaceId: WorkspaceId
  readonly credential: string
}

export function eventStreams({ db, config, isActive }: StreamContext) {
  const most = Math.min(MAX_STREAMS, Math.ceil(config.maxInFlight / SHARE))
  const mostPerWorkspace = Math.max(STREAMS_PER_CREDENTIAL, Math.ceil(most / SHARE))
  const open = new Set<OpenStream>()
  const stopping = new AbortController()
  let polling: Promise<ReadonlyMap<WorkspaceId, number>> | undefined

  /** All streams wait for the same statement. Without streams there is none. */
  const nextPoll = (): Promise<ReadonlyMap<WorkspaceId, number>> => {
    polling ??= sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal })
      .then(() => newestEvents(db, [...new Set([...open].map(({ workspaceId }) => workspaceId))]))
      .catch(() => new Map())
      .finally(() => (polling = undefined))
    return polling
  }

  async function* follow(caller: WorkspaceCaller, stream: OpenStream, start: number): AsyncGenerator<string> {
    const { workspaceId } = stream
    let after = start
    yield 'retry: 3000\n\n'
    let newest = await newestEvent(db, workspaceId)
    for (let poll = 1; open.has(stream) && !stopping.signal.aborted; poll += 1) {
      while (newest > after) {
        const events = await readFeed(db, workspaceId, after, PAGE)
        if (events.length === 0) break
        for (const event of events) {
          after = event.seq
          yield `event: ${event.type}\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
        }
      }
      if (poll % HEARTBEAT_EVERY === 0) yield ': keep-alive\n\n'
      newest = (await nextPoll()).get(workspaceId) ?? newest
      // Without an answer from the database, the stream stays.
      if (poll % CHECK_EVERY === 0 && !(await isActive(caller).catch(() => true))) return
    }
  }

  return {
    open: (caller: WorkspaceCaller, after: number, response: ServerResponse): Readable => {
      const stream = { workspaceId: caller.workspaceId, credential: credentialOf(caller) }
      const like = (name: keyof OpenStream): number =>
        [...open].filter((each) => each[name] === stream[name]).length
      if (
        open.size >= most ||
        like('credential') >= STREAMS_PER_CREDENTIAL ||
        like('workspaceId') >= mostPerWorkspace
      )
        throw exhausted()
      open.add(stream)
      // The 'close' event of the result waits for what the generator yields next, which may be a heartbeat.
      response.once('close', () => open.delete(stream))
      return Readable.from(follow(caller, stream, after))
    },
    stop: (): void => stopping.abort(),
  }
}

const credentialOf = ({ actor, session }: WorkspaceCaller): string =>
  session?.sessionId ?? (actor.is === 'key' ? actor.keyId : '')

const exhausted = (): Refusal =>
  new Refusal('streams_exhausted', 'Too many event streams are open. Close one, or poll instead.', {
    headers: { 'retry-after': '10' },
  })
