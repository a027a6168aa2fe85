import { type Host, type RandomAccess, ZipProblem } from '@kitseal/kit/internal'
import { BytesFinder } from '../search/find-bytes.ts'
import type { EvidenceLimits } from '../limits.ts'
import { bytesAt, chunks, sourceRange, viewOf } from '../platform/sources.ts'

/** One part of a gzip file. `cat a.gz b.gz` has two, and bgzip writes one for each 64 KiB. */
export interface GzipMember {
  readonly dataAt: number
  readonly compressedBytes: number
  readonly sizeBytes: number
}

const HEADER_BYTES = 64 * 1024
const TRAILER_BYTES = 8
const MAX_MEMBERS = 100_000
/** The start of a member also occurs in compressed data, once in 100 MB. Each such place costs one attempt. */
const MAX_FAILURES = 100
const MAX_FAILED_BYTES = 256 * 1024 * 1024
/** Deflate cannot compress better than 1032 to 1. */
const MAX_RATIO = 1040
/** A member says how long its content is modulo this. */
const WRAP = 2 ** 32

/** Records where a member may start, while the file is read. */
export const memberFinder = (): BytesFinder => new BytesFinder(Uint8Array.of(0x1f, 0x8b, 8), MAX_MEMBERS)

/**
 * Finds the members of a gzip file. A member says how long its content is, but not where it ends. It ends where the data
 * inflates to exactly that length, and another member, zeros, or the end of the file follows. `DecompressionStream` rejects
 * several members, so each is inflated by itself.
 */
export async function findMembers(
  source: RandomAccess,
  startsAt: readonly number[],
  inflate: Host['inflateStream'],
  { ratio, unpackedBytes }: Pick<EvidenceLimits, 'ratio' | 'unpackedBytes'>,
  admits: (member: GzipMember) => boolean,
): Promise<readonly GzipMember[] | 'damaged' | 'limit'> {
  const starts = await likelyStarts(source, startsAt)
  const ends = [...starts, ...(await possibleEnds(source))]
  const members: GzipMember[] = []
  let [failures, failedBytes] = [0, 0]
  for (let at = 0, next = 0; at < source.sizeBytes && next < ends.length; next++) {
    const end = ends[next] as number
    const declared = end <= at ? undefined : await memberIn(source, at, end)
    if (declared === undefined) continue
    const mayWrap = declared.sizeBytes + WRAP <= ratio * declared.compressedBytes
    const member = mayWrap ? await counted(source, declared, unpackedBytes, inflate) : declared
    if (ends.length === 1) return admits(member) ? [member] : 'limit'
    if (!(await isWhole(source, member, inflate))) {
      failedBytes += member.sizeBytes
      if (++failures > MAX_FAILURES || failedBytes > MAX_FAILED_BYTES) return 'damaged'
      continue
    }
    if (!admits(member)) return 'limit'
    members.push(member)
    if (next >= ends.length - 1 || end > (starts.at(-1) ?? 0)) return members
    at = end
  }
  return 'damaged'
}

/** The content of all members, one after the other, as common tools unpack it. */
export async function* contentOfMembers(
  source: RandomAccess,
  members: readonly GzipMember[],
  inflate: Host['inflateStream'],
): AsyncGenerator<Uint8Array> {
  for (const member of members) yield* contentOf(source, member, inflate)
}

function contentOf(
  source: RandomAccess,
  { dataAt, compressedBytes, sizeBytes }: GzipMember,
  inflate: Host['inflateStream'],
): AsyncIterable<Uint8Array> {
  return inflate(chunks(sourceRange(source, dataAt, compressedBytes)), sizeBytes)
}

/** The bytes that a member starts with also occur in compressed data, but hardly ever with the rest of a header. */
async function likelyStarts(source: RandomAccess, startsAt: readonly number[]): Promise<readonly number[]> {
  const likely: number[] = []
  for (const at of startsAt) {
    if (at === 0) continue
    const header = await bytesAt(source, at, 10)
    const [flags = 255, system = 100] = [header[3], header[9]]
    if (flags < 32 && COMPRESSION_FLAGS.has(header[8]) && (system <= 13 || system === 255)) likely.push(at)
  }
  return likely
}

/** Unset, or the strongest or the fastest compression. */
const COMPRESSION_FLAGS = new Set<number | undefined>([0, 2, 4])

/** Inflates a member to see how long its content is. Its size is stored modulo 2^32. */
async function counted(
  source: RandomAccess,
  member: GzipMember,
  maxBytes: number,
  inflate: Host['inflateStream'],
): Promise<GzipMember> {
  let sizeBytes = 0
  try {
    for await (const { length } of contentOf(source, { ...member, sizeBytes: Infinity }, inflate)) {
      sizeBytes += length
      if (sizeBytes > maxBytes) break
    }
  } catch (error) {
    // It ended, or it is damaged.
    if (!(error instanceof ZipProblem)) throw error
  }
  const isOver = sizeBytes > maxBytes
  return isOver || sizeBytes % WRAP === member.sizeBytes ? { ...member, sizeBytes } : member
}

/** Tapes and disks pad with zeros, which gzip ignores. The last bytes of the length are zeros as well. */
async function possibleEnds(source: RandomAccess): Promise<readonly number[]> {
  const { sizeBytes } = source
  const tail = await bytesAt(source, Math.max(0, sizeBytes - HEADER_BYTES), HEADER_BYTES)
  const zeros = tail.length - 1 - tail.findLastIndex((byte) => byte !== 0)
  // Those that an empty member ends with.
  const own = TRAILER_BYTES + 1
  if (zeros <= own) return [sizeBytes]
  return Array.from({ length: own + 1 }, (_, more) => sizeBytes - zeros + more)
}

async function memberIn(source: RandomAccess, at: number, end: number): Promise<GzipMember | undefined> {
  const header = headerBytes(await bytesAt(source, at, Math.min(HEADER_BYTES, end - at)))
  if (header === undefined || at + header + TRAILER_BYTES > end) return undefined
  const dataAt = at + header
  const compressedBytes = end - TRAILER_BYTES - dataAt
  const sizeBytes = viewOf(await bytesAt(source, end - 4, 4)).getUint32(0, true)
  return sizeBytes > MAX_RATIO * (compressedBytes + 16) ? undefined : { dataAt, compressedBytes, sizeBytes }
}

async function isWhole(
  source: RandomAccess,
  member: GzipMember,
  inflate: Host['inflateStream'],
): Promise<boolean> {
  try {
    for await (const _ of contentOf(source, member, inflate)) continue
    return true
  } catch (error) {
    if (error instanceof ZipProblem) return false
    throw error
  }
}

/** How long the header is (RFC 1952). Undefined if it is damaged. */
function headerBytes(head: Uint8Array): number | undefined {
  if (head.length < 18 || head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return undefined
  const flags = head[3] ?? 0
  if (flags > 31) return undefined
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
