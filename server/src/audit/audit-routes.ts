import { Readable } from 'node:stream'
import { auditLine } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { exportedEvent } from '../database/audit-chain.ts'
import type { AuditEventsTable } from '../database/schema.ts'
import { workspaceOf } from '../http/caller.ts'
import {
  checkCursor,
  cursorOf,
  cut,
  listResponse,
  pageOf,
  PageQuery,
  readCursor,
} from '../http/page-query.ts'
import { errors, ref, OneOf, Closed, DateOrTime } from '../http/schema-parts.ts'
import { problem } from '../http/schema-problems.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type AuditHeadContext, currentHead } from './audit-heads.ts'
import type { AuditTrail, PersonList } from './audit-schemas.ts'
import { readEvents } from './audit-queries.ts'
import { newestEvent } from './read-feed.ts'
import { namesOf, peopleOf } from './named-events.ts'

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

const AuditQuery = Closed({
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
})
type AuditQuery = Static<typeof AuditQuery>

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

/** GET /v1/audit, /v1/audit/people, /v1/audit/head and /v1/audit/export. */
export function registerAuditRoutes(app: FastifyInstance, ctx: AuditHeadContext): void {
  app.route<{ Querystring: AuditQuery }>({
    method: 'GET',
    url: '/v1/audit',
    validatorCompiler: validateRequest({ querystring: checkQuery }),
    schema: {
      operationId: 'getAuditTrail',
      summary: 'Get the audit log',
      description:
        'Newest first, or with `after` oldest first and without gaps. With `Accept: application/jsonl`, one event per line, oldest first.',
      querystring: AuditQuery,
      response: {
        200: {
          description: 'Events.',
          content: {
            'application/json': { schema: ref('AuditTrail') },
            [JSONL]: lines('Canonical JSON, one event per line.'),
          },
        },
        ...errors(400, 401, 403, 429),
      },
    },
    handler: async (request, reply) => {
      const { workspaceId } = workspaceOf(request.caller)
      const { query } = request
      const wantsLines = request.headers.accept?.includes(JSONL) === true
      const namesIn = async (rows: readonly AuditEventsTable[]) =>
        query.names === undefined ? () => ({}) : namesOf(ctx.db, workspaceId, rows)
      const from = readCursor(OLDEST_FIRST, query.cursor) ?? query.after
      if (from !== undefined || (wantsLines && query.cursor === undefined)) {
        const { after: _, cursor: __, limit = wantsLines ? MAX_EVENTS : 50, names: ___, ...filter } = query
        const range = { ...filter, after: from ?? 0, limit: limit + 1, order: 'asc' } as const
        const rows = await readEvents(ctx.db, workspaceId, range)
        const shown = rows.slice(0, limit)
        if (wantsLines) return reply.type(JSONL).send(shown.map(lineOf).join(''))
        const last = rows.length > limit ? shown.at(-1) : undefined
        const next = last ? cursorOf(OLDEST_FIRST, Number(last.sequence)) : null
        return trail(workspaceId, shown, next, await namesIn(shown))
      }
      const page = pageOf('audit', query)
      const { cursor: _, limit: __, after: ___, names: ____, ...filter } = query
      const range = { ...filter, before: page.before, limit: page.limit + 1, order: 'desc' } as const
      const { shown, next } = cut(await readEvents(ctx.db, workspaceId, range), page)
      if (wantsLines) return reply.type(JSONL).send(shown.map(lineOf).join(''))
      return trail(workspaceId, shown, next, await namesIn(shown))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/audit/people',
    schema: {
      operationId: 'getAuditPeople',
      summary: 'Get the people of the audit log',
      description:
        'Members and API keys by name, for the filter `by`. Also those that are removed or revoked.',
      response: { 200: ref('PersonList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<PersonList> =>
      listResponse(await peopleOf(ctx.db, workspaceOf(request.caller).workspaceId)),
  })

  app.route({
    method: 'GET',
    url: '/v1/audit/head',
    schema: {
      operationId: 'getAuditHead',
      summary: 'Get the head of the audit log',
      description:
        'The number and the hash of the newest event, with the proof that they are in the transparency log. Adds them to it if they are not.',
      response: { 200: ref('AuditHead'), ...errors(401, 403, 429, 503) },
    },
    handler: (request) => currentHead(ctx, workspaceOf(request.caller).workspaceId),
  })

  app.route({
    method: 'GET',
    url: '/v1/audit/export',
    schema: {
      operationId: 'exportAudit',
      summary: 'Export the audit log',
      description:
        'All events as JSON Lines, oldest first, and the head as the last line. `kitseal audit verify` checks the file offline. ' +
        'It ends with the newest event that the log and its witnesses have confirmed. `X-Unconfirmed-Events` says how many follow, and the file is then called `audit-log-COUNT-of-NEWEST.jsonl`.',
      response: {
        200: {
          description: 'The audit log.',
          content: { [JSONL]: lines('Canonical JSON, one event per line.') },
        },
        ...errors(401, 403, 429, 503),
      },
    },
    handler: async (request: FastifyRequest, reply) => {
      const { workspaceId } = workspaceOf(request.caller)
      // Events that happen meanwhile are not missed.
      const newest = await newestEvent(ctx.db, workspaceId)
      const head = await currentHead(ctx, workspaceId)
      const unconfirmed = Math.max(0, newest - head.count)
      const file = `audit-log-${head.count}${unconfirmed === 0 ? '' : `-of-${newest}`}.jsonl`
      return reply
        .type(JSONL)
        .header('content-disposition', `attachment; filename="${file}"`)
        .header('x-unconfirmed-events', unconfirmed)
        .send(Readable.from(exportedLines(ctx, workspaceId, head)))
    },
  })
}

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
  const { audit_secret } = await db
    .selectFrom('workspaces')
    .select('audit_secret')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  yield auditLine(audit_secret === null ? head : { ...head, workspace_id: workspaceId, audit_secret })
}

function trail(
  workspaceId: WorkspaceId,
  rows: readonly AuditEventsTable[],
  next: string | null,
  names: (row: AuditEventsTable) => object,
): AuditTrail {
  const events = rows.map((row) => ({ ...exportedEvent(row), ...names(row) }) as AuditTrail['data'][number])
  return { workspace_id: workspaceId, ...listResponse(events, next) }
}

const lineOf = (row: AuditEventsTable): string => auditLine(exportedEvent(row))
