import { createHash } from 'node:crypto'
import { crc32 as crc32Of } from 'node:zlib'
import { canonicalJson, type JsonValue, utf8 } from '@kitseal/kit'
import type { KitEntry } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'

/** A file that the service made itself, in memory. */
export interface MadeFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
}

export function madeFile(path: string, bytes: Uint8Array): MadeFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path, bytes, sha256, sizeBytes: bytes.length, crc32: crc32Of(bytes) }
}

/** In the one form that anyone can make again. */
export function madeJson(path: string, value: JsonValue): MadeFile {
  return madeFile(path, utf8(canonicalJson(value)))
}

/**
 * Stores many small files as one object, end to end: one write, one sync. A kit's own files belong to it alone, so
 * the pack lives and dies with the kit.
 */
export async function packFiles(
  objects: ObjectStore,
  files: readonly MadeFile[],
): Promise<readonly KitEntry[]> {
  const { sha256: object } = await objects.put(Buffer.concat(files.map((file) => file.bytes)))
  let offset = 0
  return files.map(({ path, sha256, sizeBytes, crc32 }) => {
    const entry = { path, sha256, sizeBytes, crc32, object, offset }
    offset += sizeBytes
    return entry
  })
}
