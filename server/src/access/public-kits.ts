import { constantTimeLookup } from '../database/secret.ts'
import { type Param, preparedFirst } from '../database/statements.ts'
import type { Db, PublicKits } from '../database/schema.ts'
import type { Caller } from '../http/caller.ts'
import type { KitId, WorkspaceId } from '../runtime/identifiers.ts'

/** The workspace of a job or kit, and what it shows to anyone. Null without a workspace. */
export interface Owned {
  readonly workspace_id: WorkspaceId | null
  readonly visibility: PublicKits | null
}

/** `receipt` stands for the job and the receipt, `kit` for the manifest and the download. */
export type KitPart = 'receipt' | 'kit'

const SHOWN: Readonly<Record<PublicKits, readonly KitPart[]>> = {
  receipts: ['receipt'],
  all: ['receipt', 'kit'],
  none: [],
}

export const PUBLIC_KITS = Object.keys(SHOWN) as readonly PublicKits[]

/** Anyone with the ID can see what the workspace has made public. The rest also needs its key, or a session of a member. */
export function isVisible({ workspace_id, visibility }: Owned, caller: Caller, part: KitPart): boolean {
  if (workspace_id === null || SHOWN[visibility ?? 'none'].includes(part)) return true
  return caller.is === 'workspace' && caller.plan.apiAccess && caller.workspaceId === workspace_id
}

/** Whether a kit is issued and visible to the caller. One query for both, so that timing does not reveal whether a hidden kit exists. */
export function kitVisibility(db: Db): (kitId: KitId, caller: Caller, part: KitPart) => Promise<boolean> {
  const find = preparedFirst(db, (param: Param<{ id: KitId }>) =>
    db
      .selectFrom('kits')
      .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
      .leftJoin('workspaces', 'workspaces.workspace_id', 'submissions.workspace_id')
      .select(['submissions.workspace_id', 'workspaces.visibility'])
      .where('kits.kit_id', '=', param('id')),
  )
  const lookUp = constantTimeLookup<KitId, Owned>((id) => find({ id }))
  return async (kitId, caller, part) => {
    const owned = await lookUp.find(kitId)
    if (owned !== undefined && isVisible(owned, caller, part)) return true
    await lookUp.equalizeTime(owned)
    return false
  }
}
