import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const FOR_ITS_OWNER = 0o700

/**
 * Makes a folder and those around it that are missing; answers the outermost that it made. One after the other: asked for
 * all at once, the runtime tries for ever where the system lets none be made, as in /proc.
 */
export async function makeFolder(path: string, mode = FOR_ITS_OWNER): Promise<string | undefined> {
  if (await isFolder(path)) return undefined
  const outermost = dirname(path) === path ? undefined : await makeFolder(dirname(path), mode)
  try {
    await mkdir(path, { mode })
    return outermost ?? path
  } catch (error) {
    // Another process may have been first.
    if (await isFolder(path)) return outermost
    throw error
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
