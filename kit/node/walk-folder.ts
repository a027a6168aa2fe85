import { isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync } from 'node:fs'

/** Anything in a folder, or in folders below it, that is not a folder. */
export interface FoundItem {
  /** Relative to the folder, with `/`. Bytes that are not UTF-8 appear as `\xff`; no kit can contain a backslash. */
  readonly path: string
  /** Its path on this machine, as bytes. */
  readonly diskPath: Buffer
  readonly sizeBytes: number
  readonly isFile: boolean
  /** Why it cannot be sealed. */
  readonly problem?: FoundProblem
}

export interface FoundProblem {
  readonly is: 'link' | 'special' | 'not_utf8' | 'unreadable'
  /** Continues a sentence that begins with the path: `is a symbolic link`. */
  readonly text: string
}

/** Lists everything in a folder. Symbolic links are listed, never followed. */
export function walkFolder(folder: string): readonly FoundItem[] {
  const found: FoundItem[] = []
  const pending: Folder[] = [{ diskPath: Buffer.from(folder), prefix: '', isUtf8Path: true }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const item of childrenOf(next, found)) {
      const path = next.prefix + displayName(item.name)
      const diskPath = Buffer.concat([next.diskPath, SLASH, item.name])
      const isUtf8Path = next.isUtf8Path && isUtf8(item.name)
      if (item.isDirectory()) pending.push({ diskPath, prefix: `${path}/`, isUtf8Path })
      else found.push(foundItem({ path, diskPath, isUtf8Path }, item))
    }
  }
  return found
}

interface Folder {
  readonly diskPath: Buffer
  readonly prefix: string
  /** Whether its path is UTF-8. */
  readonly isUtf8Path: boolean
}

const SLASH = Buffer.from('/')

function childrenOf({ diskPath, prefix }: Folder, found: FoundItem[]): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(diskPath, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (prefix === '') throw error
    found.push({
      path: prefix.slice(0, -1),
      diskPath,
      sizeBytes: 0,
      isFile: false,
      problem: { is: 'unreadable', text: `cannot be listed${errorCode(error)}` },
    })
    return []
  }
}

function foundItem(
  {
    path,
    diskPath,
    isUtf8Path,
  }: { readonly path: string; readonly diskPath: Buffer; readonly isUtf8Path: boolean },
  item: Dirent<Buffer>,
): FoundItem {
  const bare = { path, diskPath, sizeBytes: 0, isFile: item.isFile() }
  if (item.isSymbolicLink()) return { ...bare, problem: { is: 'link', text: 'is a symbolic link' } }
  if (!item.isFile()) return { ...bare, problem: { is: 'special', text: 'is a special file' } }
  try {
    const found = { ...bare, sizeBytes: lstatSync(diskPath).size }
    return isUtf8Path ? found : { ...found, problem: NOT_UTF8 }
  } catch (error) {
    return { ...bare, problem: { is: 'unreadable', text: `cannot be read${errorCode(error)}` } }
  }
}

const NOT_UTF8: FoundProblem = {
  is: 'not_utf8',
  text: 'has a name that is not UTF-8, so no manifest can list it',
}

function displayName(name: Buffer): string {
  if (isUtf8(name)) return name.toString()
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join('')
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
}
