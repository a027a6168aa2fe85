import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Page } from '../http/page-query.ts'
import type { WorkspaceId } from '../identifiers.ts'

/** A page of a workspace's ledger or audit log, newest first, plus one row that tells whether there is another page. */
export function newestFirst<Table extends 'credit_ledger' | 'audit_events'>(
  db: Kysely<Database>,
  table: Table,
  workspaceId: WorkspaceId,
  { before, limit }: Page,
): Promise<Selectable<Database[Table]>[]> {
  return db
    .selectFrom(table as 'credit_ledger')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .execute() as Promise<unknown> as Promise<Selectable<Database[Table]>[]>
}
