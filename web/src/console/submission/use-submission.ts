import { api } from '../client.ts'
import { useLiveQuery } from '../queries.tsx'
import { stageOf } from './stage-status.tsx'
import { detailOf } from './submission-detail.ts'

/** Events are shown with the submission, newest last. More than these are in the audit log. */
const MAX_EVENTS = 100
/** The start of work is not an event. */
const WORKING_POLL_MS = 1000
const WORKING = new Set(['queued', 'running'])

/** A submission with what happened to it, updated live. */
export function useSubmission(id: string) {
  return useLiveQuery(
    ['submission', id],
    async (options) => {
      const [submission, { data: events }] = await Promise.all([
        api.getSubmission(id, options),
        api.getAuditTrail({ subject: id, names: 'true', limit: MAX_EVENTS }, options),
      ])
      return detailOf(submission, events)
    },
    ({ submission }) => (WORKING.has(stageOf(submission)) ? WORKING_POLL_MS : false),
  )
}
