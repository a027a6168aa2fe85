import { textOf } from '../src/texts/english.ts'
import { isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { pathCollisions, pathProblem } from '../src/paths.ts'
import type { Hashed } from '../src/encoding/zip-content.ts'
import { hashInParallel } from './hash-files.ts'
import type { Checksum, FileToHash } from './hash-threads.ts'

/** A file of this machine that was read. */
export type LocalFile<Sum extends Checksum = Checksum> = FileToHash & Required<Pick<Hashed, Sum>>

export type MeasuredFiles<Sum extends Checksum = Checksum> =
  | { readonly ok: true; readonly files: readonly LocalFile<Sum>[] }
  | { readonly ok: false; readonly problems: readonly string[] }

interface ListedFolder {
  readonly files: readonly FileToHash[]
  /** Links, special files, and files whose names are not UTF-8. */
  readonly others: readonly { readonly path: string; readonly problem: FoundProblem }[]
}

/**
 * Lists a folder with names in Unicode normalization form C (macOS uses form D). Names that exist in both forms stay as
 * they are, so that neither file replaces the other.
 */
export function listFolder(folder: string): ListedFolder {
  const found = walkFolder(folder)
  const forms = new Map<string, number>()
  for (const { path } of found) forms.set(path.normalize('NFC'), (forms.get(path.normalize('NFC')) ?? 0) + 1)
  const files: FileToHash[] = []
  const others: { readonly path: string; readonly problem: FoundProblem }[] = []
  for (const { path, diskPath, sizeBytes, problem } of found) {
    const normalized = path.normalize('NFC')
    if (problem !== undefined) others.push({ path, problem })
    else
      files.push({
        path: forms.get(normalized) === 1 ? normalized : path,
        diskPath: diskPath.toString(),
        sizeBytes,
      })
  }
  return { files, others }
}

/**
 * Hashes every file in a folder, with `prefix` before each path, or reports why the folder cannot be sealed.
 */
export async function measureFolder(
  folder: string,
  prefix: string,
  onProgress?: (doneBytes: number, totalBytes: number) => void,
): Promise<MeasuredFiles> {
  const found = listFolder(folder)
  const problems: string[] = []
  const files = found.files.map((file) => ({ ...file, path: `${prefix}${file.path}` }))
  const named = files.filter(({ path }) => {
    const problem = pathProblem(path.normalize('NFC'))
    if (problem !== undefined) problems.push(`${path} ${problem}`)
    return problem === undefined
  })
  for (const { path, problem } of found.others) problems.push(`${prefix}${path} ${problem.text}`)
  problems.push(...pathCollisions(named.map(({ path }) => path)).map(textOf))
  if (files.length === 0 && problems.length === 0) problems.push('there is no file in it')
  return problems.length > 0 ? { ok: false, problems } : measureFiles(files, ['sha256', 'crc32'], onProgress)
}

/** Computes these checksums of files, without checking their names. */
export async function measureFiles<Sum extends Checksum>(
  files: ListedFolder['files'],
  checksums: readonly Sum[],
  onProgress?: (doneBytes: number, totalBytes: number) => void,
): Promise<MeasuredFiles<Sum>> {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const report = onProgress && ((doneBytes: number): void => onProgress(doneBytes, totalBytes))
  const hashed = await hashInParallel({ kind: 'files', files, checksums }, report)
  const byPath = new Map(hashed.map((file) => [file.path, file]))
  const measured: LocalFile<Sum>[] = []
  const problems: string[] = []
  for (const file of files) {
    const result = byPath.get(file.path)
    if (hasAll(result, checksums)) measured.push({ ...file, ...result })
    else problems.push(textOf(result?.problem ?? `${file.path} was not read`))
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: measured }
}

function hasAll<Sum extends Checksum>(
  result: Hashed | undefined,
  checksums: readonly Sum[],
): result is Hashed & Required<Pick<Hashed, Sum>> {
  return result !== undefined && checksums.every((sum) => result[sum] !== undefined)
}

/** Anything in a folder, or in folders below it, that is not a folder. */
interface FoundItem {
  /** Relative to the folder, with `/`. Bytes that are not UTF-8 appear as `\xff`; no kit can contain a backslash. */
  readonly path: string
  /** Its path on this machine, as bytes. */
  readonly diskPath: Buffer
  readonly sizeBytes: number
  readonly isFile: boolean
  /** Why it cannot be sealed. */
  readonly problem?: FoundProblem
}

interface FoundProblem {
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
      else found.push(foundItem(path, { diskPath, isUtf8Path }, item))
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
  path: string,
  { diskPath, isUtf8Path }: Omit<Folder, 'prefix'>,
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
