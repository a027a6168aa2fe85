import type { Administration } from '@kitseal/server'
import { type Answer, refused } from './admin-answer.ts'

export type WorkspaceRow = Awaited<ReturnType<Administration['workspaces']['list']>>[number]

/** What is done with the workspace that the operator names; a refusal where there is none. */
export function inWorkspace(
  idOrName: string,
  act: (admin: Administration, row: WorkspaceRow) => Promise<Answer>,
): (admin: Administration) => Promise<Answer> {
  return async (admin) => {
    const found = await findWorkspaces(admin, idOrName)
    const [row] = found
    return row !== undefined && found.length === 1 ? act(admin, row) : notOne(idOrName, found.length)
  }
}

/** The workspace of an id, or those of a name. */
async function findWorkspaces(admin: Administration, idOrName: string): Promise<readonly WorkspaceRow[]> {
  const all = await admin.workspaces.list()
  const identified = all.filter((row) => row.workspace_id === idOrName)
  return identified.length > 0 ? identified : all.filter((row) => row.name === idOrName)
}

function notOne(idOrName: string, count: number): Answer {
  const said = JSON.stringify(idOrName)
  return refused(
    'no_such_workspace',
    count === 0
      ? `There is no workspace with the id or name ${said}.`
      : `${count} workspaces are called ${said}: name one by its id.`,
    'See "kitseal admin workspace list" for those that there are.',
  )
}
