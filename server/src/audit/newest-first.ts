import type { Kysely } from 'kysely'
import type { CreditLedgerTable, Database } from '../database/schema.ts'
import type { Page } from '../http/page-query.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/** A page of a workspace's ledger, newest first, plus one row that tells whether there is another page. */
export function newestFirst(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  { before, limit }: Page,
): Promise<CreditLedgerTable[]> {
  return db
    .selectFrom('credit_ledger')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .execute()
}
