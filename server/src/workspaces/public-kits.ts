import type { Kysely } from 'kysely'
import { constantTimeLookup } from '../database/constant-time-lookup.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import { ANYONE, type Caller } from '../http/caller.ts'
import type { KitId, WorkspaceId } from '../identifiers.ts'

/** The workspace of a job or kit, and whether its kits are public. Null without a workspace. */
export interface Owned {
  readonly workspace_id: WorkspaceId | null
  readonly public_kits: number | null
}

/** Anyone with the ID can see a public kit. A private one also needs the workspace's key. */
export function isVisible({ workspace_id, public_kits }: Owned, caller: Caller): boolean {
  if (workspace_id === null || public_kits !== 0) return true
  return caller.is === 'workspace' && caller.plan.apiAccess && caller.workspaceId === workspace_id
}

/** Whether a kit exists and is visible to the caller. One query for both, so that timing does not reveal whether a private kit exists. */
export function kitVisibility(db: Kysely<Database>): (kitId: KitId, caller: Caller) => Promise<boolean> {
  const lookUp = constantTimeLookup<KitId, Owned>(
    prepared(
      db,
      db
        .selectFrom('kits')
        .innerJoin('jobs', 'jobs.job_id', 'kits.job_id')
        .leftJoin('workspaces', 'workspaces.workspace_id', 'jobs.workspace_id')
        .select(['jobs.workspace_id', 'workspaces.public_kits'])
        .where('kits.kit_id', '=', '' as KitId),
    ),
  )
  return async (kitId, caller) => {
    const owned = await lookUp.find(kitId)
    if (owned !== undefined && isVisible(owned, caller)) return true
    await lookUp.equalizeTime(owned)
    return false
  }
}

/** Whether the kits of a workspace are visible to the caller. Not cached, so that a change takes effect at once. */
export function publicKits(
  db: Kysely<Database>,
): (workspaceId: WorkspaceId | null, caller: Caller | undefined) => Promise<boolean> {
  const find = prepared(
    db,
    db
      .selectFrom('workspaces')
      .select('public_kits')
      .where('workspace_id', '=', '' as WorkspaceId),
  )
  return async (workspace_id, caller = ANYONE) => {
    if (workspace_id === null) return true
    const row = await find(workspace_id)
    return isVisible({ workspace_id, public_kits: row?.public_kits ?? 0 }, caller)
  }
}
