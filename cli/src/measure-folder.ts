import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type MeasuredFile, pathCollisions, pathProblem } from '@kitseal/kit'
import { type FoundProblem, walkFolder } from '@kitseal/kit/node'
import { reason } from './unreadable-input.ts'

export interface LocalFile extends MeasuredFile {
  /** Where its bytes are on this machine. */
  readonly place: string
}

export type MeasuredFiles =
  | { readonly ok: true; readonly files: readonly LocalFile[] }
  | { readonly ok: false; readonly problems: readonly string[] }

export interface ListedFolder {
  readonly files: readonly Pick<LocalFile, 'path' | 'place'>[]
  /** What is no file, or one that cannot be called by its name. */
  readonly others: readonly { readonly path: string; readonly problem: FoundProblem }[]
}

/**
 * Everything below a folder, with names in normalization form C: macOS hands out the other one. Where a name is there in
 * both forms, both stay as they are, so that neither file takes the place of the other.
 */
export function listFolder(folder: string): ListedFolder {
  const files: Pick<LocalFile, 'path' | 'place'>[] = []
  const others: { readonly path: string; readonly problem: FoundProblem }[] = []
  for (const [normalized, items] of Map.groupBy(walkFolder(folder), ({ path }) => path.normalize('NFC'))) {
    for (const { path, place, problem } of items) {
      if (problem !== undefined) others.push({ path, problem })
      else files.push({ path: items.length === 1 ? normalized : path, place: place.toString() })
    }
  }
  return { files, others }
}

/** Hashes every file below a folder, named as it will be named below `prefix`; or says all that stands against it. */
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

/** Hashes files, whatever they are called. */
export function measureFiles(files: ListedFolder['files']): MeasuredFiles {
  const measured: LocalFile[] = []
  const problems: string[] = []
  for (const { path, place } of files) {
    try {
      measured.push(measure(path, place))
    } catch (error) {
      problems.push(`${path} cannot be read: ${reason(error)}`)
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: measured }
}

const CHUNK_BYTES = 1024 * 1024

function measure(path: string, place: string): LocalFile {
  const file = openSync(place, 'r')
  try {
    const hash = createHash('sha256')
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, lstatSync(place).size + 1))
    let crc = 0
    let sizeBytes = 0
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) {
      const part = chunk.subarray(0, got)
      hash.update(part)
      crc = crc32(part, crc)
      sizeBytes += got
    }
    return { path, place, sha256: hash.digest('hex'), sizeBytes, crc32: crc }
  } finally {
    closeSync(file)
  }
}
