import { reason } from '../texts/english.ts'
import { utf8 } from '../encoding/bytes.ts'
import type { ProofFile } from '../envelope.ts'
import type { Host } from '../host.ts'
import { type LogFacts, seenText } from '../log/verify-log.ts'
import { provesReceipt } from '../log/tlog-proof.ts'
import type { LogPolicy } from '../log/tlog-policy.ts'
import { type Parsed, parsedOr } from '../parsing.ts'
import type { Receipt } from '../receipt.ts'
import { type Check, isoTime, notRun, outcome, passWith, readableTime, type TimeReport } from '../report.ts'
import { type Finding, finding } from '../verdicts.ts'
import type { Certificate } from './certificate.ts'
import { TimeStampFormatError } from './der.ts'
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
const MAX_CLOCK_SKEW_SECONDS = 5 * 60

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
interface TrustedTime {
  /** In milliseconds since 1970. */
  readonly time: number
  /** Whether `issued_at` is close enough to it. */
  readonly inBounds: boolean
}

/** What the time of a receipt depends on, besides the time-stamp. */
interface Context {
  readonly log: LogFacts | undefined
  readonly receipt: Parsed<Receipt>
  readonly policy: TimePolicy | undefined
}

/** Undefined if there is neither a time-stamp nor a policy. */
export async function readTimeFacts(
  file: ProofFile,
  { log, receipt, policy: given }: Context,
  host: Host,
): Promise<TimeFacts | undefined> {
  const roots = given?.roots
  // Witnesses that the issuer names do not confirm its time.
  const logPolicy = log?.isIssuers === true ? undefined : log?.policy
  if (file === undefined && logPolicy === undefined && roots === undefined) return undefined
  const timeStamp = file === undefined ? undefined : parse(file)
  const stamped = log?.proof?.ok === true ? log.proof.value.checkpoint.text : undefined
  const status =
    timeStamp?.ok === true && stamped !== undefined
      ? await verifyTimeStamp(timeStamp.value, utf8(stamped), roots, host)
      : undefined
  const policy = { roots, maxDelaySeconds: given?.maxDelaySeconds ?? DEFAULT_MAX_DELAY_SECONDS }
  const facts = { timeStamp, status, policy, logPolicy }
  if (!receipt.ok || log?.proof?.ok !== true) return { ...facts, trusted: undefined }
  const isLogged = provesReceipt(log.proof.value, receipt.value, host.digest)
  const time = isLogged ? trustedTime(log, facts) : undefined
  if (time === undefined) return { ...facts, trusted: undefined }
  const issued = Date.parse(receipt.value.issued_at)
  const inBounds =
    issued >= time - policy.maxDelaySeconds * 1000 && issued <= time + MAX_CLOCK_SKEW_SECONDS * 1000
  return { ...facts, trusted: { time, inBounds } }
}

/** The later of the times of the witnesses and of the authority, whichever the reader asks for. All must confirm. */
function trustedTime(
  log: LogFacts,
  { status, policy, logPolicy }: Omit<TimeFacts, 'trusted'>,
): number | undefined {
  const times: number[] = []
  if (logPolicy !== undefined) {
    if (log.status?.is !== 'signed' || !log.status.quorumMet) return undefined
    if (log.status.since !== undefined) times.push(log.status.since * 1000)
  }
  if (policy.roots !== undefined) {
    if (status?.is !== 'trusted') return undefined
    times.push(status.latest)
  }
  return times.length === 0 ? undefined : Math.max(...times)
}

function parse(file: Uint8Array | 'unreadable'): Parsed<TimeStamp> {
  if (file === 'unreadable') return { ok: false, problems: ['the time-stamp cannot be read'] }
  return parsedOr(TimeStampFormatError, () => parseTimeStamp(file))
}

/** States when the receipt existed, and who confirms it; undefined without a trusted time in bounds. */
export function timeReport(
  { trusted, status, logPolicy }: TimeFacts,
  log: LogFacts | undefined,
): TimeReport | undefined {
  if (trusted?.inBounds !== true) return undefined
  const authority = status?.is === 'trusted' ? status.authority : null
  const all = logPolicy?.witnesses.length ?? 0
  const cosigned = log?.status?.is === 'signed' ? log.status.cosigned.length : 0
  const seconds = trusted.time / 1000
  const by =
    authority === null
      ? seenText(cosigned, all)
      : all === 0
        ? reason('reason.stamped', { authority })
        : reason('reason.stampedSeen', { authority, cosigned, total: all })
  const { text, ...text_message } = reason('reason.existed', { time: readableTime(seconds), by })
  return {
    text,
    text_message,
    existed_before: isoTime(seconds),
    authority,
  }
}

interface StampedReceipt {
  readonly receipt: Parsed<Receipt>
  readonly log?: LogFacts | undefined
  readonly time?: TimeFacts | undefined
}

export const timeIsConfirmed: Check<StampedReceipt> = {
  check: 'time_is_confirmed',
  run({ log, time, receipt }) {
    if (time === undefined) return notRun(reason('reason.noTimeStamp'))
    const findings = timeStampFindings(time, log)
    if (findings.length > 0) return outcome(findings)
    const { trusted, policy, logPolicy } = time
    if (logPolicy === undefined && policy.roots === undefined) return notRun(reason('reason.noPolicy'))
    if (trusted === undefined || !receipt.ok) return notRun(reason('reason.noTime'))
    const existed = isoTime(trusted.time / 1000)
    if (!trusted.inBounds) {
      const issuedAt = receipt.value.issued_at
      const limit =
        Date.parse(issuedAt) > trusted.time
          ? `more than ${duration(MAX_CLOCK_SKEW_SECONDS)} after it was seen, at ${existed}`
          : `more than ${duration(policy.maxDelaySeconds)} before it was first seen, at ${existed}`
      return outcome([
        finding('time_out_of_bounds', `the receipt says that it was issued at ${issuedAt}, ${limit}`),
      ])
    }
    const report = timeReport(time, log)
    return report === undefined
      ? passWith('')
      : { is: 'pass', why: { text: report.text, ...report.text_message } }
  },
}

function timeStampFindings(
  { timeStamp, status, policy }: TimeFacts,
  log: LogFacts | undefined,
): readonly Finding[] {
  if (timeStamp === undefined)
    return policy.roots === undefined
      ? []
      : [finding('time_stamp_missing', 'you ask for a time-stamp, and there is none')]
  if (!timeStamp.ok) return timeStamp.problems.map((problem) => finding('time_stamp_malformed', problem))
  if (log?.proof === undefined)
    return [finding('time_stamp_mismatch', 'there is a time-stamp, but no log proof that it could be for')]
  if (status?.is === 'mismatch')
    return [finding('time_stamp_mismatch', 'the time-stamp is not for the checkpoint in the log proof')]
  if (status?.is === 'invalid')
    return [finding('time_stamp_invalid', `the time-stamp is not valid: ${status.why}`)]
  if (status?.is === 'untrusted')
    return [finding('time_stamp_untrusted', `you do not trust the time-stamp: ${status.why}`)]
  return []
}

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
