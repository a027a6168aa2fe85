import { userInfo } from 'node:os'
import { userFolder } from '@kitseal/kit/internal/node'

type Environment = Readonly<Record<string, string | undefined>>

/** The user's configuration folder. */
export const configFolder = (env: Environment): string => folderOf('config', env)

/** The user's folder for data that programs keep between runs. */
export const stateFolder = (env: Environment): string => folderOf('state', env)

function folderOf(kind: 'config' | 'state', env: Environment): string {
  const named = userFolder(kind, env)
  if (named !== undefined) return named
  // Asks the system for the user, which may call a name service.
  const home = homeFolder()
  return userFolder(kind, { HOME: home, USERPROFILE: home }) ?? home
}

function homeFolder(): string {
  try {
    return userInfo().homedir
  } catch {
    // In a container, the user may have no passwd entry.
    return '/'
  }
}
