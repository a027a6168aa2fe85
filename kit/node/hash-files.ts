import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileBuffer, fileChunks } from './file-source.ts'

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
  const chunk = fileBuffer()
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
  const hash = createHash('sha256')
  let left = sizeBytes
  for (const bytes of fileChunks(path, chunk)) {
    hash.update(bytes)
    left -= bytes.length
    onProgress(bytes.length)
    if (left < 0) break
  }
  if (left !== 0) throw new Error('it changed while it was being read')
  return hash.digest('hex')
}
