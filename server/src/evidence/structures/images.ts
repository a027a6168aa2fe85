import type { RandomAccess } from '@kitseal/kit'
import { appendedAt } from './appended.ts'
import { broken, bytesAt, SOUND, type Structure } from './structure.ts'

const MAX_PARTS = 1_000_000
const MAX_PAGES = 2000

/** Walks over the chunks of a PNG from its header to IEND. */
export async function examinePng(source: RandomAccess): Promise<Structure> {
  const bytes = new Nearby(source)
  let at = 8
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.holds(at, 8)) await bytes.moveTo(at)
    if (!bytes.holds(at, 8)) return broken('malformed_image', 'it ends before its last part')
    const length = bytes.u32(at)
    const isEnd = bytes.u32(at + 4) === 0x49454e44
    if (part === 0 && bytes.u32(at + 4) !== 0x49484452) return broken('malformed_image', 'it has no header')
    at += 12 + length
    if (at > source.sizeBytes) return broken('malformed_image', 'it ends before its last part')
    if (isEnd) return endsAt(source, at)
  }
  return broken('malformed_image', 'it has too many parts')
}

/** Walks over the segments of a JPEG, then looks for the mark that ends the picture. */
export async function examineJpeg(source: RandomAccess): Promise<Structure> {
  const bytes = new Nearby(source)
  let at = 2
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.holds(at, 4)) await bytes.moveTo(at)
    if (!bytes.holds(at, 4)) return broken('malformed_image', 'it ends before its picture')
    const word = bytes.u32(at)
    const [mark, marker, high, low] = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]
    if (mark !== 0xff) return broken('malformed_image', `there is no segment at byte ${at}`)
    if (marker === 0xff) {
      at++
      continue
    }
    at += 2 + high * 256 + low
    if (marker === 0xda) return endOfPicture(source, at)
    if (marker === 0xd9 || high * 256 + low < 2) return broken('malformed_image', 'it holds no picture')
  }
  return broken('malformed_image', 'it has too many parts')
}

const STEP_BYTES = 256 * 1024

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

/** Follows the directories of a TIFF (or BigTIFF). */
export async function examineTiff(source: RandomAccess): Promise<Structure> {
  const head = viewOf(await bytesAt(source, 0, 16))
  if (head.byteLength < 8) return broken('malformed_image', 'it ends in its header')
  const little = head.getUint8(0) === 0x49
  const big = head.getUint16(2, little) === 43
  if (big && head.byteLength < 16) return broken('malformed_image', 'it ends in its header')
  const [countBytes, entryBytes, offsetBytes] = big ? [8, 20, 8] : [2, 12, 4]
  let offset = big ? Number(head.getBigUint64(8, little)) : head.getUint32(4, little)
  const seen = new Set<number>()
  while (offset !== 0) {
    if (seen.size >= MAX_PAGES) {
      return { findings: [], notes: [`only its first ${MAX_PAGES} pages were looked at`] }
    }
    if (seen.has(offset)) return broken('malformed_image', 'its directories form a ring')
    seen.add(offset)
    const first = viewOf(await bytesAt(source, offset, countBytes))
    if (first.byteLength < countBytes) return broken('malformed_image', 'a directory lies outside the file')
    const count = big ? Number(first.getBigUint64(0, little)) : first.getUint16(0, little)
    const nextAt = offset + countBytes + count * entryBytes
    const next = viewOf(await bytesAt(source, nextAt, offsetBytes))
    if (count === 0 || next.byteLength < offsetBytes)
      return broken('malformed_image', 'a directory is cut off')
    offset = big ? Number(next.getBigUint64(0, little)) : next.getUint32(0, little)
  }
  return seen.size === 0 ? broken('malformed_image', 'it holds no picture') : SOUND
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

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
