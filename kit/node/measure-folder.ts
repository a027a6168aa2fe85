import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { pathCollisions, pathProblem } from '../src/paths.ts'
import type { MeasuredFile } from '../src/seal.ts'
import { describeError } from './describe-error.ts'
import { fileBuffer, fileChunks } from './file-source.ts'
import { type FoundProblem, walkFolder } from './walk-folder.ts'

export interface LocalFile extends MeasuredFile {
  /** Its path on this machine. */
  readonly diskPath: string
}

export type MeasuredFiles =
  | { readonly ok: true; readonly files: readonly LocalFile[] }
  | { readonly ok: false; readonly problems: readonly string[] }

export interface ListedFolder {
  readonly files: readonly Pick<LocalFile, 'path' | 'diskPath'>[]
  /** Links, special files, and files whose names are not UTF-8. */
  readonly others: readonly { readonly path: string; readonly problem: FoundProblem }[]
}

/**
 * Lists a folder with names in Unicode normalization form C (macOS uses form D). Names that exist in both forms stay as
 * they are, so that neither file replaces the other.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { listFolder } from '@kitseal/kit/node'
 *
 * const { files, others } = listFolder('evidence')
 * assert.deepEqual(files.map(({ path }) => path), ['users.csv'])
 * assert.deepEqual(others, [])
 * ```
 */
export function listFolder(folder: string): ListedFolder {
  const found = walkFolder(folder)
  const forms = new Map<string, number>()
  for (const { path } of found) forms.set(path.normalize('NFC'), (forms.get(path.normalize('NFC')) ?? 0) + 1)
  const files: Pick<LocalFile, 'path' | 'diskPath'>[] = []
  const others: { readonly path: string; readonly problem: FoundProblem }[] = []
  for (const { path, diskPath, problem } of found) {
    const normalized = path.normalize('NFC')
    if (problem !== undefined) others.push({ path, problem })
    else files.push({ path: forms.get(normalized) === 1 ? normalized : path, diskPath: diskPath.toString() })
  }
  return { files, others }
}

/**
 * Hashes every file in a folder, with `prefix` before each path, or reports why the folder cannot be sealed.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { measureFolder } from '@kitseal/kit/node'
 *
 * const measured = measureFolder('evidence', 'data/')
 * assert.ok(measured.ok)
 * assert.equal(measured.files[0]?.path, 'data/users.csv')
 * ```
 */
export function measureFolder(folder: string, prefix: string): MeasuredFiles {
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
  return problems.length > 0 ? { ok: false, problems } : measureFiles(files)
}

/**
 * Hashes files without checking their names.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { measureFiles } from '@kitseal/kit/node'
 *
 * const measured = measureFiles([{ path: 'data/users.csv', diskPath: 'evidence/users.csv' }])
 * assert.ok(measured.ok)
 * assert.equal(measured.files[0]?.sha256.length, 64)
 * ```
 */
export function measureFiles(files: ListedFolder['files']): MeasuredFiles {
  const chunk = fileBuffer()
  const measured: LocalFile[] = []
  const problems: string[] = []
  for (const { path, diskPath } of files) {
    try {
      measured.push(measure(path, diskPath, chunk))
    } catch (error) {
      problems.push(`${path} cannot be read: ${describeError(error)}`)
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: measured }
}

function measure(path: string, diskPath: string, chunk: Buffer): LocalFile {
  const hash = createHash('sha256')
  let crc = 0
  let sizeBytes = 0
  for (const bytes of fileChunks(diskPath, chunk)) {
    hash.update(bytes)
    crc = crc32(bytes, crc)
    sizeBytes += bytes.length
  }
  return { path, diskPath, sha256: hash.digest('hex'), sizeBytes, crc32: crc }
}
