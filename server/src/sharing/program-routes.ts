import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { createOnce } from '../http/idempotency.ts'
import { checkCursor, cut, listPage, pageOf, PageQuery } from '../http/page-query.ts'
import { errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { Closed } from '../http/schema-parts.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { ProgramId } from '../runtime/identifiers.ts'
import { changeProgram } from './change-program.ts'
import { checkNewProgram, checkProgram, createProgram, programItems } from './create-program.ts'
import { requesterOf } from './create-request.ts'
import { type FilledPeriod, fillPeriods } from './period-items.ts'
import { registerPeriodFileRoutes } from './period-file-routes.ts'
import { registerPeriodRoutes } from './period-routes.ts'
import { boardRecord, programRecord, programSummary } from './program.ts'
import {
  findProgram,
  itemsOfProgram,
  listPeriods,
  listPrograms,
  lockProgram,
  newestPeriods,
} from './program-queries.ts'
import {
  NewProgram,
  type Program,
  type ProgramBoard,
  ProgramChange,
  type ProgramList,
} from './program-schemas.ts'
import type { RequestContext } from './request-context.ts'

/** 500 items with descriptions. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024
type OfProgram = { Params: { readonly program_id: string } }

const DEFAULT_PERIODS = 12
const BoardQuery = Closed({
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 24, default: DEFAULT_PERIODS, description: 'Periods.' }),
  ),
})

/** /v1/programs. */
export function registerProgramRoutes(app: FastifyInstance, ctx: RequestContext): void {
  app.route<{ Body: NewProgram }>({
    method: 'POST',
    url: '/v1/programs',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'createProgram',
      summary: 'Create a program',
      description:
        'A program is what you show again and again, such as the evidence of a quarterly review. Its periods open by themselves, and ' +
        'each becomes a kit of its series. If `starts_on` has passed, the current period opens at once.',
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours returns the first response and creates no second program.',
      ),
      body: ref('NewProgram'),
      response: { 201: ref('Program'), ...errors(400, 401, 403, 409, 413, 415, 429, 503) },
    },
    validatorCompiler: validateRequest({ body: checkNewProgram, named: { NewProgram } }),
    handler: async (request, reply) => {
      const { body } = request
      const requester = requesterOf(request)
      const items = await programItems(ctx, body, requester.workspaceId)
      return createOnce(
        ctx,
        request,
        reply,
        async (trx) => {
          const id = await createProgram(trx, ctx, body, items, requester)
          return { stored: await record(trx, request, id) }
        },
        ({ program_id }) => `/v1/programs/${program_id}`,
      )
    },
  })

  app.route<{ Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/programs',
    validatorCompiler: validateRequest({ querystring: checkCursor('programs') }),
    schema: {
      operationId: 'listPrograms',
      summary: 'List programs, newest first',
      description: 'With the newest period of each. If `next_cursor` is not null, there are more.',
      querystring: PageQuery,
      response: { 200: ref('ProgramList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<ProgramList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const page = await listPage(
        'programs',
        request.query,
        (bounds) => listPrograms(ctx.db, workspaceId, bounds),
        (program) => program,
      )
      const newest = await newestOf(
        page.data.map(({ program_id }) => program_id),
        timestamp(ctx.clock.now()),
      )
      const counts = await itemCounts(page.data.map(({ program_id }) => program_id))
      return {
        ...page,
        data: page.data.map((program) =>
          programSummary(program, counts.get(program.program_id) ?? 0, newest.get(program.program_id)),
        ),
      }
    },
  })

  async function newestOf(ids: readonly ProgramId[], now: string): Promise<Map<string, FilledPeriod>> {
    const views = await newestPeriods(ctx.db, ids)
    const filled = new Map<string, FilledPeriod>()
    for (const [id, view] of views) {
      const [period] = await fillPeriods(ctx.db, view.program_id, [view], now)
      if (period !== undefined) filled.set(id, period)
    }
    return filled
  }

  async function itemCounts(ids: readonly ProgramId[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map()
    const rows = await ctx.db
      .selectFrom('program_items')
      .select(({ fn }) => ['program_id', fn.countAll().as('count')])
      .where('program_id', 'in', ids)
      .groupBy('program_id')
      .execute()
    return new Map(rows.map(({ program_id, count }) => [program_id as string, Number(count)]))
  }

  app.route<OfProgram>({
    method: 'GET',
    url: '/v1/programs/:program_id',
    schema: {
      operationId: 'getProgram',
      summary: 'Get a program',
      description: 'With its items. The board has its periods.',
      response: { 200: ref('Program'), ...errors(401, 403, 404, 429) },
    },
    handler: (request) => record(ctx.db, request, request.params.program_id),
  })

  app.route<OfProgram & { Body: ProgramChange }>({
    method: 'PATCH',
    url: '/v1/programs/:program_id',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'changeProgram',
      summary: 'Change a program, or end it',
      description:
        'Members that are left out stay as they are. `items` replaces the list for periods that open later. The period that is open ' +
        'gets the items that are new, and the new title, description, owner and due date of internal items. What a supplier was asked ' +
        'for stays as it was asked.',
      body: ProgramChange,
      response: { 200: ref('Program'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    validatorCompiler: validateRequest({ body: checkProgram }),
    handler: (request) =>
      transact(ctx.db, async (trx) => {
        const requester = requesterOf(request)
        const { program_id } = await findProgram(trx, requester.workspaceId, request.params.program_id)
        await changeProgram(trx, ctx, await lockProgram(trx, program_id), request.body, requester)
        return record(trx, request, program_id)
      }),
  })

  app.route<OfProgram & { Querystring: Static<typeof BoardQuery> }>({
    method: 'GET',
    url: '/v1/programs/:program_id/board',
    validatorCompiler: validateRequest({ querystring: checkCursor('periods') }),
    schema: {
      operationId: 'getProgramBoard',
      summary: 'Get the board of a program',
      description: 'The status of every item in the newest periods, without the names of files.',
      querystring: BoardQuery,
      response: { 200: ref('ProgramBoard'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<ProgramBoard> => {
      const { workspaceId } = workspaceOf(request.caller)
      const program = await findProgram(ctx.db, workspaceId, request.params.program_id)
      const { program_id } = program
      const page = pageOf('periods', { limit: DEFAULT_PERIODS, ...request.query })
      const rows = await listPeriods(ctx.db, program_id, { before: page.before, limit: page.limit + 1 })
      const { shown, next } = cut(
        rows.map((row) => Object.assign({ sequence: row.number }, row)),
        page,
      )
      const periods = await fillPeriods(ctx.db, program_id, shown, timestamp(ctx.clock.now()))
      return boardRecord(program, await itemsOfProgram(ctx.db, program_id), periods, next)
    },
  })

  registerPeriodRoutes(app, ctx)
  registerPeriodFileRoutes(app, ctx)
}

const record = async (db: Db, request: FastifyRequest, id: string): Promise<Program> => {
  const program = await findProgram(db, workspaceOf(request.caller).workspaceId, id)
  return programRecord(program, await itemsOfProgram(db, program.program_id))
}
