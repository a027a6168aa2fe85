import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { CreditMonthList } from './access-schemas.ts'
import { creditMonths } from './credit-months.ts'
import type { CreditLedgerTable, Database } from '../database/schema.ts'
import { requireWorkspace, workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/list.ts'
import { checkCursor, cut, pageOf, PageQuery } from '../http/page-query.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { CreditAccount } from './credit-schemas.ts'
import { newestFirst } from '../audit/newest-first.ts'

export interface CreditContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
}

/** GET /v1/credits and /v1/credits/months. */
export function registerCreditRoutes(app: FastifyInstance, ctx: CreditContext): void {
  app.route<{ Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/credits',
    onRequest: requireWorkspace,
    validatorCompiler: validateRequest({ querystring: checkCursor('credits') }),
    schema: {
      operationId: 'getCredits',
      summary: 'Get credits and the credit ledger',
      description: 'What is available and held, and the ledger, newest entry first.',
      tags: ['Workspace'],
      querystring: PageQuery,
      response: { 200: ref('CreditAccount'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<CreditAccount> => {
      const { workspaceId } = workspaceOf(request.caller)
      const page = pageOf('credits', request.query)
      const { shown, next } = cut(await newestFirst(ctx.db, workspaceId, page), page)
      return {
        workspace_id: workspaceId,
        ...(await balance(ctx.db, workspaceId)),
        ...listResponse(shown.map(ledgerEntry), next),
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/credits/months',
    onRequest: requireWorkspace,
    schema: {
      operationId: 'getCreditMonths',
      summary: 'Get credit use by month',
      description: 'Of the last twelve months, oldest first.',
      tags: ['Workspace'],
      response: { 200: ref('CreditMonthList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<CreditMonthList> =>
      listResponse(await creditMonths(ctx.db, ctx.clock, workspaceOf(request.caller).workspaceId)),
  })
}

async function balance(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
): Promise<Pick<CreditAccount, 'available' | 'held'>> {
  const row = await db
    .selectFrom('workspaces')
    .select(['credits_available as available', 'credits_held as held'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { available: Number(row.available), held: Number(row.held) }
}

function ledgerEntry(row: CreditLedgerTable): CreditAccount['data'][number] {
  const { kind, available_change, held_change, available_after, submission_id, note } = row
  const changes = { available_change, held_change, available_after }
  return { seq: row.sequence, kind, ...changes, submission_id, note, created_at: row.at }
}
