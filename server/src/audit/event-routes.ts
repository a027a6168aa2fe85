// docs/decisions/0246
import { BOUNDARY } from '@kitseal/kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { errors, ref } from '../http/route-schemas.ts'
import type { EventList } from './event-schemas.ts'
import { eventStreams, type StreamContext } from './event-streams.ts'
import { newestEvent, readFeed } from './read-feed.ts'

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
export function registerFeedRoutes(app: FastifyInstance, ctx: StreamContext): void {
  const streams = eventStreams(ctx)
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
        'Server-sent events: `id` is `seq`, `event` is the type, `data` is the event. Starts after `Last-Event-ID`, or after `after`, or with the next event. Ends when the API key is revoked, or the session ends.',
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

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
