import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '@kitseal/kit/internal/node'

/** Private key files by name. */
export async function readKeyFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = new Map<string, string>()
  for (const name of names.filter((each) => each.endsWith('.key')).toSorted())
    files.set(name, await readFile(join(folder, name), 'utf8'))
  return files
}

export async function writeKeyFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  if (files.size === 0) return
  await makeFolder(folder)
  await chmod(folder, 0o700)
  for (const [name, text] of files) {
    await writeFile(join(folder, name), text, { mode: 0o600, flush: true })
    await chmod(join(folder, name), 0o600)
  }
  await syncFolder(folder)
}
