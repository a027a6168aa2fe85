import { type CheckResult, type LogReport, readableTime, time } from '../report.ts'
import type { LogFacts } from './log-facts.ts'
import type { CheckpointStatus } from './verify-checkpoint.ts'
import { seenText } from './witness-texts.ts'

const NOTHING = { origin: null, index: null, size: null, since: null, witnesses: null }

/** States what the log adds, after the checks. */
export function logReport(
  { proof, status, policy, isIssuers = false }: LogFacts,
  checks: readonly CheckResult[],
  issuer: string | undefined,
): LogReport {
  if (proof === undefined) return { ...NOTHING, text: 'not shown to be in a log: the kit has no log proof' }
  const isWrong = checks.some(({ check, result }) => check === 'receipt_is_logged' && result === 'fail')
  if (!proof.ok || isWrong) return { ...NOTHING, text: 'the log proof is not valid' }
  const { index, checkpoint } = proof.value
  const { origin, size } = checkpoint
  const named = { ...NOTHING, origin, index, size }
  if (policy === undefined || status === undefined) {
    const text = `not confirmed: the log proof names the log ${origin}, but its signature and its witnesses were not checked, because no policy was given`
    return { ...named, text }
  }
  if (status.is !== 'signed')
    return {
      ...named,
      text: `not confirmed: the log proof names the log ${origin}, which ${isIssuers ? 'the issuer does not' : 'your policy does not'} name`,
    }
  const cosigned = [...new Set(status.cosigned.map(({ name }) => name))]
  const witnesses = { cosigned, total: policy.witnesses.length }
  const others = checkpoint.signatures.length - 1
  return {
    ...named,
    text: `in the log ${logName(origin, issuer)}${confirmation(status, witnesses, `entry ${index + 1} of ${size}`, others, isIssuers)}`,
    since: status.since === undefined ? null : time(status.since),
    witnesses,
  }
}

function confirmation(
  { since, quorumMet }: Extract<CheckpointStatus, { is: 'signed' }>,
  { cosigned, total }: NonNullable<LogReport['witnesses']>,
  entry: string,
  others: number,
  isIssuers: boolean,
): string {
  const reason = isIssuers ? 'the issuer names none' : 'you have named none'
  const named = isIssuers ? ' that the issuer names' : ''
  const seen = `${seenText(cosigned.length, total)}${named}`
  if (since !== undefined) return ` since ${readableTime(since)}, ${seen}`
  const place = `, ${entry}`
  if (total === 0 && others > 0) return `${place}; witnesses were not checked, because ${reason}`
  if (cosigned.length === 0) return `${place}; no witness has confirmed it`
  return quorumMet ? `${place}, ${seen}` : `${place}, but only ${seen}`
}

/** The issuer, if the log is named after it: host and path, and `/log`. */
function logName(origin: string, issuer = ''): string {
  return `${issuer.replace(/^https?:\/\//, '').replace(/\/+$/, '')}/log` === origin ? `of ${issuer}` : origin
}
