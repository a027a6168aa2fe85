import { ensureDefaultPlan } from '../src/access/plans.ts'
import type { Db, WorkspacesTable } from '../src/database/schema.ts'
import type { WorkspaceId } from '../src/runtime/identifiers.ts'
import { DEFAULT_PLAN } from '../src/settings/plan.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** A workspace without events or members. */
export async function insertWorkspace(
  db: Db,
  workspace_id: WorkspaceId,
  row: Partial<WorkspacesTable> = {},
): Promise<void> {
  await ensureDefaultPlan(db, { now: () => Date.parse(AT) })
  await db
    .insertInto('workspaces')
    .values({
      workspace_id,
      name: 'Acme',
      named_by: 'operator',
      plan: DEFAULT_PLAN.name,
      visibility: 'none',
      language: 'en',
      credits_available: 0,
      credits_held: 0,
      credits_unlimited: 0,
      stored_bytes: 0,
      ledger_entries: 0,
      audit_events: 0,
      audit_head: 'tag',
      audit_secret: null,
      pins: null,
      created_at: AT,
      updated_at: AT,
      ...row,
    })
    .execute()
}
