import { endsAt } from './appended.ts'
import { ByteCursor } from './byte-cursor.ts'
import { broken, type FileToCheck, type Structure } from './structure.ts'

/** The first chunk: lossy, lossless, or extended. */
const FIRST = new Set([0x56503820, 0x5650384c, 0x56503858])
const MAX_CHUNKS = 1_000_000

/** Reads the chunks of a WebP image (RIFF). */
export async function checkWebp({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  if (!(await bytes.has(0, 20))) return TRUNCATED
  const end = 8 + bytes.u32(4, true)
  if (end > source.sizeBytes) return TRUNCATED
  if (!FIRST.has(bytes.u32(12))) return broken('malformed_image', 'it contains no image')
  let at = 12
  for (let chunk = 0; at + 8 <= end; chunk++) {
    if (chunk === MAX_CHUNKS) return broken('malformed_image', 'it has too many parts')
    if (!(await bytes.has(at, 8))) return TRUNCATED
    const length = bytes.u32(at + 4, true)
    at += 8 + length + (length % 2)
    // The last byte of padding may be missing.
    if (at > end + 1) return broken('malformed_image', 'a chunk is longer than the file')
  }
  return endsAt(source, Math.min(end, source.sizeBytes))
}

const TRUNCATED = broken('malformed_image', 'it is truncated')
