import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

export interface SmallFile {
  /** What it is meant to be, as it is said where it cannot be that. */
  readonly what: string
  readonly limitMiB: number
}

/** A file, or a pipe (a shell's <(…)), up to the limit: a device may never end. */
export function readSmallFile(path: string, kind: SmallFile): Uint8Array {
  const found = statSync(path)
  if (!found.isFile() && !found.isFIFO())
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size > kind.limitMiB * MEBIBYTE) throw tooLarge(kind)
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const parts: Buffer[] = []
    let total = 0
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) {
      total += got
      if (total > kind.limitMiB * MEBIBYTE) throw tooLarge(kind)
      parts.push(Buffer.from(chunk.subarray(0, got)))
    }
    return Buffer.concat(parts)
  } finally {
    closeSync(file)
  }
}

export const MEBIBYTE = 1024 * 1024

export function tooLarge({ what, limitMiB }: SmallFile): Error {
  return new Error(`it is larger than ${limitMiB} MiB, too large for ${what}`)
}
