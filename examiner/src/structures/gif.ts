import { endsAt } from './appended.ts'
import { ByteCursor } from './byte-cursor.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
/** Of 255 bytes at most. */
const MAX_BLOCKS = 8_000_000

/** Reads the blocks of a GIF up to its trailer. Several programs leave the trailer out. */
export async function checkGif({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  if (!(await bytes.has(0, 13))) return TRUNCATED
  let at = 13 + tableBytes(bytes.u8(10))
  let hasImage = false
  for (let left = MAX_BLOCKS; left > 0; left--) {
    if (!(await bytes.has(at, 2))) {
      if (await bytes.has(at, 1))
        return bytes.u8(at) === TRAILER ? endsAt(source, at + 1) : endsAt(source, at)
      return hasImage && at === source.sizeBytes ? SOUND : TRUNCATED
    }
    const kind = bytes.u8(at)
    if (kind === EXTENSION) at += 2
    else if (kind === IMAGE) {
      if (!(await bytes.has(at, 11))) return TRUNCATED
      at += 11 + tableBytes(bytes.u8(at + 9))
      hasImage = true
    } else if (hasImage) return endsAt(source, kind === TRAILER ? at + 1 : at)
    else return broken('malformed_image', 'it contains no image')
    for (;;) {
      if (!(await bytes.has(at, 1))) return TRUNCATED
      const length = bytes.u8(at)
      at += 1 + length
      if (length === 0) break
      if (--left <= 0) break
    }
  }
  return broken('malformed_image', 'it has too many parts')
}

const TRUNCATED = broken('malformed_image', 'it is truncated')

/** The size of a color table. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
