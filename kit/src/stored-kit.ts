import type { Host } from './host.ts'
import type { KitFile, KitFiles } from './files.ts'
import { copyBytes, copyInput } from './copy-input.ts'
import { hex } from './encoding/hex.ts'
import { comparePaths, pathCollisions } from './paths.ts'

/** A kit whose files are stored one by one: a folder picked in a page, an object store. */
export function storedKit(
  stored: readonly KitFile[],
  open: (path: string) => AsyncIterable<Uint8Array>,
  host: Host,
  onProgress?: (bytes: number) => void,
): KitFiles {
  // Sorted, so that the report does not depend on where the kit is stored.
  const files = copyInput(stored).toSorted((a, b) => comparePaths(a.path, b.path))
  return {
    files,
    problems: pathCollisions(files.map(({ path }) => path)),
    read: (path, limitBytes) => readAll(open(path), path, limitBytes),
    measure: async ({ wanted }) => {
      const sha256 = new Map<string, string>()
      const problems: string[] = []
      for (const { path } of files) {
        if (!wanted(path)) continue
        try {
          const hash = host.sha256()
          for await (const bytes of open(path)) {
            hash.update(bytes)
            onProgress?.(bytes.length)
          }
          sha256.set(path, hex(await hash.digest()))
        } catch (error) {
          problems.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      return { sha256, problems }
    },
  }
}

async function readAll(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  limitBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const bytes of chunks) {
    length += bytes.length
    if (length > limitBytes) throw new Error(`${path} is larger than ${limitBytes} bytes`)
    parts.push(copyBytes(bytes))
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
