import type { ConfirmedFile } from '@kitseal/examiner'
import { FIRST_PATHS, type FindingGroup, groupFindings } from '@kitseal/examiner/group-findings'
import { BOUNDARY, type Erasure, type SubmissionProvenance } from '@kitseal/kit/internal'
import type { EvidenceTable, OpenedSubmission, SubmissionsTable } from '../database/schema.ts'
import type { EvidenceRequestId, KitId, SubmissionId } from '../runtime/identifiers.ts'
import type { BlockerRecord, FindingRecord, Submission } from './submission-schemas.ts'
import { KEPT_AFTER_RETENTION } from '../kits/kit-documents.ts'
import { type Confirmation, type SubmissionStatus, type WaitingJob, statusOf, waitingOf } from './statuses.ts'

/** A submission with what its record says about its kit. */
export interface SubmissionView extends OpenedSubmission, WaitingJob {
  /** The request that it answers, or of the period that it is. */
  readonly request_id: EvidenceRequestId | null
  /** The period of a program that it is. */
  readonly period: string | null
  /** JSON: { name: path } of the kit. Null until it is issued. */
  readonly downloads: string | null
  /** When the key that signed the kit was revoked. */
  readonly key_revoked_at: string | null
  /** The legal hold. */
  readonly hold_reason: string | null
  readonly hold_placed_at: string | null
  /** JSON: erasure.json of the kit. Null if the evidence is there. */
  readonly erasure: string | null
  /** The submission of the kit that this one replaces. */
  readonly replaces_submission_id: SubmissionId | null
  /** The submission that replaces this one, and its kit once that is issued. */
  readonly replaced_by_submission_id: SubmissionId | null
  readonly replaced_by_kit_id: KitId | null
}

export type EvidenceView = Pick<EvidenceTable, 'name' | 'sha256' | 'size_bytes' | 'media_type'>

type Head = Pick<
  SubmissionView,
  | keyof WaitingJob
  | keyof Attributes
  | 'submission_id'
  | 'job_id'
  | 'kit_id'
  | 'label'
  | 'profile'
  | 'created_at'
  | 'updated_at'
  | 'key_revoked_at'
  | 'replaced_by_submission_id'
  | 'replaced_by_kit_id'
>

/** What a list has of a submission, too. */
export const headOf = (view: Head, now: string, proof: Confirmation) => ({
  submission_id: view.submission_id,
  label: view.label,
  status: statusOf(view, now),
  waiting: waitingOf(view, now, proof),
  job_id: view.job_id,
  kit_id: view.kit_id,
  profile: view.profile,
  ...attributesOf(view),
  created_at: view.created_at,
  updated_at: view.updated_at > view.job_updated_at ? view.updated_at : view.job_updated_at,
  key_revoked_at: view.key_revoked_at,
  replaced_by: link(view.replaced_by_submission_id, view.replaced_by_kit_id),
})

/** A submission as the API returns it. */
export function submissionRecord(
  view: SubmissionView,
  evidence: readonly EvidenceView[],
  now: string,
  proof: Confirmation,
): Submission {
  const { key_revoked_at, replaced_by, ...head } = headOf(view, now, proof)
  return {
    ...head,
    evidence: evidence.map(({ name, sha256, size_bytes, media_type }) => ({
      name,
      sha256,
      size_bytes,
      media_type,
    })),
    accept: acceptOf(view),
    provenance: statedIn(view),
    blockers: blockersOf(view),
    findings: findingsOf(view),
    credits_charged: isCharged(view, head.status) ? 1 : 0,
    deliverables: deliverablePaths(view, head.status),
    key_revoked_at,
    hold: holdOf(view),
    erasure: erasureOf(view),
    replaces: link(view.replaces_submission_id, view.replaces_kit_id),
    replaced_by,
    boundary: BOUNDARY,
  }
}

export type Attributes = Pick<Submission, 'series' | 'external_id' | 'tags' | 'metadata'>

export const attributesOf = (
  row: Pick<SubmissionsTable, 'series' | 'external_id' | 'tags' | 'metadata'>,
): Attributes => ({
  series: row.series,
  external_id: row.external_id,
  tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
  metadata: row.metadata === null ? {} : (JSON.parse(row.metadata) as Record<string, string>),
})

const holdOf = ({ hold_reason, hold_placed_at }: SubmissionView): Submission['hold'] =>
  hold_reason === null || hold_placed_at === null ? null : { reason: hold_reason, created_at: hold_placed_at }

function erasureOf({ erasure }: SubmissionView): Submission['erasure'] {
  if (erasure === null) return null
  const { erased_at, reason, rule, ordered_by, files, bytes } = JSON.parse(erasure) as Erasure
  return { erased_at, reason, rule, ordered_by, files, bytes }
}

const link = (submission_id: SubmissionId | null, kit_id: SubmissionView['kit_id']) =>
  submission_id === null ? null : { submission_id, kit_id }

/** A re-issued kit costs nothing: the supplier did not cause the revocation. */
const isCharged = ({ replaces_kit_id, kit_id }: SubmissionView, status: SubmissionStatus): boolean =>
  replaces_kit_id === null && kit_id !== null && (status === 'PASS' || status === 'EXPIRED')

export function blockersOf({ blockers }: Pick<SubmissionView, 'blockers'>): BlockerRecord[] {
  return blockers === null ? [] : (JSON.parse(blockers) as BlockerRecord[])
}

/** Blockers that are not about evidence are shown as dangers. */
export function findingsOf(view: Pick<SubmissionView, 'blockers' | 'findings'>): FindingRecord[] {
  if (view.findings !== null) return JSON.parse(view.findings) as FindingRecord[]
  return blockersOf(view).map(({ code, path, message, remedy }) => {
    return { code, class: 'danger', path, message, remedy, acknowledged: false }
  })
}

export const withGroupedFindings = (submission: Submission): Submission => ({
  ...submission,
  findings: groupFindings(submission.findings).map(summarized),
})

const summarized = (group: FindingGroup<FindingRecord>): FindingRecord => ({
  ...group,
  paths: group.paths.slice(0, FIRST_PATHS),
})

export function acceptOf({ accept }: Pick<SubmissionsTable, 'accept'>): string[] {
  return accept === null ? [] : (JSON.parse(accept) as string[])
}

/** What the supplier states about where the evidence came from. */
export const statedIn = ({ provenance }: Pick<SubmissionsTable, 'provenance'>): SubmissionProvenance | null =>
  provenance === null ? null : (JSON.parse(provenance) as SubmissionProvenance)

/** Files that a person says are for an item of the profile. */
export const confirmedIn = ({ confirmed }: Pick<SubmissionsTable, 'confirmed'>): ConfirmedFile[] =>
  confirmed === null ? [] : (JSON.parse(confirmed) as ConfirmedFile[])

export const FAIL_REPORT = 'fail_report.json'

export const deliverablePath = (id: SubmissionId, name: string): string =>
  `/v1/submissions/${id}/deliverables/${name}`

/** From the kit's record, or the fail report of a failed submission. */
export function deliverablePaths(view: SubmissionView, status: SubmissionStatus): Record<string, string> {
  if (status === 'FAIL') return { [FAIL_REPORT]: deliverablePath(view.submission_id, FAIL_REPORT) }
  if (view.downloads === null) return {}
  const paths = JSON.parse(view.downloads) as Record<string, string>
  if (view.status !== 'EXPIRED') return paths
  return Object.fromEntries(Object.entries(paths).filter(([name]) => KEPT_AFTER_RETENTION.has(name)))
}
