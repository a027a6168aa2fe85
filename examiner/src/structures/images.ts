import type { Host, RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from '../examine-context.ts'
import { bytesAt, viewOf } from '../platform/sources.ts'
import { endsAt } from './appended.ts'
import { broken, type FileToCheck, type Structure } from './structure.ts'

const MAX_PARTS = 1_000_000
const STEP_BYTES = 256 * 1024

/** Reads the chunks of a PNG up to IEND and checks the checksums of the critical ones. */
export async function checkPng({ source }: FileToCheck, { platform }: ExamineContext): Promise<Structure> {
  const bytes = new Window(source)
  let at = 8
  let hasImageData = false
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.has(at, 16)) await bytes.moveTo(at)
    if (!bytes.has(at, 8)) return TRUNCATED
    const [length, type] = [bytes.u32(at), bytes.u32(at + 4)]
    const end = at + 12 + length
    if (end > source.sizeBytes) return TRUNCATED
    if (part === 0 && (type !== IHDR || length !== 13)) return broken('malformed_image', 'it has no header')
    if (part === 0 && (bytes.u32(at + 8) === 0 || bytes.u32(at + 12) === 0)) return ZERO_SIZE
    // The type of a chunk that programs may ignore starts with a lower-case letter.
    const isCritical = ((type >>> 24) & 0x20) === 0
    if (isCritical && !(await checksumMatches(source, at + 4, length + 4, platform.host.crc32))) {
      return broken('malformed_image', `the chunk at byte ${at} does not match its checksum`)
    }
    hasImageData ||= type === IDAT
    at = end
    if (type === IEND) return hasImageData ? endsAt(source, at) : NO_IMAGE
  }
  return broken('malformed_image', 'it has too many parts')
}

const [IHDR, IDAT, IEND] = [0x49484452, 0x49444154, 0x49454e44]
const TRUNCATED = broken('malformed_image', 'it ends before its last chunk')
const ZERO_SIZE = broken('malformed_image', 'its width or height is 0')
const NO_IMAGE = broken('malformed_image', 'it contains no image data')

async function checksumMatches(
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

/** Reads the segments of a JPEG, then searches for the marker that ends the image. */
export async function checkJpeg({ source }: FileToCheck): Promise<Structure> {
  const bytes = new Window(source)
  let at = 2
  let hasFrame = false
  for (let part = 0; part < MAX_PARTS; part++) {
    if (!bytes.has(at, 9)) await bytes.moveTo(at)
    if (!bytes.has(at, 4)) return broken('malformed_image', 'it ends before its image data')
    const word = bytes.u32(at)
    const [prefix, marker, high, low] = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]
    // As decoders do, bytes between segments are skipped, and markers without a length.
    if (prefix !== 0xff || marker === 0xff || marker === 0) {
      at = bytes.nextMarker(at + 1)
      continue
    }
    if (marker === 0x01 || isRestart(marker)) {
      at += 2
      continue
    }
    if (isFrame(marker)) {
      if (!bytes.has(at, 9)) return broken('malformed_image', 'it ends before its image data')
      // The height may follow the image data; the width may not.
      if ((bytes.u32(at + 5) & 0xffff) === 0) return ZERO_SIZE
      hasFrame = true
    }
    at += 2 + high * 256 + low
    if (marker === 0xda) return hasFrame ? findImageEnd(source, at) : NO_IMAGE
    if (marker === 0xd9 || high * 256 + low < 2) return NO_IMAGE
  }
  return broken('malformed_image', 'it has too many parts')
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** Start of frame: the segment with the size and compression of the image. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** In image data, 0xff is followed by 0xd9 only at the end. */
async function findImageEnd(source: RandomAccess, from: number): Promise<Structure> {
  for (let at = from; at < source.sizeBytes; at += STEP_BYTES - 1) {
    const bytes = await bytesAt(source, at, STEP_BYTES)
    for (let found = bytes.indexOf(0xff); found !== -1; found = bytes.indexOf(0xff, found + 1)) {
      if (bytes[found + 1] !== 0xd9) continue
      return endsAt(source, at + found + 2)
    }
  }
  return broken('malformed_image', 'it is truncated')
}

/** A part of the file in memory, so that a million small chunks do not need a million reads. */
class Window {
  readonly #source: RandomAccess
  #at = 0
  #view: DataView = new DataView(new ArrayBuffer(0))

  constructor(source: RandomAccess) {
    this.#source = source
  }

  has(at: number, length: number): boolean {
    return at >= this.#at && at + length <= this.#at + this.#view.byteLength
  }

  async moveTo(at: number): Promise<void> {
    this.#view = viewOf(await bytesAt(this.#source, at, STEP_BYTES))
    this.#at = at
  }

  /** The place of the next 0xff in memory, or where more has to be read. */
  nextMarker(from: number): number {
    const end = this.#at + this.#view.byteLength
    let at = from
    while (at < end && this.#view.getUint8(at - this.#at) !== 0xff) at++
    return at
  }

  u32(at: number): number {
    return this.#view.getUint32(at - this.#at)
  }
}
