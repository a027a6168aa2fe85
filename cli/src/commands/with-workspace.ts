import type { Administration } from '@kitseal/server'
import { printable } from '../terminal.ts'
import { done, refused } from './admin-result.ts'
import { limitLines, limitsOf } from './plan-limits.ts'
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

/** Whether the operator vouches for the name. */
export const confirmation = ({ named_by }: Pick<WorkspaceRow, 'named_by'>): string =>
  ({ operator: 'yes', workspace: 'no', service: 'not named yet' })[named_by]

/** A workspace with the limits of its plan, as text and as JSON. */
export async function describeWorkspace(admin: Administration, row: WorkspaceRow): Promise<Shown> {
  const plan = await admin.plans.find(row.plan)
  const limits = plan === undefined ? {} : await limitsOf(plan)
  const lines = [...workspaceLines(row), ...(plan === undefined ? [] : await limitLines(plan))]
  return done(lines, { ...workspaceJson(row), limits })
}

function workspaceLines(row: WorkspaceRow): readonly string[] {
  return [
    `Workspace:   ${row.workspace_id}`,
    `Name:        ${printable(row.name)}`,
    `Confirmed:   ${confirmation(row)}`,
    `Credits:     ${row.credits_unlimited === 1 ? 'unlimited' : `${row.credits_available} available, ${row.credits_held} held`}`,
    `Public kits: ${row.visibility}`,
    ...pinnedIssuers(row).map((issuer) => `Pinned:      ${printable(issuer)}`),
    `Created:     ${row.created_at}`,
    `Plan:        ${row.plan}`,
  ]
}

function pinnedIssuers({ pins }: Pick<WorkspaceRow, 'pins'>): readonly string[] {
  const stored = pins === null ? [] : (JSON.parse(pins) as readonly { readonly issuer: string }[])
  return [...new Set(stored.map(({ issuer }) => issuer))]
}

export function workspaceJson(row: WorkspaceRow) {
  return {
    workspace_id: row.workspace_id,
    name: row.name,
    named_by: row.named_by,
    plan: row.plan,
    public_kits: row.visibility,
    pinned_issuers: pinnedIssuers(row),
    credits_available: row.credits_unlimited === 1 ? null : row.credits_available,
    credits_held: row.credits_held,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
