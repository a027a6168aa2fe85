import { createHash, randomUUID } from 'node:crypto'

/** Where a request stands in a distributed trace (W3C Trace Context). */
export interface Trace {
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
