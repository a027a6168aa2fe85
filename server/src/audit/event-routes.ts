// docs/decisions/0417
import { Readable } from 'node:stream'
import { BOUNDARY } from '@kitseal/kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import { requireWorkspace, type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import type { EventList } from './event-schemas.ts'
import { Refusal } from '../refusals.ts'
import { newestEvent, readFeed } from './read-feed.ts'

export interface EventContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly config: { readonly maxInFlight: number }
}

const MAX_EVENTS = 1000
const DEFAULT_EVENTS = 100
const After = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Return the events after this `seq`. 0 for all.',
})
const EventQuery = Type.Object(
  {
    after: Type.Optional(After),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS })),
  },
  { additionalProperties: false },
)
const StreamQuery = Type.Object({ after: Type.Optional(After) }, { additionalProperties: false })

/** GET /v1/events and /v1/events/stream. */
export function registerFeedRoutes(app: FastifyInstance, ctx: EventContext): void {
  const streams = openStreams(ctx)
  app.addHook('preClose', async () => streams.stop())

  app.route<{ Querystring: Static<typeof EventQuery> }>({
    method: 'GET',
    url: '/v1/events',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'listEvents',
      summary: 'Get events',
      description:
        'What happened in the workspace, oldest first. `seq` has no gaps: to continue, send the last one as `after`. An empty list means that there is nothing newer.',
      tags: ['Events'],
      querystring: EventQuery,
      response: { 200: ref('EventList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<EventList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { after = 0, limit = DEFAULT_EVENTS } = request.query
      const events = await readFeed(ctx.db, workspaceId, after, limit)
      const last = events.at(-1)?.seq ?? after
      return { workspace_id: workspaceId, events: [...events], last_seq: last, boundary: BOUNDARY }
    },
  })

  app.route<{ Querystring: Static<typeof StreamQuery> }>({
    method: 'GET',
    url: '/v1/events/stream',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'streamEvents',
      summary: 'Follow events',
      description:
        'Server-sent events: `id` is `seq`, `event` is the type, `data` is the event. Starts after `Last-Event-ID`, or after `after`, or with the next event. Ends when the API key is revoked.',
      tags: ['Events'],
      querystring: StreamQuery,
      response: {
        200: {
          description: 'Events, as they happen.',
          content: {
            'text/event-stream': { schema: { type: 'string', description: 'Server-sent events.' } },
          },
        },
        ...errors(400, 401, 403, 429),
      },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const after =
        lastEventId(request) ?? request.query.after ?? (await newestEvent(ctx.db, caller.workspaceId))
      const stream = streams.open(caller, after)
      reply.raw.once('close', () => stream.destroy())
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
        .send(stream)
    },
  })
}

const STREAMS_PER_WORKSPACE = 10
const MAX_STREAMS = 500
/** Streams may use a quarter of the concurrent requests. */
const SHARE_OF_REQUESTS = 4
const POLL_EVERY_MS = 500
const CHECK_EVERY = 4
const HEARTBEAT_EVERY = 30
const PAGE = 200

interface Streams {
  open(caller: WorkspaceCaller, after: number): Readable
  stop(): void
}

function openStreams({ db, clock, config }: EventContext): Streams {
  const most = Math.min(MAX_STREAMS, Math.ceil(config.maxInFlight / SHARE_OF_REQUESTS))
  const open = new Map<string, number>()
  const stopping = new AbortController()

  async function* follow(caller: WorkspaceCaller, start: number): AsyncGenerator<string> {
    const { workspaceId } = caller
    let after = start
    yield 'retry: 3000\n\n'
    for (let poll = 1; !stopping.signal.aborted; poll += 1) {
      if (poll % CHECK_EVERY === 0 && !(await isActive(db, clock, caller))) return
      const events =
        (await newestEvent(db, workspaceId)) > after ? await readFeed(db, workspaceId, after, PAGE) : []
      for (const event of events) {
        after = event.seq
        yield `event: ${event.type}\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
      }
      if (poll % HEARTBEAT_EVERY === 0) yield ': keep-alive\n\n'
      if (events.length === 0) await pause(stopping.signal)
    }
  }

  return {
    open: (caller, after) => {
      const own = open.get(caller.workspaceId) ?? 0
      const all = [...open.values()].reduce((sum, count) => sum + count, 0)
      if (own >= STREAMS_PER_WORKSPACE || all >= most)
        throw new Refusal(
          'streams_exhausted',
          'Too many event streams are open. Close one, or poll instead.',
          {
            headers: { 'retry-after': '10' },
          },
        )
      open.set(caller.workspaceId, own + 1)
      return Readable.from(follow(caller, after)).once('close', () => {
        const left = (open.get(caller.workspaceId) ?? 1) - 1
        if (left === 0) open.delete(caller.workspaceId)
        else open.set(caller.workspaceId, left)
      })
    },
    stop: () => stopping.abort(),
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, POLL_EVERY_MS)
    signal.addEventListener('abort', done)
  })
}

/** Whether the API key of a stream is still valid. */
async function isActive(db: Kysely<Database>, clock: Clock, { actor }: WorkspaceCaller): Promise<boolean> {
  if (actor.is !== 'key') return true
  const row = await db
    .selectFrom('api_keys')
    .select('key_id')
    .where('key_id', '=', actor.keyId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', timestamp(clock.now()))]))
    .executeTakeFirst()
  return row !== undefined
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
