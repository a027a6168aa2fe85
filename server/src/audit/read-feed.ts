import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { eventOf, type WorkspaceEvent } from './event.ts'

/** Events after a sequence number, oldest first. An index holds them in this order, so the cost does not depend on their number. */
export async function readFeed(
  db: Db,
  workspaceId: WorkspaceId,
  after: number,
  limit: number,
): Promise<readonly WorkspaceEvent[]> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map(eventOf)
}

/** The sequence numbers of the newest events. */
export async function newestEvents(
  db: Db,
  ids: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('workspaces')
    .select(['workspace_id', 'audit_events'])
    .where('workspace_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.workspace_id, Number(row.audit_events)]))
}

/** The sequence number of the newest event. */
export async function newestEvent(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('audit_events')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(row.audit_events)
}
