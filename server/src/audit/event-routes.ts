import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { workspaceOf } from '../http/caller.ts'
import { checkCursor, cursorOf, listResponse, PageQuery, readCursor } from '../http/page-query.ts'
import { errors, ref, Closed } from '../http/schema-parts.ts'
import { problem } from '../http/schema-problems.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import type { EventList } from './audit-schemas.ts'
import { eventStreams, type StreamContext } from './event-streams.ts'
import { newestEvent, readFeed } from './read-feed.ts'

const MAX_EVENTS = 1000
const DEFAULT_EVENTS = 100
const After = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Return the events after this `seq`. 0 for all.',
})
const EventQuery = Closed({
  cursor: PageQuery.properties.cursor,
  after: Type.Optional(After),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS })),
})
const StreamQuery = Closed({ after: Type.Optional(After) })

const checkQuery: ExtraCheck = (query) => [
  ...checkCursor('events')(query),
  ...(query['after'] !== undefined && query['cursor'] !== undefined
    ? [problem('after', 'cannot be combined with cursor')]
    : []),
]

/** GET /v1/events and /v1/events/stream. */
export function registerFeedRoutes(app: FastifyInstance, ctx: StreamContext): void {
  const streams = eventStreams(ctx)
  app.addHook('preClose', async () => streams.stop())

  app.route<{ Querystring: Static<typeof EventQuery> }>({
    method: 'GET',
    url: '/v1/events',
    validatorCompiler: validateRequest({ querystring: checkQuery }),
    schema: {
      operationId: 'listEvents',
      summary: 'Get events',
      description:
        'What happened in the workspace, oldest first. `seq` has no gaps: to continue, now or later, send `last_seq` as `after`. An empty list means that there is nothing newer.',
      querystring: EventQuery,
      response: { 200: ref('EventList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<EventList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { cursor, limit = DEFAULT_EVENTS } = request.query
      const after = readCursor('events', cursor) ?? request.query.after ?? 0
      const events = await readFeed(ctx.db, workspaceId, after, limit + 1)
      const shown = events.slice(0, limit)
      const last = shown.at(-1)?.seq ?? after
      const next = events.length > limit ? cursorOf('events', last) : null
      return { workspace_id: workspaceId, last_seq: last, ...listResponse(shown, next) }
    },
  })

  app.route<{ Querystring: Static<typeof StreamQuery> }>({
    method: 'GET',
    url: '/v1/events/stream',
    schema: {
      operationId: 'streamEvents',
      summary: 'Follow events',
      description:
        'Server-sent events: `id` is `seq`, `event` is the type, `data` is the event. Starts after `Last-Event-ID`, or after `after`, or with the next event. Ends when the API key is revoked, or the session ends.',
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
      const stream = streams.open(caller, after, reply.raw)
      reply.raw.once('close', () => stream.destroy())
      return reply
        .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
        .send(stream)
    },
  })
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
