import { statSync } from 'node:fs'
import { readUpTo } from './file-source.ts'

export interface SmallFile {
  /** What the file should be, for the error message: `a key set`. */
  readonly what: string
  readonly limitMiB: number
}

/** Reads a file, or a pipe such as a shell's `<(…)`, up to a limit. */
export function readSmallFile(path: string, kind: SmallFile): Uint8Array {
  const found = statSync(path)
  if (!found.isFile() && !found.isFIFO())
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  const bytes = found.size > kind.limitMiB * MEBIBYTE ? undefined : readUpTo(path, kind.limitMiB * MEBIBYTE)
  if (bytes !== undefined) return bytes
  throw new Error(`it is larger than ${kind.limitMiB} MiB, too large for ${kind.what}`)
}

const MEBIBYTE = 1024 * 1024
