import type { PathCommand } from 'fontkit'

/** A glyph in thousandths of the font size. One object per form while its file is loaded. */
export interface Glyph {
  readonly advance: number
  readonly outline: Uint8Array
  /** The characters it represents. */
  readonly text: string
  /** The same for the same form, in every process. */
  readonly key: string
  /** The glyphs that were joined to this one, with their distances from it. */
  readonly parts?: readonly PlacedGlyph[]
}

export interface PlacedGlyph {
  readonly glyph: Glyph
  /** Distance to the next glyph, including kerning. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
}

interface Point {
  readonly x: number
  readonly y: number
  readonly onCurve: boolean
}

// Flags of a point. A short distance takes one byte, with its sign in the other flag; without `short`, that flag means no distance.
const ON_CURVE = 1
const REPEATED = 8
const AXES = [
  { axis: 'x', short: 2, sameOrPositive: 16 },
  { axis: 'y', short: 4, sameOrPositive: 32 },
] as const

/** The `glyf` entry (OpenType, simple glyph) that draws a path of lines and quadratic curves. */
export function glyphOutline(commands: readonly PathCommand[], scale: number): Uint8Array {
  const contours = contoursOf(commands, scale)
  if (contours.length === 0) return new Uint8Array(0)
  const points = contours.flat()
  const bytes = new DataView(new ArrayBuffer(10 + contours.length * 2 + 2 + points.length * 5 + 1))
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  bytes.setInt16(0, contours.length)
  for (const [at, value] of [least(xs), least(ys), most(xs), most(ys)].entries()) {
    bytes.setInt16(2 + at * 2, value)
  }
  let at = 10
  let last = -1
  for (const contour of contours) {
    last += contour.length
    bytes.setUint16(at, last)
    at += 2
  }
  at += 2 // no instructions
  const flags = points.map((point, index) => flagsOf(point, points[index - 1]))
  for (let index = 0; index < flags.length; index++) {
    const flag = flags[index] ?? 0
    let repeats = 0
    while (repeats < 255 && flags[index + repeats + 1] === flag) repeats++
    bytes.setUint8(at++, repeats > 1 ? flag | REPEATED : flag)
    if (repeats <= 1) continue
    bytes.setUint8(at++, repeats)
    index += repeats
  }
  for (const { axis, short } of AXES) {
    for (const [index, point] of points.entries()) {
      const distance = point[axis] - (points[index - 1]?.[axis] ?? 0)
      if (((flags[index] ?? 0) & short) !== 0) bytes.setUint8(at++, Math.abs(distance))
      else if (distance !== 0) {
        bytes.setInt16(at, distance)
        at += 2
      }
    }
  }
  return new Uint8Array(bytes.buffer, 0, at + (at % 2))
}

function flagsOf(point: Point, before: Point | undefined): number {
  let flags = point.onCurve ? ON_CURVE : 0
  for (const { axis, short, sameOrPositive } of AXES) {
    const distance = point[axis] - (before?.[axis] ?? 0)
    if (distance === 0) flags |= sameOrPositive
    else if (Math.abs(distance) < 256) flags |= distance > 0 ? short | sameOrPositive : short
  }
  return flags
}

function contoursOf(commands: readonly PathCommand[], scale: number): readonly (readonly Point[])[] {
  const contours: Point[][] = []
  const add = (x: number | undefined, y: number | undefined, onCurve: boolean): void => {
    contours.at(-1)?.push({ x: Math.round((x ?? 0) * scale), y: Math.round((y ?? 0) * scale), onCurve })
  }
  for (const { command, args } of commands) {
    if (command === 'moveTo') contours.push([])
    if (command === 'quadraticCurveTo') {
      add(args[0], args[1], false)
      add(args[2], args[3], true)
    }
    if (command === 'moveTo' || command === 'lineTo') add(args[0], args[1], true)
  }
  return contours
    .map((contour) => withoutImpliedPoints(withoutClosingPoint(contour)))
    .filter(({ length }) => length > 1)
}

/** Without the points halfway between two control points, which a font leaves out. */
function withoutImpliedPoints(contour: readonly Point[]): readonly Point[] {
  return contour.filter((point, at) => {
    const [before, after] = [contour[at - 1], contour[at + 1]]
    if (!point.onCurve || before === undefined || after === undefined || before.onCurve || after.onCurve)
      return true
    const isHalfway = (['x', 'y'] as const).every(
      (axis) => Math.abs(before[axis] + after[axis] - 2 * point[axis]) <= 1,
    )
    return !isHalfway
  })
}

/** Contours close implicitly, so the end point must not repeat the start. */
function withoutClosingPoint(contour: readonly Point[]): readonly Point[] {
  const first = contour[0]
  const last = contour.at(-1)
  const repeats = contour.length > 1 && last?.onCurve && first?.x === last.x && first.y === last.y
  return repeats ? contour.slice(0, -1) : contour
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b))
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b))
