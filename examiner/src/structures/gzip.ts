import { type Host, type RandomAccess, ZipProblem } from '@kitseal/kit/internal'
import { Gunzip } from 'fflate'
import type { ExamineContext } from '../examine-context.ts'
import { RATIO_FLOOR_BYTES } from '../limits.ts'
import { bytesAt, chunks, copyOf, sourceRange, viewOf } from '../platform/sources.ts'
import { type Finding, detailOf } from '../rules.ts'
import { type FileToCheck, type InnerFile, InnerProblem, type Structure } from './structure.ts'

/** A gzip file (RFC 1952): its content is examined under its name without `.gz`. */
export async function checkGzip(
  { source, depth, name }: FileToCheck,
  ctx: ExamineContext,
): Promise<Structure> {
  const { nesting, ratio, unpackedBytes } = ctx.limits
  if (depth >= nesting)
    return only({ code: 'nested_too_deep', detail: detailOf('detail.levelsOfArchives', { count: nesting }) })
  const limitBytes = Math.min(unpackedBytes, Math.max(RATIO_FLOOR_BYTES, ratio * source.sizeBytes))
  const unpacked =
    (await oneMember(source, limitBytes, ctx.platform.host)) ??
    (await allMembers(source, limitBytes, ctx.platform.host))
  if (unpacked === undefined) return only(DAMAGED)
  const limit = ctx.budget.admit(1, unpacked.sizeBytes, source.sizeBytes)
  if (limit !== undefined) return only(limit)
  const inside =
    name
      .replace(/\.tgz$/i, '.tar')
      .replace(/\.gz$/i, '')
      .replace(/.*\//, '') || 'content'
  return { type: 'gz', findings: [], inner: [{ name: inside, as: 'file', ...unpacked }] }
}

const only = (finding: Finding): Structure => ({ type: 'gz', findings: [finding] })
const DAMAGED: Finding = { code: 'malformed_gzip', detail: detailOf('detail.truncatedOrDamaged') }

type Unpacked = Pick<InnerFile, 'sizeBytes' | 'content'>

/** What the platform inflates by itself. Undefined for several members, and for what is damaged or too large. */
async function oneMember(
  source: RandomAccess,
  limitBytes: number,
  host: Host,
): Promise<Unpacked | undefined> {
  const dataAt = headerBytes(await bytesAt(source, 0, PADDING_BYTES))
  const end = source.sizeBytes - TRAILER_BYTES
  if (dataAt === undefined || end < dataAt) return undefined
  const trailer = viewOf(await bytesAt(source, end, TRAILER_BYTES))
  const sizeBytes = trailer.getUint32(4, true)
  if (sizeBytes > limitBytes) return undefined
  const content = (): AsyncIterable<Uint8Array> =>
    host.inflateStream(chunks(sourceRange(source, dataAt, end - dataAt)), sizeBytes)
  let crc = 0
  try {
    for await (const bytes of content()) crc = host.crc32(bytes, crc)
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error
    return undefined
  }
  return crc >>> 0 === trailer.getUint32(0, true) ? { sizeBytes, content } : undefined
}

/** How long the header is. */
function headerBytes(head: Uint8Array): number | undefined {
  const flags = head[3] ?? 0
  if (head[2] !== 8 || flags > 31) return undefined
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (head[10] ?? 0) + 256 * (head[11] ?? 0)
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const end = head.indexOf(0, at)
    if (end === -1) return undefined
    at = end + 1
  }
  return (flags & 2) === 0 ? at : at + 2
}

/** Inflates in steps of this size, so that little is in memory at once. */
const STEP_BYTES = 16 * 1024

/**
 * `cat a.gz b.gz` has two members, and bgzip writes one for each 64 KiB: their content follows each other. `onBytes` is
 * told what was unpacked, and where a member starts.
 */
async function* gunzip(
  source: RandomAccess,
  onBytes?: (bytes?: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const inflated: Uint8Array[] = []
  const stream = new Gunzip((bytes) => {
    onBytes?.(bytes)
    inflated.push(bytes)
  })
  stream.onmember = () => onBytes?.()
  let left = source.sizeBytes
  for await (const bytes of chunks(source))
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const step = copyOf(bytes.subarray(at, at + STEP_BYTES))
      left -= step.length
      let isDamaged = false
      try {
        stream.push(step, left === 0)
      } catch {
        isDamaged = true
      }
      yield* inflated.splice(0)
      if (isDamaged) throw new InnerProblem(DAMAGED)
    }
}

/** Several members, as they unpack, or that it is more than the limit. Undefined if they are damaged. */
async function allMembers(
  source: RandomAccess,
  limitBytes: number,
  { crc32 }: Host,
): Promise<Unpacked | undefined> {
  let total = 0
  let last = { sizeBytes: 0, crc: 0 }
  const count = (bytes?: Uint8Array): void => {
    total += bytes?.length ?? 0
    last =
      bytes === undefined
        ? { sizeBytes: 0, crc: 0 }
        : { sizeBytes: last.sizeBytes + bytes.length, crc: crc32(bytes, last.crc) }
  }
  try {
    for await (const _ of gunzip(source, count)) if (total > limitBytes) break
  } catch (error) {
    // Padding is no member. Whether the one before it is whole shows at its end.
    if (!(error instanceof InnerProblem)) throw error
  }
  const unpacked = { sizeBytes: total, content: () => firstBytes(source, total) }
  if (total > limitBytes) return unpacked
  const tail = await bytesAt(source, Math.max(0, source.sizeBytes - PADDING_BYTES), PADDING_BYTES)
  const view = viewOf(tail)
  for (let end = tail.length; end >= TRAILER_BYTES; end--) {
    const [crc, length] = [view.getUint32(end - 8, true), view.getUint32(end - 4, true)]
    if (crc === last.crc >>> 0 && length === last.sizeBytes % 2 ** 32) return unpacked
    if (tail[end - 1] !== 0) return undefined
  }
  return undefined
}

/** Tapes and disks pad with zeros, which gzip ignores. */
const PADDING_BYTES = 64 * 1024
/** The CRC-32 of a member, and its length modulo 2^32. */
const TRAILER_BYTES = 8

/** Without what follows, which was looked at before. */
async function* firstBytes(source: RandomAccess, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let left = sizeBytes
  for await (const bytes of gunzip(source)) {
    yield bytes
    left -= bytes.length
    if (left === 0) return
  }
}
