import type { Caller } from '../http/caller.ts'
import type { WorkspaceId } from '../identifiers.ts'

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
