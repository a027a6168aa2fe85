import type { Administration } from '@kitseal/server'
import { refused } from './admin-result.ts'
import type { Shown } from '../command-line.ts'

export type WorkspaceRow = Awaited<ReturnType<Administration['workspaces']['list']>>[number]

/** Runs `act` on the workspace with this ID or unique name, or refuses. */
export function withWorkspace(
  idOrName: string,
  act: (admin: Administration, row: WorkspaceRow) => Promise<Shown>,
): (admin: Administration) => Promise<Shown> {
  return async (admin) => {
    const found = await findWorkspaces(admin, idOrName)
    const [row] = found
    return row !== undefined && found.length === 1 ? act(admin, row) : notOne(idOrName, found.length)
  }
}

/** The workspace with this ID, or all with this name. */
async function findWorkspaces(admin: Administration, idOrName: string): Promise<readonly WorkspaceRow[]> {
  const all = await admin.workspaces.list()
  const identified = all.filter((row) => row.workspace_id === idOrName)
  return identified.length > 0 ? identified : all.filter((row) => row.name === idOrName)
}

function notOne(idOrName: string, count: number): Shown {
  const quoted = JSON.stringify(idOrName)
  return refused(
    'no_such_workspace',
    count === 0
      ? `No workspace with the ID or name ${quoted}.`
      : `${count} workspaces are named ${quoted}. Use an ID.`,
    'Run "kitseal admin workspace list" to list workspaces.',
  )
}
