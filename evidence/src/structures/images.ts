import type { Host, RandomAccess } from '@kitseal/kit'
import { appendedAt } from './appended.ts'
import { broken, bytesAt, SOUND, type Structure, type StructureCheck, viewOf } from './structure.ts'

const MAX_PARTS = 1_000_000
const STEP_BYTES = 256 * 1024

/** Walks over the chunks of a PNG from its header to IEND. Those that the picture is made of are held to their sums. */
export const examinePng: StructureCheck = async (source, _seen, crc32) => {
  const bytes = new Nearby(source)
  let at = 8
  let hasPicture = false
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.holds(at, 16)) await bytes.moveTo(at)
    if (!bytes.holds(at, 8)) return cutOff
    const [length, type] = [bytes.u32(at), bytes.u32(at + 4)]
    const end = at + 12 + length
    if (end > source.sizeBytes) return cutOff
    if (part === 0 && (type !== IHDR || length !== 13)) return broken('malformed_image', 'it has no header')
    if (part === 0 && (bytes.u32(at + 8) === 0 || bytes.u32(at + 12) === 0)) return sizeless
    // The first letter of what a reader may pass over is a small one.
    const isNeeded = ((type >>> 24) & 0x20) === 0
    if (isNeeded && !(await holdsSum(source, at + 4, length + 4, crc32))) {
      return broken('malformed_image', `the part at byte ${at} is not what its checksum says`)
    }
    hasPicture ||= type === IDAT
    at = end
    if (type === IEND) return hasPicture ? endsAt(source, at) : pictureless
  }
  return broken('malformed_image', 'it has too many parts')
}

const [IHDR, IDAT, IEND] = [0x49484452, 0x49444154, 0x49454e44]
const cutOff = broken('malformed_image', 'it ends before its last part')
const sizeless = broken('malformed_image', 'its width or its height is 0')
const pictureless = broken('malformed_image', 'it holds no picture')

async function holdsSum(
  source: RandomAccess,
  from: number,
  length: number,
  crc32: Host['crc32'],
): Promise<boolean> {
  let sum = 0
  for (let at = from; at < from + length; at += STEP_BYTES) {
    sum = crc32(await bytesAt(source, at, Math.min(STEP_BYTES, from + length - at)), sum)
  }
  return viewOf(await bytesAt(source, from + length, 4)).getUint32(0) === sum
}

/** Walks over the segments of a JPEG, then looks for the mark that ends the picture. */
export async function examineJpeg(source: RandomAccess): Promise<Structure> {
  const bytes = new Nearby(source)
  let at = 2
  let hasFrame = false
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.holds(at, 9)) await bytes.moveTo(at)
    if (!bytes.holds(at, 4)) return broken('malformed_image', 'it ends before its picture')
    const word = bytes.u32(at)
    const [mark, marker, high, low] = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]
    if (mark !== 0xff) return broken('malformed_image', `there is no segment at byte ${at}`)
    if (marker === 0xff) {
      at++
      continue
    }
    if (isFrame(marker)) {
      if (!bytes.holds(at, 9)) return broken('malformed_image', 'it ends before its picture')
      // Its height may stand behind the picture; its width may not.
      if ((bytes.u32(at + 5) & 0xffff) === 0) return sizeless
      hasFrame = true
    }
    at += 2 + high * 256 + low
    if (marker === 0xda) return hasFrame ? endOfPicture(source, at) : pictureless
    if (marker === 0xd9 || high * 256 + low < 2) return pictureless
  }
  return broken('malformed_image', 'it has too many parts')
}

/** The segment that says how large the picture is, and how it is packed. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** In the data of the picture no 0xff is followed by 0xd9 but at its end. */
async function endOfPicture(source: RandomAccess, from: number): Promise<Structure> {
  for (let at = from; at < source.sizeBytes; at += STEP_BYTES - 1) {
    const bytes = await bytesAt(source, at, STEP_BYTES)
    for (let mark = bytes.indexOf(0xff); mark !== -1; mark = bytes.indexOf(0xff, mark + 1)) {
      if (bytes[mark + 1] !== 0xd9) continue
      return endsAt(source, at + mark + 2)
    }
  }
  return broken('malformed_image', 'it is cut off')
}

/** A stretch of the file in memory, so that a walk over a million small parts does not wait a million times. */
class Nearby {
  readonly #source: RandomAccess
  #at = 0
  #view: DataView = new DataView(new ArrayBuffer(0))

  constructor(source: RandomAccess) {
    this.#source = source
  }

  holds(at: number, length: number): boolean {
    return at >= this.#at && at + length <= this.#at + this.#view.byteLength
  }

  async moveTo(at: number): Promise<void> {
    this.#view = viewOf(await bytesAt(this.#source, at, STEP_BYTES))
    this.#at = at
  }

  u32(at: number): number {
    return this.#view.getUint32(at - this.#at)
  }
}

async function endsAt(source: RandomAccess, end: number): Promise<Structure> {
  const after = source.sizeBytes - end
  if (after === 0) return SOUND
  return { findings: await appendedAt(source, end), notes: [`${after} bytes follow the end of the image`] }
}
