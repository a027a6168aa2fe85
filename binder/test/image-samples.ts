// Generates small images for tests.
import { crc32, deflateSync } from 'node:zlib'

interface PngInput {
  readonly width: number
  readonly height: number
  /** The rows, each starting with its filter type. */
  readonly raw: Uint8Array
  readonly colourType?: number
  readonly bitDepth?: number
  readonly interlace?: number
  readonly palette?: readonly number[]
}

export function png({
  width,
  height,
  raw,
  colourType = 0,
  bitDepth = 8,
  interlace = 0,
  palette = [],
}: PngInput): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, colourType, 0, 0, interlace], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(palette.length === 0 ? [] : [chunk('PLTE', Uint8Array.from(palette))]),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', new Uint8Array(0)),
  ])
}

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** A JPEG of 3 x 2 gray pixels with an arbitrary scan, which no test decodes. */
export function jpeg({
  orientation,
  comment,
}: {
  readonly orientation: number
  readonly comment: string
}): Buffer {
  // Big-endian, one entry: orientation, a SHORT.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010001000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])),
    segment(0xfe, Buffer.from(comment)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, Buffer.from([8, 0, 2, 0, 3, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
    Buffer.from('behind the end'),
  ])
}

function segment(marker: number, body: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
