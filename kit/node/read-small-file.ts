import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

export interface SmallFile {
  /** What the file should be, for the error message: `a key set`. */
  readonly what: string
  readonly limitMiB: number
}

/**
 * Reads a file, or a pipe such as a shell's `<(…)`, up to a limit.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readSmallFile } from '@kitseal/kit/node'
 *
 * const bytes = readSmallFile('issuer.jwks.json', { what: 'a key set', limitMiB: 4 })
 * assert.ok(bytes.length > 0)
 * ```
 */
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

const MEBIBYTE = 1024 * 1024

function tooLarge({ what, limitMiB }: SmallFile): Error {
  return new Error(`it is larger than ${limitMiB} MiB, too large for ${what}`)
}
