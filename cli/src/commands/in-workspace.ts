import type { Administration } from '@kitseal/server'
import { type Answer, refused } from './admin-area.ts'

export type WorkspaceRow = Awaited<ReturnType<Administration['workspaces']['list']>>[number]

/** What is done with the workspace that the operator names; a refusal where there is none. */
export function inWorkspace(
  idOrName: string,
  act: (admin: Administration, row: WorkspaceRow) => Promise<Answer>,
): (admin: Administration) => Promise<Answer> {
  return async (admin) => {
    const row = await findWorkspace(admin, idOrName)
    return row === undefined ? noSuchWorkspace(idOrName) : act(admin, row)
  }
}

/** A workspace by its id, or by its name where only one has it. */
async function findWorkspace(admin: Administration, idOrName: string): Promise<WorkspaceRow | undefined> {
  const all = await admin.workspaces.list()
  const named = all.filter((row) => row.name === idOrName)
  return all.find((row) => row.workspace_id === idOrName) ?? (named.length === 1 ? named[0] : undefined)
}

function noSuchWorkspace(idOrName: string): Answer {
  return refused(
    'no_such_workspace',
    `There is no one workspace with the id or name ${JSON.stringify(idOrName)}.`,
    'See "kitseal admin workspace list" for those that there are.',
  )
}
