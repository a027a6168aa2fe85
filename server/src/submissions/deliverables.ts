import { BOUNDARY } from '@kitseal/kit/internal'
import type { KitRecord } from '../kits/kit-queries.ts'
import { KIT_ZIP } from '../kits/kit-zip.ts'
import type { FailReport } from './submission-schemas.ts'
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
  return {
    report: 'fail_report',
    submission_id: view.submission_id,
    job_id: view.job_id,
    label: view.label,
    profile: view.profile,
    status: 'FAIL',
    failed_at: view.job_updated_at,
    credits_charged: 0,
    blockers: blockersOf(view),
    boundary: BOUNDARY,
  }
}
