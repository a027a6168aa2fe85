import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { parseDue } from '@kitseal/examiner'
import { timestamp } from '../runtime/clock.ts'
import type { ProgramsTable } from '../database/program-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { requireFullAccess } from '../access/may-call.ts'
import { createOnce } from '../http/idempotency.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { Closed } from '../http/schema-parts.ts'
import { problem } from '../http/schema-problems.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import { AcceptedCodes } from '../submissions/submission-schemas.ts'
import { checkAccept } from '../submissions/check-accept.ts'
import { changePeriodItem, removePeriodFile } from './change-period-item.ts'
import { requesterOf } from './create-request.ts'
import { openNext } from './open-period.ts'
import { fillPeriod } from './period-items.ts'
import { periodRecord } from './program.ts'
import { findPeriod, findProgram, lockProgram, type PeriodView } from './program-queries.ts'
import { type Period, PeriodItemChange } from './program-schemas.ts'
import type { RequestContext } from './request-context.ts'
import { sealPeriod } from './seal-period.ts'

type OfPeriod = { Params: { readonly program_id: string; readonly period: string } }
type OfItem = { Params: OfPeriod['Params'] & { readonly item_id: string } }
type OfFile = { Params: OfPeriod['Params'] & { readonly position: string } }

const PeriodParams = {
  program_id: Type.String(),
  period: Type.String({ description: 'Its name, such as `2026-Q4`.' }),
}
const ItemParams = Type.Object({ ...PeriodParams, item_id: Type.String({ description: 'Of the item.' }) })
const FileParams = Type.Object({
  ...PeriodParams,
  position: Type.String({ description: '`position` of the file.' }),
})
const Empty = Closed({})
const Seal = Closed({ accept: Type.Optional(AcceptedCodes()) })

/** The periods of /v1/programs. */
export function registerPeriodRoutes(app: FastifyInstance, ctx: RequestContext): void {
  const now = (): string => timestamp(ctx.clock.now())
  const find = async (db: Db, request: FastifyRequest<OfPeriod>) => {
    const { workspaceId } = workspaceOf(request.caller)
    const program = await findProgram(db, workspaceId, request.params.program_id)
    return { program, view: await findPeriod(db, program.program_id, request.params.period) }
  }
  const record = async (db: Db, request: FastifyRequest<OfPeriod>): Promise<Period> =>
    periodRecord(db, await fillPeriod(db, (await find(db, request)).view, now()))
  /** Changes the period of a route, whose program is locked. */
  const changing = <Answer>(
    request: FastifyRequest<OfPeriod>,
    work: (trx: Db, of: { program: ProgramsTable; view: PeriodView }) => Promise<Answer>,
  ): Promise<Answer> =>
    transact(ctx.db, async (trx) => {
      await lockProgram(trx, (await find(trx, request)).program.program_id)
      return work(trx, await find(trx, request))
    })

  app.route<{ Params: { readonly program_id: string } }>({
    method: 'POST',
    url: '/v1/programs/:program_id/periods',
    schema: {
      operationId: 'openPeriod',
      summary: 'Open the next period now',
      description:
        'Periods open by themselves when they start. This opens the next one before that, or another one of a program without a cadence.',
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and opens no second period.',
      ),
      body: Empty,
      response: { 201: ref('Period'), ...errors(400, 401, 403, 404, 409, 415, 429) },
    },
    handler: (request, reply) =>
      createOnce(
        ctx,
        request,
        reply,
        async (trx) => {
          const requester = requesterOf(request)
          const { program_id } = await findProgram(trx, requester.workspaceId, request.params.program_id)
          const period = await openNext(trx, ctx, await lockProgram(trx, program_id), requester)
          const view = await findPeriod(trx, program_id, period)
          return { stored: await periodRecord(trx, await fillPeriod(trx, view, now())) }
        },
        ({ program_id, period }) => `/v1/programs/${program_id}/periods/${period}`,
      ),
  })

  app.route<OfPeriod>({
    method: 'GET',
    url: '/v1/programs/:program_id/periods/:period',
    schema: {
      operationId: 'getPeriod',
      summary: 'Get a period',
      description:
        'With its items, their files and the comments. Files of internal items are uploaded to `submission_id` below the ID of the item.',
      params: Type.Object(PeriodParams),
      response: { 200: ref('Period'), ...errors(401, 403, 404, 429) },
    },
    handler: (request) => record(ctx.db, request),
  })

  app.route<OfItem & { Body: PeriodItemChange }>({
    method: 'PATCH',
    url: '/v1/programs/:program_id/periods/:period/items/:item_id',
    schema: {
      operationId: 'changePeriodItem',
      summary: 'Review an item of a period, comment on it, or change its owner or due date',
      description:
        'A review is about the files that are there: when they change, the item is to review again. An item whose source is a request is reviewed there. ' +
        'A member comments and asks for a review (`to_review`, with the scope `submit`); the rest needs a manager, or the scope `requests`.',
      params: ItemParams,
      body: ref('PeriodItemChange'),
      response: { 200: ref('Period'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    validatorCompiler: validateRequest({ body: checkItemChange, named: { PeriodItemChange } }),
    handler: (request) => {
      if (!isWork(request.body)) requireFullAccess(request)
      return changing(request, async (trx, of) => {
        const { actor } = workspaceOf(request.caller)
        const { item_id: itemId } = request.params
        await changePeriodItem(trx, ctx, { ...of, itemId }, request.body, actor)
        return record(trx, request)
      })
    },
  })

  app.route<OfFile>({
    method: 'DELETE',
    url: '/v1/programs/:program_id/periods/:period/files/:position',
    schema: {
      operationId: 'removePeriodFile',
      summary: 'Remove a file from a period',
      description: 'Of an internal item, until the period is sealed.',
      params: FileParams,
      response: { ...deleted, ...errors(401, 403, 404, 409, 429) },
    },
    handler: async (request, reply) => {
      const { actor } = workspaceOf(request.caller)
      await changing(request, (trx, of) =>
        removePeriodFile(trx, ctx, of, Number(request.params.position), actor),
      )
      return reply.code(204).send()
    },
  })

  app.route<OfPeriod & { Body: Static<typeof Seal> }>({
    method: 'POST',
    url: '/v1/programs/:program_id/periods/:period/seal',
    schema: {
      operationId: 'sealPeriod',
      summary: 'Seal a period',
      description:
        'Gathers what suppliers sent, and submits all files: they become a kit of the series of the program. Items without files do not ' +
        'prevent it. `reports/program.json` in the kit says what was missing. If the files fail their checks, the period is open again.',
      params: Type.Object(PeriodParams),
      body: Seal,
      response: { 202: ref('Period'), ...errors(400, 401, 402, 403, 404, 409, 413, 415, 429, 503) },
    },
    validatorCompiler: validateRequest({ body: checkAccept }),
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { view } = await find(ctx.db, request)
      ctx.queue.refuseWhenFull(caller.workspaceId)
      await sealPeriod(ctx, view, request.body.accept ?? [], caller)
      ctx.queue.added(caller.workspaceId)
      reply.headers({
        location: `/v1/submissions/${view.submission_id}`,
        'retry-after': ctx.queue.retryAfter(caller.workspaceId),
      })
      return reply.code(202).send(await record(ctx.db, request))
    },
  })
}

/** What every member does with an item. Reviews, owners and due dates are for managers. */
const isWork = ({ status, owner, due_at }: PeriodItemChange): boolean =>
  (status === undefined || status === 'to_review') && owner === undefined && due_at === undefined

const checkItemChange: ExtraCheck = (body) => {
  const empty = Object.keys(body).filter((name) => name !== 'reason').length === 0
  const { due_at } = body
  return [
    ...(empty ? [{ param: 'status', text: 'send status, comment, owner or due_at' }] : []),
    ...(typeof due_at === 'string' && parseDue(due_at) === undefined
      ? [problem('due_at', 'must be a date such as 2026-12-01, or a date-time (RFC 3339)')]
      : []),
  ]
}
