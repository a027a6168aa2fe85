import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/**
 * Creates a folder and its missing parents, by default for the owner only. Returns the outermost folder created.
 * Not mkdir with `recursive`, which retries forever where the system refuses, as in /proc.
 */
export async function makeFolder(path: string, mode = OWNER_ONLY): Promise<string | undefined> {
  if (await isFolder(path)) return undefined
  const outermost = dirname(path) === path ? undefined : await makeFolder(dirname(path), mode)
  try {
    await mkdir(path, { mode })
    return outermost ?? path
  } catch (error) {
    // Another process may have created it.
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
