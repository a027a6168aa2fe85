import type { PdfImage } from '../pdf/pdf-document.ts'
import { exifOrientation } from './exif-orientation.ts'

export interface OrientedImage {
  readonly image: PdfImage
  /** The Exif orientation, 1 to 8. */
  readonly orientation: number
}

const MAX_PIXELS = 64_000_000
const START_OF_FRAME = [0xc0, 0xc1, 0xc2]
// Tables, frame, restart interval, scans and Adobe's colour segment. Everything else is dropped: locations, camera data,
// comments, and anything after the image.
const KEPT = new Set([0xdb, ...START_OF_FRAME, 0xc4, 0xdd, 0xda, 0xee])
const [END, SCAN, APP1] = [0xd9, 0xda, 0xe1]

/** The image without its metadata. @throws if it is not a JPEG that PDF viewers support */
export function jpegImage(bytes: Uint8Array): OrientedImage {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) throw new Error('not a JPEG')
  const kept: Uint8Array[] = [file.subarray(0, 2)]
  let frame: Frame | undefined
  let orientation = 1
  let hasScan = false
  for (const { marker, body, whole } of segmentsOf(file)) {
    if (START_OF_FRAME.includes(marker)) frame = frameOf(body)
    if (marker === APP1) orientation = exifOrientation(body) ?? orientation
    if (marker === SCAN) hasScan = true
    if (KEPT.has(marker)) kept.push(whole)
  }
  if (frame === undefined || !hasScan) throw new Error('no image data')
  const data = Buffer.concat([...kept, Buffer.from([0xff, END])])
  return { orientation, image: { ...frame, data, compression: 'jpeg' } }
}

interface Segment {
  readonly marker: number
  readonly body: Buffer
  readonly whole: Uint8Array
}

function* segmentsOf(file: Buffer): Generator<Segment> {
  let at = 2
  while (at + 4 <= file.length) {
    if (file[at] !== 0xff) throw new Error('no segment marker')
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END) return
    const length = file.readUInt16BE(at + 2)
    const bodyEnd = at + 2 + length
    if (length < 2 || bodyEnd > file.length) throw new Error('a segment is truncated')
    const end = marker === SCAN ? scanEnd(file, bodyEnd) : bodyEnd
    yield { marker, body: file.subarray(at + 4, bodyEnd), whole: file.subarray(at, end) }
    at = end
  }
}

/** A scan ends at a marker that is neither stuffing nor a restart. */
function scanEnd(file: Buffer, start: number): number {
  let at = file.indexOf(0xff, start)
  while (at !== -1 && at + 1 < file.length) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at
    at = file.indexOf(0xff, at + 1)
  }
  return file.length
}

type Frame = Pick<PdfImage, 'width' | 'height' | 'colours'>

function frameOf(body: Buffer): Frame {
  if (body.length < 6) throw new Error('the frame is truncated')
  const [precision, parts] = [body[0], body[5]]
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  if (precision !== 8 || (parts !== 1 && parts !== 3)) throw new Error('unsupported colours')
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw new Error('unsupported size')
  return { width, height, colours: parts === 1 ? 'gray' : 'rgb' }
}
