import { BOUNDARY } from '@kitseal/kit'
import type { BlockerRecord, FailReport } from './submission-schemas.ts'
import { blockersOf, type SubmissionView } from './submission.ts'

/** `fail_report.json`, generated from stored data, so that it always has the same bytes. */
export function failReport(view: SubmissionView): FailReport {
  const blockers = blockersOf(view)
  return {
    report: 'fail_report',
    submission_id: view.submission_id,
    job_id: view.job_id,
    label: view.label,
    profile: view.profile,
    status: 'FAIL',
    failed_at: view.job_updated_at,
    credits_charged: 0,
    blockers,
    resubmission_checklist: checklist(blockers),
    boundary: BOUNDARY,
  }
}

/** Each remedy once, with the files it applies to, then how to resubmit. */
function checklist(blockers: readonly BlockerRecord[]): FailReport['resubmission_checklist'] {
  const byRemedy = new Map<string, Set<string>>()
  for (const { remedy, path, code } of blockers) {
    const places = byRemedy.get(remedy) ?? new Set()
    places.add(path === null || path === '' ? code : `${code}: ${path}`)
    byRemedy.set(remedy, places)
  }
  const steps = [...byRemedy].map(([remedy, places]) => ({ do: remedy, resolves: [...places] }))
  const last = {
    do: 'Create a new submission with POST /v1/submissions and upload all evidence again. No credit was charged for this submission.',
    resolves: [],
  }
  return [...steps, last].map(({ do: action, resolves }, index) => ({
    step: index + 1,
    do: action,
    resolves,
  }))
}
