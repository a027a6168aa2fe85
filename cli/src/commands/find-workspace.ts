import type { Administration } from '@kitseal/server'
import { type Answer, refused } from './admin-area.ts'

export type WorkspaceRow = Awaited<ReturnType<Administration['workspaces']['list']>>[number]

/** A workspace by its id, or by its name where only one has it. */
export async function findWorkspace(
  admin: Administration,
  idOrName: string,
): Promise<WorkspaceRow | undefined> {
  const all = await admin.workspaces.list()
  const named = all.filter((row) => row.name === idOrName)
  return all.find((row) => row.workspace_id === idOrName) ?? (named.length === 1 ? named[0] : undefined)
}

export function noSuchWorkspace(idOrName: string): Answer {
  return refused(
    'no_such_workspace',
    `There is no one workspace with the id or name ${JSON.stringify(idOrName)}.`,
    'See "kitseal admin workspace list" for those that there are.',
  )
}
