import type { Png } from './png-header.ts'

/** Reads an unpacked PNG row by row, as red, green, blue and alpha of 8 bits each. The row is reused. */
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

/** Section 9 of the standard, in place. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (filter > 4) throw new Error('unknown filter')
  if (filter === 0) return
  for (let x = 0; x < row.length; x++) {
    const a = x >= pixelBytes ? (row[x - pixelBytes] ?? 0) : 0
    const b = above[x] ?? 0
    const c = x >= pixelBytes ? (above[x - pixelBytes] ?? 0) : 0
    const guess = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c)
    row[x] = (row[x] ?? 0) + guess
  }
}

function paeth(a: number, b: number, c: number): number {
  const estimate = a + b - c
  const [toA, toB, toC] = [Math.abs(estimate - a), Math.abs(estimate - b), Math.abs(estimate - c)]
  if (toA <= toB && toA <= toC) return a
  return toB <= toC ? b : c
}

function expand(png: Png, row: Uint8Array, rgba: Uint8Array): void {
  const { width, bitDepth, channels, colours, palette, transparency } = png
  const deepest = 2 ** bitDepth - 1
  // Of 16 bits the upper 8 are enough.
  const sample = (index: number): number => {
    if (bitDepth === 8) return row[index] ?? 0
    if (bitDepth === 16) return row[index * 2] ?? 0
    const bit = index * bitDepth
    return ((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & deepest
  }
  const toByte = bitDepth < 8 ? 255 / deepest : 1
  for (let x = 0; x < width; x++) {
    const first = sample(x * channels)
    let [red, green, blue, alpha] = [first, first, first, 255]
    if (colours === 'palette') {
      ;[red = 0, green = 0, blue = 0] = palette.subarray(first * 3, first * 3 + 3)
      alpha = transparency[first] ?? 255
    } else if (colours === 'gray' || colours === 'gray-alpha') {
      red = green = blue = first * toByte
      if (colours === 'gray-alpha') alpha = sample(x * 2 + 1)
    } else {
      green = sample(x * channels + 1)
      blue = sample(x * channels + 2)
      if (colours === 'rgb-alpha') alpha = sample(x * 4 + 3)
    }
    rgba[x * 4] = red
    rgba[x * 4 + 1] = green
    rgba[x * 4 + 2] = blue
    rgba[x * 4 + 3] = alpha
  }
}
