import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** A gray picture: 0 is paper, 255 is ink. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly shades: Uint8Array
}

const DOTS_PER_INCH = 144

/** Renders the first page and cuts out each line of text, without the paper around it. @param pitch in points */
export async function picturesOfLines(
  pdf: Uint8Array,
  count: number,
  pitch: number,
): Promise<readonly Picture[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'binder-'))
  try {
    const file = path.join(folder, 'page.pdf')
    await writeFile(file, pdf)
    const options = ['-gray', '-r', String(DOTS_PER_INCH), '-f', '1', '-singlefile']
    await promisify(execFile)('pdftoppm', [...options, file, path.join(folder, 'page')])
    const page = readGrayMap(await readFile(path.join(folder, 'page.pgm')))
    const height = (pitch * DOTS_PER_INCH) / 72
    return Array.from({ length: count }, (_, at) =>
      crop(page, Math.round(at * height), Math.round((at + 1) * height)),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

function readGrayMap(bytes: Buffer): Picture {
  const [head = '', width, height] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.toString('latin1', 0, 40)) ?? []
  if (head === '') throw new Error('pdftoppm did not write a gray map')
  const shades = Uint8Array.from(bytes.subarray(head.length), (light) => 255 - light)
  return { width: Number(width), height: Number(height), shades }
}

const isInk = ({ width, height, shades }: Picture, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height && (shades[y * width + x] ?? 0) >= 128

function crop(page: Picture, from: number, to: number): Picture {
  let [left, right, top, bottom] = [page.width, 0, to, from]
  for (let y = from; y < to; y++) {
    for (let x = 0; x < page.width; x++) {
      if (!isInk(page, x, y)) continue
      ;[left, right] = [Math.min(left, x), Math.max(right, x + 1)]
      ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)]
    }
  }
  const [width, height] = [Math.max(0, right - left), Math.max(0, bottom - top)]
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const start = (top + y) * page.width + left
    shades.set(page.shades.subarray(start, start + width), y * width)
  }
  return { width, height, shades }
}

const MAX_SHIFT = 2

/**
 * The share of ink, from 0 to 1, that has ink of the other picture at most a pixel away: of the picture with less of it, and
 * with the other moved by up to two pixels.
 */
export function similarity(one: Picture, other: Picture): number {
  const [wideOne, wideOther] = [widened(one), widened(other)]
  let best = 0
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++) {
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      const covered = Math.min(coverage(one, wideOther, dx, dy), coverage(other, wideOne, -dx, -dy))
      best = Math.max(best, covered)
    }
  }
  return best
}

/** With a pixel of ink around all ink. */
function widened(picture: Picture): Picture {
  const [width, height] = [picture.width + 2, picture.height + 2]
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (!isInk(picture, x, y)) continue
      for (let row = y; row < y + 3; row++) shades.fill(255, row * width + x, row * width + x + 3)
    }
  }
  return { width, height, shades }
}

function coverage(picture: Picture, wide: Picture, dx: number, dy: number): number {
  let ink = 0
  let covered = 0
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (!isInk(picture, x, y)) continue
      ink++
      if (isInk(wide, x - dx + 1, y - dy + 1)) covered++
    }
  }
  return ink === 0 ? 0 : covered / ink
}
