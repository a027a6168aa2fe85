import type { Kysely } from 'kysely'
import { constantTimeLookup } from '../database/constant-time-lookup.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import { ANYONE, type Caller } from '../http/caller.ts'
import type { KitId, WorkspaceId } from '../identifiers.ts'

/** Whose a job or kit is, and whether that workspace shows its kits to everyone; null for nobody's. */
export interface Owned {
  readonly workspace_id: WorkspaceId | null
  readonly public_kits: number | null
}

/** An id is a capability, except where the workspace has switched that off: then its key is needed too. */
export function mayBeShown({ workspace_id, public_kits }: Owned, caller: Caller): boolean {
  if (workspace_id === null || public_kits !== 0) return true
  return caller.is === 'workspace' && caller.plan.apiAccess && caller.workspaceId === workspace_id
}

/**
 * Whether there is such a kit, and it may be shown to whom. One question for both, before anything that is kept of kits is
 * looked at: the time of an answer does not tell a kit that is not shown from one that does not exist.
 */
export function kitsShown(db: Kysely<Database>): (kitId: KitId, caller: Caller) => Promise<boolean> {
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
    if (owned !== undefined && mayBeShown(owned, caller)) return true
    await lookUp.equalizeTime(owned)
    return false
  }
}

/** Whether what belongs to a workspace may be shown; asked of the store each time, so that a switch works at once. */
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
    return mayBeShown({ workspace_id, public_kits: row?.public_kits ?? 0 }, caller)
  }
}
