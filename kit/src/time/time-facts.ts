import { utf8 } from '../encoding/utf8.ts'
import type { Host } from '../host.ts'
import type { LogFacts } from '../log/log-facts.ts'
import type { LogPolicy } from '../log/tlog-policy.ts'
import { provesReceipt } from '../log/proves-receipt.ts'
import type { Parsed } from '../parsing.ts'
import type { Receipt } from '../receipt.ts'
import type { Certificate } from './certificate.ts'
import { TimeStampFormatError } from './time-stamp-format.ts'
import { parseTimeStamp, type TimeStamp } from './time-stamp.ts'
import { type TimeStampStatus, verifyTimeStamp } from './verify-time-stamp.ts'

/** What a reader asks of the time of a kit. */
export interface TimePolicy {
  /** The certificates of the time-stamp authorities that the reader trusts. A kit without a time-stamp of one of them fails. */
  readonly roots?: readonly Certificate[] | undefined
  /** How long before the trusted time a kit may say that it was issued. */
  readonly maxDelaySeconds?: number | undefined
}

const DEFAULT_MAX_DELAY_SECONDS = 24 * 60 * 60
/** Clocks may differ by this much. */
export const MAX_CLOCK_SKEW_SECONDS = 5 * 60

/** The time-stamp of a kit, and the time by which the receipt existed. */
export interface TimeFacts {
  /** Undefined if there is none. */
  readonly timeStamp: Parsed<TimeStamp> | undefined
  /** Undefined without a valid time-stamp, or without a log proof that it could be for. */
  readonly status: TimeStampStatus | undefined
  readonly policy: TimePolicy & { readonly maxDelaySeconds: number }
  /** The log policy, unless it is the issuer's own. */
  readonly logPolicy: LogPolicy | undefined
  /** Undefined if nobody whom the reader trusts states a time. */
  readonly trusted: TrustedTime | undefined
}

/** The time by which a receipt existed, according to those whom the reader trusts. */
export interface TrustedTime {
  /** In milliseconds since 1970. */
  readonly time: number
  /** Whether `issued_at` is close enough to it. */
  readonly inBounds: boolean
}

/** `bytes` are undefined if the time-stamp cannot be read, and `hasTimeStamp` is false if there is none. */
export async function readTimeFacts(
  hasTimeStamp: boolean,
  bytes: Uint8Array | undefined,
  log: LogFacts | undefined,
  receipt: Parsed<Receipt>,
  given: TimePolicy | undefined,
  host: Host,
): Promise<TimeFacts | undefined> {
  const roots = given?.roots
  // Witnesses that the issuer names do not confirm its time.
  const logPolicy = log?.isIssuers === true ? undefined : log?.policy
  if (!hasTimeStamp && logPolicy === undefined && roots === undefined) return undefined
  const timeStamp = hasTimeStamp ? parse(bytes) : undefined
  const text = log?.proof?.ok === true ? log.proof.value.checkpoint.text : undefined
  const status =
    timeStamp?.ok === true && text !== undefined
      ? await verifyTimeStamp(timeStamp.value, utf8(text), roots, host)
      : undefined
  const policy = { roots, maxDelaySeconds: given?.maxDelaySeconds ?? DEFAULT_MAX_DELAY_SECONDS }
  const time = trustedTime(log && { ...log, policy: logPolicy }, receipt, status, roots !== undefined, host)
  return {
    timeStamp,
    status,
    policy,
    logPolicy,
    trusted:
      time === undefined || !receipt.ok
        ? undefined
        : { time, inBounds: isInBounds(receipt.value.issued_at, time, policy.maxDelaySeconds) },
  }
}

/** The later of the times of the witnesses and of the authority, whichever the reader asks for. All must confirm. */
function trustedTime(
  log: LogFacts | undefined,
  receipt: Parsed<Receipt>,
  status: TimeStampStatus | undefined,
  needsTimeStamp: boolean,
  host: Host,
): number | undefined {
  if (log?.proof?.ok !== true || !receipt.ok) return undefined
  if (!provesReceipt(log.proof.value, receipt.value, host.digest)) return undefined
  const times: number[] = []
  if (log.policy !== undefined) {
    if (log.status?.is !== 'signed' || !log.status.quorumMet) return undefined
    if (log.status.since !== undefined) times.push(log.status.since * 1000)
  }
  if (needsTimeStamp) {
    if (status?.is !== 'trusted') return undefined
    times.push(status.latest)
  }
  return times.length === 0 ? undefined : Math.max(...times)
}

function isInBounds(issuedAt: string, time: number, maxDelaySeconds: number): boolean {
  const issued = Date.parse(issuedAt)
  return issued >= time - maxDelaySeconds * 1000 && issued <= time + MAX_CLOCK_SKEW_SECONDS * 1000
}

function parse(bytes: Uint8Array | undefined): Parsed<TimeStamp> {
  if (bytes === undefined) return { ok: false, problems: ['the time-stamp cannot be read'] }
  try {
    return { ok: true, value: parseTimeStamp(bytes) }
  } catch (error) {
    if (error instanceof TimeStampFormatError) return { ok: false, problems: [error.message] }
    throw error
  }
}
