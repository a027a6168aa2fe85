import { BOUNDARY } from '@kitseal/kit/internal'
import type { KitRecord } from '../kits/kit-queries.ts'
import { KIT_ZIP } from '../kits/kit-zip.ts'
import type { BlockerRecord, FailReport } from './submission-schemas.ts'
import { blockersOf, type SubmissionView } from './submission.ts'

/** Files of a kit that can be downloaded separately. */
const DOWNLOADABLE = [
  'manifest.json',
  'receipt.json',
  'receipt.canonical.json',
  'receipt.sig',
  'jwks.json',
  'binder.pdf',
  'VERIFY.md',
  'reports/intake_report.json',
  'reports/classification_report.json',
  'reports/provenance.json',
  'reports/reissue.json',
  'reports/request.json',
  'reports/program.json',
  'reports/series.json',
] as const

/** The deliverables of a kit with these files. */
export function deliverableNames(paths: Iterable<string>): readonly string[] {
  const present = new Set(paths)
  return [KIT_ZIP, ...DOWNLOADABLE.filter((name) => present.has(name))]
}

const TYPES: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  md: 'text/markdown; charset=utf-8',
  sig: 'application/octet-stream',
}

export function deliverableType(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

export function findDeliverable(
  kit: KitRecord,
  name: string,
): { readonly is: 'kit' } | { readonly is: 'file'; readonly path: string } | undefined {
  if (!Object.hasOwn(JSON.parse(kit.downloads) as object, name)) return undefined
  if (name === KIT_ZIP) return { is: 'kit' }
  return kit.entries.some((entry) => entry.path === name) ? { is: 'file', path: name } : undefined
}

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
