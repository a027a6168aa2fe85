import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

export interface WorkspaceReaders {
  readonly workspace: string
  /** Email addresses of the owners. */
  readonly owners: readonly string[]
}

/** Who reads mail for a workspace. */
export async function readersOf(db: Db, workspaceId: WorkspaceId): Promise<WorkspaceReaders> {
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const owners = await db
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('email')
    .execute()
  return { workspace: name, owners: owners.map(({ email }) => email) }
}
