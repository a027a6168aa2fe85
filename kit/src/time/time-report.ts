import type { LogFacts } from '../log/log-facts.ts'
import { seenText } from '../log/witness-texts.ts'
import { readableTime, time, type TimeReport } from '../report.ts'
import type { TimeFacts } from './time-facts.ts'

/** States when the receipt existed, and who confirms it; undefined without a trusted time in bounds. */
export function timeReport(
  { trusted, status, logPolicy }: TimeFacts,
  log: LogFacts | undefined,
): TimeReport | undefined {
  if (trusted?.inBounds !== true) return undefined
  const authority = status?.is === 'trusted' ? status.authority : null
  const all = logPolicy?.witnesses.length ?? 0
  const cosigned = log?.status?.is === 'signed' ? log.status.cosigned.length : 0
  const by = [
    ...(authority === null ? [] : [`time-stamp by ${authority}`]),
    ...(all === 0 ? [] : [seenText(cosigned, all)]),
  ]
  const seconds = trusted.time / 1000
  return {
    text: `existed before ${readableTime(seconds)} (${by.join(', ')})`,
    existed_before: time(seconds),
    authority,
  }
}
