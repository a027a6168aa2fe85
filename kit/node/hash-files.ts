import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readFully } from './file-source.ts'

const CHUNK_BYTES = 256 * 1024

export interface FileHash {
  readonly path: string
  readonly sha256?: string
  readonly problem?: string
}

/** Hashes files of a folder, one after the other. Their sizes must still be the listed ones. */
export function hashFiles(
  folder: string,
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
  onProgress: (bytes: number) => void,
): readonly FileHash[] {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  return files.map(({ path, sizeBytes }) => {
    try {
      return { path, sha256: hashFile(join(folder, path), sizeBytes, chunk, onProgress) }
    } catch (error) {
      return {
        path,
        problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      }
    }
  })
}

function hashFile(
  path: string,
  sizeBytes: number,
  chunk: Buffer,
  onProgress: (bytes: number) => void,
): string {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size !== sizeBytes) throw new Error('it changed while it was being read')
    const hash = createHash('sha256')
    let at = 0
    for (;;) {
      const got = readFully(file, chunk, at, CHUNK_BYTES)
      if (got === 0) break
      hash.update(got === CHUNK_BYTES ? chunk : chunk.subarray(0, got))
      at += got
      onProgress(got)
      if (got < CHUNK_BYTES) break
    }
    if (at !== sizeBytes) throw new Error('it changed while it was being read')
    return hash.digest('hex')
  } finally {
    closeSync(file)
  }
}
