import { type RandomAccess, viewOf } from './zip-fields.ts'
import * as zip from './zip-format.ts'
import { ZipProblem } from './zip-problem.ts'
import { irregular, type ZipTolerance } from './zip-tolerance.ts'

const MAX_GAP_BYTES = 1024 * 1024
const HEADERS: ReadonlySet<number> = new Set([zip.LOCAL_HEADER, zip.CENTRAL_HEADER, zip.END_RECORD])

/**
 * Bytes that belong to no entry. Programs skip them, unless there are headers in them: some programs read an archive from
 * its start, or another directory, and find other files there.
 */
export async function checkGap(
  source: Pick<RandomAccess, 'read'>,
  at: number,
  sizeBytes: number,
  what: string,
  tolerance: ZipTolerance,
): Promise<void> {
  if (tolerance.onIrregular === undefined || sizeBytes > MAX_GAP_BYTES) throw new ZipProblem(what)
  if (hasHeader(await source.read(at, sizeBytes))) throw new ZipProblem(what)
  irregular(tolerance, what)
}

export function hasHeader(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let at = bytes.indexOf(0x50); at !== -1 && at + 4 <= bytes.length; at = bytes.indexOf(0x50, at + 1))
    if (HEADERS.has(view.getUint32(at, true))) return true
  return false
}
