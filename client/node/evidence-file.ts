import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Evidence } from '../src/multipart.ts'

const CHUNK_BYTES = 256 * 1024

/** A file on disk as evidence: read while it is sent, never held in memory. */
export function evidenceFile(path: string, name: string = basename(path)): Evidence {
  const { size } = statSync(path)
  return { name, sizeBytes: size, read: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) }
}
