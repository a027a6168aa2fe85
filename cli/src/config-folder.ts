import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The user's configuration folder. Never relative to the working directory, which others may control. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  return isAbsolute(named) ? named : join(homeFolder(env['HOME'] ?? ''), '.config')
}

/** The user's folder for data that programs keep between runs. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_STATE_HOME'] ?? ''
  return isAbsolute(named) ? named : join(homeFolder(env['HOME'] ?? ''), '.local', 'state')
}

function homeFolder(named: string): string {
  if (isAbsolute(named)) return named
  try {
    return userInfo().homedir
  } catch {
    // In a container, the user may have no passwd entry.
    return '/'
  }
}
