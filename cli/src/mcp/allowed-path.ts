import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isInside } from '@kitseal/kit/internal/node'
import { describeError, InputError } from '../input-error.ts'

/** The folders that tools may read, without links. Throws if one is not a folder. */
export function openFolders(given: readonly string[]): readonly string[] {
  return given.map((folder) => {
    try {
      const real = realpathSync(folder)
      if (statSync(real).isDirectory()) return real
    } catch (error) {
      throw new InputError(`cannot read ${folder}: ${describeError(error)}`)
    }
    throw new InputError(`--folder ${folder} is not a folder`)
  })
}

/** The file itself behind a path, which must be in one of the folders. A path that is relative is looked for in each. */
export function allowedPath(folders: readonly string[], path: string): string {
  if (path === '' || path.includes('\0') || path.split(/[/\\]/).includes('..')) throw refused(path)
  const found = (isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path))).flatMap(realPath)
  const real = found.find((each) => folders.some((folder) => isInside(folder, each)))
  if (real === undefined) throw refused(path)
  return real
}

/** The same for a path outside and for one that does not exist, so that nothing outside can be explored. */
const refused = (path: string): InputError =>
  new InputError(`${JSON.stringify(path)} is not a file or folder below a folder of --folder`)

/** Empty for what is neither a file nor a folder: opening a pipe blocks. */
function realPath(path: string): readonly string[] {
  try {
    const real = realpathSync(path)
    const found = statSync(real)
    return found.isFile() || found.isDirectory() ? [real] : []
  } catch {
    return []
  }
}
