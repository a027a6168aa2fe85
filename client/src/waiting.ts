import type { Submission } from './api-types.generated.ts'

/** What a submission waits for, and since when. Newer services may add reasons. */
export type Waiting = NonNullable<Submission['waiting']>

/**
 * What a submission waits for, as text for people.
 *
 * @example
 * ```ts
 * import { waitingText } from '@kitseal/client'
 *
 * console.log(waitingText({ reason: 'queue', since: '2026-03-04T05:06:07.000Z' }))
 * // waiting for a worker of the service since 2026-03-04T05:06:07.000Z
 * ```
 */
export function waitingText({ reason, since }: Waiting): string {
  const text: string | undefined = TEXTS[reason]
  return `waiting for ${text ?? reason} since ${since}`
}

const TEXTS: Readonly<Record<Waiting['reason'], string>> = {
  evidence: 'the final upload',
  queue: 'a worker of the service',
  retry: 'another attempt, because the last one failed,',
  log_frozen: 'the log of the service, which is frozen until the operator has repaired it,',
  log: 'its entry in the log',
  witnesses: 'the cosignatures of the witnesses',
  time_stamp: 'the time-stamp of the log',
}
