import type { PathCommand } from 'fontkit'

interface Point {
  readonly x: number
  readonly y: number
  readonly onCurve: boolean
}

const ON_CURVE = 1

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
  for (const { onCurve } of points) bytes.setUint8(at++, onCurve ? ON_CURVE : 0)
  for (const axis of [xs, ys]) {
    let before = 0
    for (const value of axis) {
      bytes.setInt16(at, value - before)
      before = value
      at += 2
    }
  }
  return new Uint8Array(bytes.buffer, 0, at + (at % 2))
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
  return contours.map(withoutClosingPoint).filter(({ length }) => length > 1)
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
