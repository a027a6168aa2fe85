import { detailOf } from '../rules.ts'
import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, chunks, viewOf } from '../platform/sources.ts'
import { BytesFinder } from '../search/find-bytes.ts'
import { broken, type FileToCheck, SOUND, type Structure, type StructureCheck } from './structure.ts'

const NO_SIZE = broken('malformed_image', detailOf('detail.noSize'))
const TRUNCATED = broken('malformed_image', detailOf('detail.truncated'))

/** The header of a PNG, and that it has an end. What is in between is for those who show it. */
export async function checkPng({ source }: FileToCheck): Promise<Structure> {
  const head = viewOf(await bytesAt(source, 0, 33))
  if (head.byteLength < 33) return TRUNCATED
  if (head.getUint32(12) !== 0x49484452) return broken('malformed_image', detailOf('detail.noHeader'))
  if (head.getUint32(16) === 0 || head.getUint32(20) === 0) return NO_SIZE
  return (await ends(source, Uint8Array.of(0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82)))
    ? SOUND
    : TRUNCATED
}

export async function checkJpeg({ source }: FileToCheck): Promise<Structure> {
  const head = await bytesAt(source, 0, 64 * 1024)
  const frame = head.findIndex(
    (byte, at) => byte === 0xff && isFrame(head[at + 1] ?? 0) && head[at + 2] === 0,
  )
  if (frame !== -1 && head[frame + 7] === 0 && head[frame + 8] === 0) return NO_SIZE
  return (await ends(source, Uint8Array.of(0xff, 0xd9))) ? SOUND : TRUNCATED
}

/** Start of frame: the segment with the size of the image. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc3

export async function checkTiff({ source }: FileToCheck): Promise<Structure> {
  const head = viewOf(await bytesAt(source, 0, 16))
  if (head.byteLength < 16) return TRUNCATED
  const isLittle = head.getUint8(0) === 0x49
  const first =
    head.getUint16(2, isLittle) === 43 ? Number(head.getBigUint64(8, isLittle)) : head.getUint32(4, isLittle)
  return first < 8 || first + 2 > source.sizeBytes
    ? broken('malformed_image', detailOf('detail.directoryOutside'))
    : SOUND
}

export async function checkWebp({ source }: FileToCheck): Promise<Structure> {
  const head = viewOf(await bytesAt(source, 0, 8))
  return head.byteLength < 8 || 8 + head.getUint32(4, true) > source.sizeBytes ? TRUNCATED : SOUND
}

/** A format of which only the header is looked at. */
export const headerOf =
  (leastBytes: number): StructureCheck =>
  async ({ source }) =>
    source.sizeBytes < leastBytes ? TRUNCATED : SOUND

/** Whether the mark that ends an image is there. Cameras write other data after it. */
async function ends(source: RandomAccess, mark: Uint8Array): Promise<boolean> {
  const finder = new BytesFinder(mark)
  for await (const bytes of chunks(source)) {
    finder.push(bytes)
    if (finder.found) return true
  }
  return false
}
