import { createHash, randomUUID } from 'node:crypto'

/** Content codings that the service has, the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/**
 * The coding that an `Accept-Encoding` header prefers (RFC 9110, section 12.5.3). Undefined means no coding, also if the
 * header rejects that and accepts none of `available`.
 */
export function preferredCoding(
  header: string | undefined,
  available: readonly Coding[] = CODINGS,
): Coding | undefined {
  if (header === undefined) return undefined
  const weights = weightsOf(header)
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = available.toSorted((a, b) => weightOf(b) - weightOf(a))
  if (best === undefined || weightOf(best) === 0) return undefined
  return (weights.get('identity') ?? 0) > weightOf(best) ? undefined : best
}

/** Malformed entries are left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', weight = 'q=1'] = entry.split(';').map((part) => part.trim())
    const q = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight)?.[1]
    if (q !== undefined) weights.set(name, Number(q))
  }
  return weights
}

/** A parsed `Range` header (RFC 9110, section 14). `end` is exclusive. */
type RequestedRange =
  | { readonly is: 'all' }
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  | { readonly is: 'unsatisfiable' }

/** Supports a single byte range. Anything else returns the whole content, as the RFC allows. */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return { is: 'all' }
  if (first === '') return fromEnd(Number(last), sizeBytes)
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < start) return { is: 'all' }
  return start < sizeBytes ? { is: 'part', start, end } : { is: 'unsatisfiable' }
}

function fromEnd(count: number, sizeBytes: number): RequestedRange {
  if (count === 0 || sizeBytes === 0) return { is: 'unsatisfiable' }
  return { is: 'part', start: Math.max(0, sizeBytes - count), end: sizeBytes }
}

/** Whether `If-None-Match` matches the ETag, by weak comparison (RFC 9110, section 8.8.3.2). */
export function matchesWeakly(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
}

/** Whether `If-Match` fails, by strong comparison: a weak ETag never matches. */
export function failsIfMatch(header: string | undefined, etag: string): boolean {
  return header !== undefined && !header.split(',').some((each) => ['*', etag].includes(each.trim()))
}

/** Whether `If-Range` matches, by strong comparison. A date never matches because none is sent. */
export function matchesIfRange(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}

/** Where a request stands in a distributed trace (W3C Trace Context). */
interface Trace {
  readonly traceId: string
  /** For the next hop: the same trace, with a span ID of this service. */
  readonly traceparent: string
}

/** Version 00 has exactly this form. Later versions may add parts at the end. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-[!-~]*)?$/
/** Sampled, and random trace ID. Others are not defined and must be zero. */
const KNOWN_FLAGS = 0b11
/** Sampled, because every request is logged. */
const SAMPLED = '01'

/** Continues the trace of a `traceparent` header. Without a valid one, starts a new trace. */
export function traceOf(header: string | string[] | undefined): Trace {
  if (header === undefined) return made(drawHex(32), SAMPLED)
  const [, version, traceId, flags = SAMPLED, rest] = TRACEPARENT.exec(String(header)) ?? []
  if (traceId === undefined || (version === '00' && rest !== undefined)) return made(drawHex(32), SAMPLED)
  return made(traceId, (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0'))
}

/** All attempts to deliver one message have the same trace ID, and each its own span ID. */
export const traceOfMessage = (id: string): Trace =>
  made(createHash('sha256').update(id).digest('hex').slice(0, 32), SAMPLED)

const made = (traceId: string, flags: string): Trace => ({
  traceId,
  traceparent: `00-${traceId}-${drawHex(16)}-${flags}`,
})

/** The end of a random UUID: Node.js has the bytes of many ready, and none is all zeros, which is not a valid ID. */
const drawHex = (characters: 16 | 32): string => randomUUID().replaceAll('-', '').slice(-characters)
