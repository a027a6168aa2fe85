import type { SubmissionSummary } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../client.ts'
import { allPages } from '../queries.tsx'

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
