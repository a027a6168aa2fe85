import type { Png } from './png-header.ts'

/** Reads an inflated PNG row by row as 8-bit RGBA. The returned buffer is reused. */
export function rowReader(png: Png, raw: Uint8Array): () => Uint8Array {
  const pixelBytes = Math.max(1, (png.bitDepth * png.channels) >> 3)
  let above = new Uint8Array(png.rowBytes)
  let at = 0
  const rgba = new Uint8Array(png.width * 4)
  return () => {
    const filter = raw[at] ?? 0
    const row = raw.subarray(at + 1, at + 1 + png.rowBytes)
    unfilter(filter, row, above, pixelBytes)
    above = row as Uint8Array<ArrayBuffer>
    at += 1 + png.rowBytes
    expand(png, row, rgba)
    return rgba
  }
}

/** Reverses the row filter in place (ISO/IEC 15948, section 9). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const predict = PREDICTORS[filter]
  if (predict === undefined) throw new Error('unknown filter')
  if (filter === 0) return
  for (let x = 0; x < pixelBytes; x++) row[x] = (row[x] ?? 0) + predict(0, above[x] ?? 0, 0)
  for (let x = pixelBytes; x < row.length; x++) {
    const value = predict(row[x - pixelBytes] ?? 0, above[x] ?? 0, above[x - pixelBytes] ?? 0)
    row[x] = (row[x] ?? 0) + value
  }
}

/** Predicts a byte from those to its left, above it, and above left. */
const PREDICTORS: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function expand(png: Png, row: Uint8Array, rgba: Uint8Array): void {
  const { width, bitDepth, channels, colours, palette, transparency } = png
  const sample = sampler(bitDepth, row)
  const toByte = bitDepth < 8 ? 255 / (2 ** bitDepth - 1) : 1
  const hasAlpha = colours === 'rgb-alpha' || colours === 'gray-alpha'
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const first = sample(x * channels)
    rgba[at + 3] = hasAlpha ? sample(x * channels + channels - 1) : 255
    if (colours === 'palette') {
      rgba[at] = palette[first * 3] ?? 0
      rgba[at + 1] = palette[first * 3 + 1] ?? 0
      rgba[at + 2] = palette[first * 3 + 2] ?? 0
      rgba[at + 3] = transparency[first] ?? 255
    } else if (channels < 3) {
      rgba[at] = first * toByte
      rgba[at + 1] = first * toByte
      rgba[at + 2] = first * toByte
    } else {
      rgba[at] = first
      rgba[at + 1] = sample(x * channels + 1)
      rgba[at + 2] = sample(x * channels + 2)
    }
  }
}

/** Reads samples by index. Of 16 bits only the upper 8 are used. */
function sampler(bitDepth: number, row: Uint8Array): (index: number) => number {
  if (bitDepth === 8) return (index) => row[index] ?? 0
  if (bitDepth === 16) return (index) => row[index * 2] ?? 0
  const mask = 2 ** bitDepth - 1
  return (index) => {
    const bit = index * bitDepth
    return ((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & mask
  }
}
