import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describeError } from './describe-error.ts'
import { fileBuffer, fileChunks } from './file-source.ts'

export interface FileToHash {
  readonly path: string
  /** Its path on this machine. */
  readonly diskPath: string
  readonly sizeBytes: number
}

export interface FileHash {
  readonly path: string
  readonly sha256?: string
  readonly crc32?: number
  readonly problem?: string
}

/** Hashes files, one after the other. Their sizes must still be the listed ones. */
export function hashFiles(
  files: readonly FileToHash[],
  withCrc32: boolean,
  onProgress: (bytes: number) => void,
): readonly FileHash[] {
  const chunk = fileBuffer()
  return files.map((file) => {
    try {
      return { path: file.path, ...hashFile(file, withCrc32, chunk, onProgress) }
    } catch (error) {
      return { path: file.path, problem: `${file.path} cannot be read: ${describeError(error)}` }
    }
  })
}

function hashFile(
  { diskPath, sizeBytes }: FileToHash,
  withCrc32: boolean,
  chunk: Buffer,
  onProgress: (bytes: number) => void,
): Pick<FileHash, 'sha256' | 'crc32'> {
  const hash = createHash('sha256')
  let crc = 0
  let left = sizeBytes
  for (const bytes of fileChunks(diskPath, chunk)) {
    hash.update(bytes)
    if (withCrc32) crc = crc32(bytes, crc)
    left -= bytes.length
    onProgress(bytes.length)
    if (left < 0) break
  }
  if (left !== 0) throw new Error('it changed while it was being read')
  return { sha256: hash.digest('hex'), ...(withCrc32 ? { crc32: crc } : {}) }
}
