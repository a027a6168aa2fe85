import { isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync } from 'node:fs'

/** Something below a folder that is no folder itself. */
export interface FoundItem {
  /** Below the folder, with `/` between its parts. Bytes that are not UTF-8 are spelled `\xff`, which no kit's path holds. */
  readonly path: string
  /** Where it is on this machine, byte for byte. */
  readonly place: Buffer
  readonly sizeBytes: number
  readonly isFile: boolean
  /** Why it cannot be taken as a file. */
  readonly problem?: FoundProblem
}

export interface FoundProblem {
  readonly is: 'link' | 'special' | 'not_utf8' | 'unreadable'
  /** What is true of it, as the end of a sentence that begins with its path. */
  readonly text: string
}

/**
 * Lists everything in a folder. Symbolic links are listed, never followed.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { walkFolder } from '@kitseal/kit/node'
 *
 * assert.deepEqual(walkFolder('evidence').map(({ path }) => path), ['users.csv'])
 * ```
 */
export function walkFolder(folder: string): readonly FoundItem[] {
  const found: FoundItem[] = []
  const waiting: Folder[] = [{ place: Buffer.from(folder), prefix: '', nameable: true }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const item of childrenOf(next, found)) {
      const path = next.prefix + spelled(item.name)
      const place = Buffer.concat([next.place, SLASH, item.name])
      const nameable = next.nameable && isUtf8(item.name)
      if (item.isDirectory()) waiting.push({ place, prefix: `${path}/`, nameable })
      else found.push(foundItem({ path, place, nameable }, item))
    }
  }
  return found
}

interface Folder {
  readonly place: Buffer
  readonly prefix: string
  /** Whether its name below the top, and those of the folders around it, are UTF-8. */
  readonly nameable: boolean
}

const SLASH = Buffer.from('/')

function childrenOf({ place, prefix }: Folder, found: FoundItem[]): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(place, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (prefix === '') throw error
    found.push({
      path: prefix.slice(0, -1),
      place,
      sizeBytes: 0,
      isFile: false,
      problem: { is: 'unreadable', text: `cannot be listed${because(error)}` },
    })
    return []
  }
}

function foundItem(
  { path, place, nameable }: { readonly path: string; readonly place: Buffer; readonly nameable: boolean },
  item: Dirent<Buffer>,
): FoundItem {
  const bare = { path, place, sizeBytes: 0, isFile: item.isFile() }
  if (item.isSymbolicLink()) return { ...bare, problem: { is: 'link', text: 'is a symbolic link' } }
  if (!item.isFile()) return { ...bare, problem: { is: 'special', text: 'is a special file' } }
  try {
    const found = { ...bare, sizeBytes: lstatSync(place).size }
    return nameable ? found : { ...found, problem: NOT_UTF8 }
  } catch (error) {
    return { ...bare, problem: { is: 'unreadable', text: `cannot be read${because(error)}` } }
  }
}

const NOT_UTF8: FoundProblem = {
  is: 'not_utf8',
  text: 'has a name that is not UTF-8, so no manifest can list it',
}

function spelled(name: Buffer): string {
  if (isUtf8(name)) return name.toString()
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join('')
}

function because(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
}
