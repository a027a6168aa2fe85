import { endsAt } from './appended.ts'
import { ByteCursor } from './byte-cursor.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

const [FTYP, META, MOOV] = [0x66747970, 0x6d657461, 0x6d6f6f76]
const MAX_BOXES = 100_000

/** Reads the boxes of a HEIC or AVIF image (ISO/IEC 14496-12). What it describes is in `meta`, or `moov` for a sequence. */
export async function checkHeif({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  let at = 0
  let hasImage = false
  for (let box = 0; at < source.sizeBytes; box++) {
    if (box === MAX_BOXES) return broken('malformed_image', 'it has too many parts')
    if (!(await bytes.has(at, 8))) return hasImage ? endsAt(source, at) : TRUNCATED
    const type = bytes.u32(at + 4)
    if (box === 0 && type !== FTYP) return broken('malformed_image', 'it has no header')
    const size = await boxBytes(bytes, at)
    // Cameras add data of their own, which are not boxes.
    if (size === undefined) return hasImage ? endsAt(source, at) : TRUNCATED
    hasImage ||= type === META || type === MOOV
    at += size
    if (at > source.sizeBytes) return TRUNCATED
  }
  return hasImage ? SOUND : broken('malformed_image', 'it contains no image')
}

const TRUNCATED = broken('malformed_image', 'it is truncated')

async function boxBytes(bytes: ByteCursor, at: number): Promise<number | undefined> {
  const size = bytes.u32(at)
  if (size === 0) return bytes.sizeBytes - at
  if (size !== 1) return size >= 8 ? size : undefined
  if (!(await bytes.has(at, 16))) return undefined
  const large = bytes.u32(at + 8) * 2 ** 32 + bytes.u32(at + 12)
  return Number.isSafeInteger(large) && large >= 16 ? large : undefined
}
