import { type RandomAccess, u64, viewOf } from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { hasHeader } from './zip-gap.ts'
import { ZipProblem } from './zip-problem.ts'
import { irregular, type ZipTolerance } from './zip-tolerance.ts'

export interface EndOfDirectory {
  readonly count: number
  readonly directoryBytes: number
  readonly directoryOffset: number
  readonly hasComment: boolean
  /** From the zip64 end record, if there is one. */
  readonly zip64Versions?: readonly [madeBy: number, needed: number]
}

/**
 * Finds the end record. The last signature in the file must belong to it, and it must reach exactly to the end of the
 * file. A second matching record, or bytes between the directory and the end record, are rejected.
 */
export async function endOfDirectory(whole: RandomAccess, tolerance: ZipTolerance): Promise<EndOfDirectory> {
  const source = tolerance.trailingBlanks ? await withoutBlanks(whole) : whole
  const tailBytes = Math.min(source.sizeBytes, zip.END_RECORD_BYTES + zip.FULL_16 + zip.ZIP64_LOCATOR_BYTES)
  const tailAt = source.sizeBytes - tailBytes
  const tail = await source.read(tailAt, tailBytes)
  const at = lastEndRecord(tail, tolerance)
  const view = viewOf(tail.subarray(at))
  if (view.getUint16(4, true) !== 0 || view.getUint16(6, true) !== 0)
    throw new ZipProblem('the archive is split over several disks')
  const count = view.getUint16(10, true)
  if (view.getUint16(8, true) !== count) throw new ZipProblem('the end record states two entry counts')
  const end: EndOfDirectory = {
    count,
    directoryBytes: view.getUint32(12, true),
    directoryOffset: view.getUint32(16, true),
    hasComment: view.getUint16(20, true) > 0,
  }
  const locatorAt = at - zip.ZIP64_LOCATOR_BYTES
  const hasLocator = locatorAt >= 0 && viewOf(tail).getUint32(locatorAt, true) === zip.ZIP64_LOCATOR
  const locator = hasLocator ? tail.subarray(locatorAt, at) : undefined
  const complete = locator === undefined ? end : await zip64End(source, locator, tailAt + locatorAt, end)
  const directoryEnd = locator === undefined ? tailAt + at : tailAt + locatorAt - zip.ZIP64_END_RECORD_BYTES
  if (locator === undefined && isSaturated(end)) throw new ZipProblem('the zip64 end record is missing')
  if (complete.directoryOffset + complete.directoryBytes !== directoryEnd) {
    throw new ZipProblem('the central directory does not end at the end record')
  }
  return complete
}

const MAX_BLANKS = 16
const BLANKS = new Set([0x00, 0x0a, 0x0d, 0x20])

/** The source up to the blanks at its end. An end record without a comment ends in the two zero bytes of its length. */
async function withoutBlanks(source: RandomAccess): Promise<RandomAccess> {
  const from = Math.max(0, source.sizeBytes - MAX_BLANKS - zip.END_RECORD_BYTES)
  const tail = (await source.read(from, source.sizeBytes - from)).slice()
  const view = viewOf(tail)
  for (let at = tail.length - zip.END_RECORD_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== zip.END_RECORD) continue
    const end = at + zip.END_RECORD_BYTES
    const isBlank =
      view.getUint16(at + 20, true) === 0 && tail.subarray(end).every((byte) => BLANKS.has(byte))
    if (!isBlank) return source
    return { sizeBytes: from + end, read: (offset, length) => source.read(offset, length) }
  }
  return source
}

const BEHIND = 'there are extra bytes after the end record, or a second end record'

function lastEndRecord(tail: Uint8Array, tolerance: ZipTolerance): number {
  const view = viewOf(tail)
  const candidates: number[] = []
  let loose: number | undefined
  for (
    let at = lastLetterP(tail, tail.length - zip.END_RECORD_BYTES);
    at >= 0;
    at = lastLetterP(tail, at - 1)
  ) {
    if (view.getUint32(at, true) !== zip.END_RECORD) continue
    const fits = at + zip.END_RECORD_BYTES + view.getUint16(at + 20, true) === tail.length
    if (fits) candidates.push(at)
    else if (candidates.length === 0) loose ??= at
  }
  const [last, second] = candidates
  if (loose !== undefined) {
    if (last !== undefined || hasHeader(tail.subarray(loose + 4))) throw new ZipProblem(BEHIND)
    irregular(tolerance, BEHIND)
    return loose
  }
  if (last === undefined)
    throw new ZipProblem('there is no end record: this is not a zip archive, or it is truncated')
  if (second !== undefined) throw new ZipProblem('there are two end records')
  return last
}

/** Where a signature may begin, at or before `from`. Faster than a loop, which would run unoptimized. */
function lastLetterP(bytes: Uint8Array, from: number): number {
  return from < 0 ? -1 : bytes.lastIndexOf(0x50, from)
}

async function zip64End(
  source: RandomAccess,
  locator: Uint8Array,
  locatorOffset: number,
  end: EndOfDirectory,
): Promise<EndOfDirectory> {
  const locatorView = viewOf(locator)
  const offset = u64(locatorView, 8)
  const onOneDisk = locatorView.getUint32(4, true) === 0 && locatorView.getUint32(16, true) === 1
  if (!onOneDisk || offset !== locatorOffset - zip.ZIP64_END_RECORD_BYTES || offset < 0) {
    throw new ZipProblem('the zip64 locator does not point to the zip64 end record')
  }
  const view = viewOf((await source.read(offset, zip.ZIP64_END_RECORD_BYTES)).slice())
  const well =
    view.getUint32(0, true) === zip.ZIP64_END_RECORD &&
    u64(view, 4) === zip.ZIP64_END_RECORD_BYTES - 12 &&
    view.getUint32(16, true) === 0 &&
    view.getUint32(20, true) === 0 &&
    u64(view, 24) === u64(view, 32)
  if (!well) throw new ZipProblem('the zip64 end record is corrupt')
  const whole = {
    count: u64(view, 32),
    directoryBytes: u64(view, 40),
    directoryOffset: u64(view, 48),
    hasComment: end.hasComment,
    zip64Versions: [view.getUint16(12, true), view.getUint16(14, true)] as const,
  }
  const agrees =
    (end.count === zip.FULL_16 || end.count === whole.count) &&
    (end.directoryBytes === zip.FULL_32 || end.directoryBytes === whole.directoryBytes) &&
    (end.directoryOffset === zip.FULL_32 || end.directoryOffset === whole.directoryOffset)
  if (!agrees) throw new ZipProblem('the zip64 end record contradicts the end record')
  return whole
}

function isSaturated(end: EndOfDirectory): boolean {
  return (
    end.count === zip.FULL_16 || end.directoryBytes === zip.FULL_32 || end.directoryOffset === zip.FULL_32
  )
}
