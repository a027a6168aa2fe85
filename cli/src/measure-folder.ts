import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type MeasuredFile, pathCollisions, pathProblem } from '@kitseal/kit'
import { walkFolder } from '@kitseal/kit/node'
import { reason } from './read-key-set.ts'

export interface LocalFile extends MeasuredFile {
  /** Where its bytes are on this machine. */
  readonly place: string
}

export type MeasuredFolder =
  | { readonly ok: true; readonly files: readonly LocalFile[] }
  | { readonly ok: false; readonly problems: readonly string[] }

const CHUNK_BYTES = 1024 * 1024

/** Hashes every file below a folder, named as it will be named below `prefix`; or says all that stands against it. */
export function measureFolder(folder: string, prefix: string): MeasuredFolder {
  const problems: string[] = []
  const places = new Map<string, string>()
  for (const item of walkFolder(folder)) {
    const path = `${prefix}${item.path.normalize('NFC')}`
    const problem = item.problem ?? pathProblem(path)
    if (problem !== undefined) problems.push(`${path} ${problem}`)
    else places.set(path, item.place.toString())
  }
  problems.push(...pathCollisions([...places.keys()]))
  if (places.size === 0 && problems.length === 0) problems.push('there is no file in it')
  if (problems.length > 0) return { ok: false, problems }
  const files: LocalFile[] = []
  for (const [path, place] of places) {
    try {
      files.push(measure(path, place))
    } catch (error) {
      problems.push(`${path} cannot be read: ${reason(error)}`)
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files }
}

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
