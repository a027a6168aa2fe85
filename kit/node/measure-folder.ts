import { pathCollisions, pathProblem } from '../src/paths.ts'
import type { MeasuredFile } from '../src/seal.ts'
import type { FileHash, FileToHash } from './hash-files.ts'
import { hashInParallel } from './hash-in-parallel.ts'
import { type FoundProblem, walkFolder } from './walk-folder.ts'

export interface LocalFile extends MeasuredFile, FileToHash {}

export type MeasuredFiles =
  | { readonly ok: true; readonly files: readonly LocalFile[] }
  | { readonly ok: false; readonly problems: readonly string[] }

export interface ListedFolder {
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
  const listed = listFolder(folder)
  const problems: string[] = []
  const files = listed.files.map((file) => ({ ...file, path: `${prefix}${file.path}` }))
  const named = files.filter(({ path }) => {
    const problem = pathProblem(path.normalize('NFC'))
    if (problem !== undefined) problems.push(`${path} ${problem}`)
    return problem === undefined
  })
  for (const { path, problem } of listed.others) problems.push(`${prefix}${path} ${problem.text}`)
  problems.push(...pathCollisions(named.map(({ path }) => path)))
  if (files.length === 0 && problems.length === 0) problems.push('there is no file in it')
  return problems.length > 0 ? { ok: false, problems } : measureFiles(files, onProgress)
}

/** Hashes files without checking their names. */
export async function measureFiles(
  files: ListedFolder['files'],
  onProgress?: (doneBytes: number, totalBytes: number) => void,
): Promise<MeasuredFiles> {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const report = onProgress && ((doneBytes: number): void => onProgress(doneBytes, totalBytes))
  const hashed = await hashInParallel({ kind: 'files', files, withCrc32: true }, report)
  const byPath = new Map((hashed as readonly FileHash[]).map((file) => [file.path, file]))
  const measured: LocalFile[] = []
  const problems: string[] = []
  for (const file of files) {
    const { sha256, crc32, problem = `${file.path} was not read` } = byPath.get(file.path) ?? {}
    if (sha256 === undefined || crc32 === undefined) problems.push(problem)
    else measured.push({ ...file, sha256, crc32 })
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: measured }
}
