import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where a user's own files are kept. Never below the folder that a command runs in: what lies there may be anybody's. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  return isAbsolute(named) ? named : join(homeFolder(env['HOME'] ?? ''), '.config')
}

function homeFolder(named: string): string {
  if (isAbsolute(named)) return named
  try {
    return userInfo().homedir
  } catch {
    // In a container, a user may have neither name nor home.
    return '/'
  }
}
