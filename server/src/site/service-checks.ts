import type { ReadyResults } from '../http/readiness.ts'
import type { ConsoleResponse } from './response-schemas.ts'

type Status = ConsoleResponse<'ServiceStatus'>
type Check = Status['checks'][number]

/** What the checks are about. */
export type ServiceFacts = Omit<Status, 'at' | 'version' | 'issuer' | 'checks'>

interface More {
  readonly isMailFailing: boolean
  readonly now: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The others are those of deploy/prometheus/alerts.yaml. */
const BACKUP_DAYS = 7
const SCRUB_DAYS = 14

/** The checks of /readyz, then what operators look at every day. */
export function serviceChecks(ready: ReadyResults, facts: ServiceFacts, more: More): readonly Check[] {
  const own = Object.entries(CHECKS).flatMap(([check, look]): readonly Check[] => {
    const found = look(facts, more)
    if (found === 'nothing to check') return []
    if (found === 'ok') return [{ check, status: 'ok', problem: null }]
    return [{ check, status: found[0], problem: found[1] }]
  })
  return [...[...ready].map(ofReadiness), ...own]
}

const ofReadiness = ([check, result]: readonly [string, boolean | string]): Check =>
  result === true
    ? { check, status: 'ok', problem: null }
    : {
        check,
        status: 'fail',
        problem:
          typeof result === 'string' ? `${sentence(result)}` : (NOT_READY[check] ?? 'It does not answer.'),
      }

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

const NOT_READY: Readonly<Record<string, string>> = {
  signing_key: 'There is no active signing key. Run "kitseal admin signing-key rotate".',
  work: 'No node works on jobs, so no kits are issued. Start the service.',
}

/** What is not set up, or has not run yet, is not called fine. */
type Found = readonly [status: 'warn' | 'fail', problem: string] | 'ok' | 'nothing to check'

const CHECKS: Readonly<Record<string, (facts: ServiceFacts, more: More) => Found>> = {
  nodes: ({ nodes }) =>
    nodes.some(({ is_running }) => is_running) ? 'ok' : ['fail', 'The service is not running. Start it.'],
  queue: ({ queue: { oldest_at } }, { now }) =>
    oldest_at === null || now - Date.parse(oldest_at) <= MINUTE_MS
      ? 'ok'
      : ['warn', 'A job waits for more than a minute. Look at the log of the workers.'],
  mail: ({ mail: { is_on, last_sent_at, last_problem } }, { isMailFailing }) => {
    if (!is_on) return 'nothing to check'
    if (isMailFailing) return ['warn', `The last mail could not be delivered: ${last_problem ?? ''}`]
    return last_sent_at === null ? 'nothing to check' : 'ok'
  },
  backup: ({ backup }, { now }) => {
    if (backup === null) return ['warn', 'No backup is known. Run "kitseal admin backup DIR" every day.']
    if (backup.missing > 0)
      return ['warn', `The last backup lacks ${backup.missing} missing or damaged objects.`]
    return now - Date.parse(backup.finished_at) > BACKUP_DAYS * DAY_MS
      ? ['warn', 'The last backup is older than a week. Run "kitseal admin backup DIR" every day.']
      : 'ok'
  },
  scrub: ({ scrub: { finished_at, damaged } }, { now }) => {
    if (damaged > 0)
      return ['fail', `Missing or damaged objects: ${damaged}. Run "kitseal admin scrub", which names them.`]
    if (finished_at === null) return 'nothing to check'
    return now - Date.parse(finished_at) > SCRUB_DAYS * DAY_MS
      ? ['warn', 'No scrub has finished for two weeks. Look for "maintenance failed" in the log.']
      : 'ok'
  },
  witnesses: ({ log }) => {
    const witnesses = log?.witnesses ?? []
    if (witnesses.length === 0) return 'nothing to check'
    const failing = witnesses.filter(({ problem }) => problem !== null)
    return failing.length === 0
      ? 'ok'
      : ['warn', `No cosignature from ${failing.map(({ name }) => name).join(', ')}.`]
  },
}
