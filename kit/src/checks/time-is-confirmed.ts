import { type Finding, finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import type { LogFacts } from '../log/log-facts.ts'
import { type Check, notRun, outcome, passWith, time as text } from '../report.ts'
import { MAX_CLOCK_SKEW_SECONDS, type TimeFacts } from '../time/time-facts.ts'
import { timeReport } from '../time/time-report.ts'
import { en } from '../texts/en.ts'

export const timeIsConfirmed: Check<ReceiptFacts> = {
  check: 'time_is_confirmed',
  guarantee: en.checks.time_is_confirmed,
  run({ log, time, receipt }) {
    if (time === undefined) return notRun('there is no time-stamp')
    const findings = timeStampFindings(time, log)
    if (findings.length > 0) return outcome(findings)
    const { trusted, policy, logPolicy } = time
    if (logPolicy === undefined && policy.roots === undefined) return notRun('no policy was given')
    if (trusted === undefined || !receipt.ok)
      return notRun('neither witnesses nor a time-stamp authority that you trust state a time')
    const existed = text(trusted.time / 1000)
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
    return passWith(timeReport(time, log)?.text ?? '')
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
