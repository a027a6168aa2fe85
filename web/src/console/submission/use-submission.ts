import { api } from '../client.ts'
import { useLiveQuery, allPages } from '../queries.tsx'
import { stageOf } from './stage-status.tsx'
import { detailOf } from './submission-detail.ts'
import type { SubmissionSummary } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'

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

/**
 * Whether a submission stands for itself. Answers to requests and drafts of periods are seen in their request or program; a kit is a kit,
 * wherever it came from.
 */
export function useStandsAlone(): (row: SubmissionSummary) => boolean {
  const { data } = useQuery({
    queryKey: ['programs', 'series'],
    queryFn: () => allPages((page) => api.listPrograms(page)),
    staleTime: 60_000,
  })
  const ofPrograms = new Set(data?.map(({ series }) => series))
  return ({ kit_id, created_by, waiting, series }) =>
    kit_id !== null ||
    // Nobody of the workspace made the draft of a supplier.
    (created_by !== null && !(waiting?.reason === 'evidence' && series !== null && ofPrograms.has(series)))
}
