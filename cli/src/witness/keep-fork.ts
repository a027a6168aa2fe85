import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../write-new-file.ts'

/**
 * Keeps two checkpoints that one log signed for one size with different roots: proof that it has two histories. Only the
 * first pair of a log is kept. Returns the files, or undefined if there are some already.
 */
export function keepFork(folder: string, cosigned: string, refused: string): readonly string[] | undefined {
  const [origin = ''] = refused.split('\n')
  const prefix = `fork-${createHash('sha256').update(origin).digest('hex').slice(0, 16)}-`
  if (readdirSync(folder).some((name) => name.startsWith(prefix))) return undefined
  const notes = { cosigned, refused }
  return Object.entries(notes).map(([name, note]) => {
    const file = join(folder, `${prefix}${name}.note`)
    writeNewFile(file, note)
    return file
  })
}
