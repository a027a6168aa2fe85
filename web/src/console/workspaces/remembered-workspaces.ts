import type { Me } from '@kitseal/client/console'

export interface RememberedWorkspace {
  readonly workspace_id: string
  readonly name: string
}

const MAX_REMEMBERED = 10

/** By address, so that people who share a browser do not see each other's workspaces. */
const keyOf = ({ member }: Me): string => `kitseal:workspaces:${member.email}`

/** The other workspaces that this member signed in to with this browser. Adds the current one. */
export function rememberWorkspace(me: Me): readonly RememberedWorkspace[] {
  const { workspace_id, name } = me.workspace
  const others = readRemembered(me).filter((one) => one.workspace_id !== workspace_id)
  const all = [{ workspace_id, name }, ...others].slice(0, MAX_REMEMBERED)
  try {
    localStorage.setItem(keyOf(me), JSON.stringify(all))
  } catch {
    // The browser stores nothing for this page.
  }
  return others
}

function readRemembered(me: Me): readonly RememberedWorkspace[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(keyOf(me)) ?? '[]')
    return Array.isArray(all) ? all.filter(isRemembered) : []
  } catch {
    return []
  }
}

const isRemembered = (one: unknown): one is RememberedWorkspace =>
  typeof one === 'object' &&
  one !== null &&
  'workspace_id' in one &&
  typeof one.workspace_id === 'string' &&
  'name' in one &&
  typeof one.name === 'string'
