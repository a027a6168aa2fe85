import { inflateSync } from 'node:zlib'
import { zlibSync } from 'fflate'
import type { PdfImage } from '../pdf/pdf-document.ts'
import { readPng } from './png-header.ts'
import type { Png } from './png-header.ts'
import { rowReader } from './png-rows.ts'

const LONGEST_SIDE_PIXELS = 360

/** A scaled-down copy on a white background. @throws if the file is not a supported PNG */
export function pngThumbnail(bytes: Uint8Array): PdfImage {
  const png = readPng(bytes)
  const raw = inflateSync(png.compressed, { maxOutputLength: png.rawBytes })
  if (raw.length !== png.rawBytes) throw new Error('the image is truncated')
  const { width, height, samples } = shrink(png, raw)
  return { width, height, colours: 'rgb', compression: 'flate', data: zlibSync(samples) }
}

interface Small {
  readonly width: number
  readonly height: number
  readonly samples: Uint8Array
}

/** Box filter: each pixel is the mean of the pixels that it covers. */
function shrink(png: Png, raw: Uint8Array): Small {
  const scale = Math.max(png.width, png.height, LONGEST_SIDE_PIXELS) / LONGEST_SIDE_PIXELS
  const width = Math.max(1, Math.floor(png.width / scale))
  const height = Math.max(1, Math.floor(png.height / scale))
  const samples = new Uint8Array(width * height * 3)
  const sums = new Float64Array(width * 3)
  const counts = new Uint32Array(width)
  const columns = Uint32Array.from({ length: png.width }, (_, x) => Math.floor((x * width) / png.width))
  const nextRow = rowReader(png, raw)
  for (let y = 0; y < png.height; y++) {
    const rgba = nextRow()
    for (let x = 0, at = 0; x < png.width; x++, at += 4) {
      const column = columns[x] ?? 0
      const alpha = (rgba[at + 3] ?? 0) / 255
      const white = 255 - 255 * alpha
      for (let part = 0; part < 3; part++) {
        const sum = column * 3 + part
        sums[sum] = (sums[sum] ?? 0) + (rgba[at + part] ?? 0) * alpha + white
      }
      counts[column] = (counts[column] ?? 0) + 1
    }
    const row = Math.floor((y * height) / png.height)
    if (Math.floor(((y + 1) * height) / png.height) === row) continue
    for (let at = 0; at < sums.length; at++) {
      samples[row * width * 3 + at] = Math.round((sums[at] ?? 0) / (counts[Math.floor(at / 3)] ?? 1))
    }
    sums.fill(0)
    counts.fill(0)
  }
  return { width, height, samples }
}
