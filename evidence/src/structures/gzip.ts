import { ZipProblem } from '@kitseal/kit'
import type { ExamineContext } from '../examine-context.ts'
import { bytesAt, chunks, copyOf, sourceRange, viewOf } from '../platform/sources.ts'
import type { FileToCheck, Structure } from './structure.ts'

const HEADER_BYTES = 64 * 1024
/** Deflate cannot compress better than 1032 to 1. */
const MAX_RATIO = 1040

/** A gzip file with one member (RFC 1952): its content is examined under its name without `.gz`. */
export async function checkGzip(file: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const { source, depth, name } = file
  const { limits, budget, platform } = ctx
  if (depth >= limits.nesting) {
    const detail = `at most ${limits.nesting} levels of archives are allowed`
    return { type: 'gz', findings: [{ code: 'nested_too_deep', detail }], notes: [] }
  }
  const head = await bytesAt(source, 0, HEADER_BYTES)
  const dataAt = headerBytes(head)
  const trailer = await bytesAt(source, source.sizeBytes - 8, 8)
  if (dataAt === undefined || trailer.length < 8 || source.sizeBytes < dataAt + 8)
    return { type: 'gz', findings: [{ code: 'malformed_gzip', detail: 'it is truncated' }], notes: [] }
  const sizeBytes = viewOf(trailer).getUint32(4, true)
  if (sizeBytes > MAX_RATIO * source.sizeBytes)
    return { type: 'gz', findings: [{ code: 'malformed_gzip', detail: 'its size is wrong' }], notes: [] }
  const limit = budget.admit(1, sizeBytes, source.sizeBytes)
  if (limit !== undefined) return { type: 'gz', findings: [limit], notes: [] }
  const compressedBytes = source.sizeBytes - 8 - dataAt
  const content = (): AsyncIterable<Uint8Array> =>
    platform.inflate(copies(sourceRange(source, dataAt, compressedBytes)), { compressedBytes, sizeBytes })
  const inside =
    name
      .replace(/\.tgz$/i, '.tar')
      .replace(/\.gz$/i, '')
      .replace(/.*\//, '') || 'content'
  return { type: 'gz', findings: [], notes: [], inner: [{ name: inside, sizeBytes, content }] }
}

async function* copies(source: Parameters<typeof chunks>[0]): AsyncGenerator<Uint8Array> {
  for await (const bytes of chunks(source)) yield copyOf(bytes)
}

/** Where the compressed data starts. Undefined if the header is damaged. */
function headerBytes(head: Uint8Array): number | undefined {
  if (head.length < 18 || head[2] !== 8) return undefined
  const flags = head[3] ?? 0
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (head[10] ?? 0) + 256 * (head[11] ?? 0)
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const end = head.indexOf(0, at)
    if (end === -1) return undefined
    at = end + 1
  }
  if ((flags & 2) !== 0) at += 2
  return at
}

/** Damaged data, or several members in a row, of which only common tools know where they end. */
export const isDamaged = (error: unknown): boolean => error instanceof ZipProblem
