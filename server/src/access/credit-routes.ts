import type { FastifyInstance } from 'fastify'
import type { CreditAccount } from './access-schemas.ts'
import type { CreditLedgerTable, Db } from '../database/schema.ts'
import { workspaceOf } from '../http/caller.ts'
import { checkCursor, listPage, type Page, PageQuery } from '../http/page-query.ts'
import { errors, ref } from '../http/route-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** GET /v1/credits. */
export function registerCreditRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  app.route<{ Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/credits',
    validatorCompiler: validateRequest({ querystring: checkCursor('credits') }),
    schema: {
      operationId: 'getCredits',
      summary: 'Get credits and the credit ledger',
      description: 'What is available and held, and the ledger, newest entry first.',
      querystring: PageQuery,
      response: { 200: ref('CreditAccount'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<CreditAccount> => {
      const { workspaceId } = workspaceOf(request.caller)
      const read = (bounds: Omit<Page, 'list'>) => newestFirst(db, workspaceId, bounds)
      return {
        workspace_id: workspaceId,
        ...(await balance(db, workspaceId)),
        ...(await listPage('credits', request.query, read, ledgerEntry)),
      }
    },
  })
}

async function balance(db: Db, workspaceId: WorkspaceId): Promise<Pick<CreditAccount, 'available' | 'held'>> {
  const row = await db
    .selectFrom('workspaces')
    .select(['credits_available as available', 'credits_held as held', 'credits_unlimited'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { available: row.credits_unlimited === 1 ? null : Number(row.available), held: Number(row.held) }
}

function ledgerEntry(row: CreditLedgerTable): CreditAccount['data'][number] {
  const { kind, available_change, held_change, available_after, submission_id, note } = row
  const changes = { available_change, held_change, available_after }
  return { seq: row.sequence, kind, ...changes, submission_id, note, created_at: row.at }
}

function newestFirst(
  db: Db,
  workspaceId: WorkspaceId,
  { before, limit }: Omit<Page, 'list'>,
): Promise<CreditLedgerTable[]> {
  return db
    .selectFrom('credit_ledger')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
}
