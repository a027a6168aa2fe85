import type { BinderItem } from '@kitseal/binder'
import type { FindingRecord, RecognisedOutput } from '@kitseal/examiner'
import { groupFindings } from '@kitseal/examiner/group-findings'
import { type JsonObject, parseStrictJson, PROVENANCE_PATH } from '@kitseal/kit/internal'
import type { Db, KitEntry, OpenedSubmission } from '../database/schema.ts'
import { reportInBinder } from '../kits/binder-file.ts'
import { INTAKE_REPORT_PATH, PROGRAM_REPORT_PATH, REQUEST_REPORT_PATH } from '../kits/intake-record.ts'
import { type MadeFile, madeJson } from '../kits/kit-files.ts'
import { type SealContext, type SealedKit, sealJobKit } from '../kits/seal-kit.ts'
import { type Origin, readWorkspaceInKit, type Supplier, type WorkspaceInKit } from '../access/supplier.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { deliverableNames } from './deliverables.ts'
import { deliverablePath } from './submission.ts'

export interface SealEvidenceContext extends SealContext {
  readonly objects: ObjectStore
  readonly db: Db
}

/** A stored file in data/. */
export interface SealedFile extends KitEntry {
  readonly mediaType: string
  /** What the output of a known tool says about itself. */
  readonly recognised?: RecognisedOutput | undefined
}

interface SubmissionContent {
  readonly submission: Readonly<OpenedSubmission>
  /** Undefined if it has to be read. */
  readonly workspace?: WorkspaceInKit
  readonly files: readonly SealedFile[]
  readonly findings: readonly FindingRecord[]
  /** The intake report, which is sealed with the supplier. */
  readonly intake: JsonObject
  /** The other reports. */
  readonly reports: readonly MadeFile[]
}

/** Seals the kit of a submission, with binder and deliverables. */
export function sealEvidence(
  ctx: SealEvidenceContext,
  { submission, workspace, files, findings, intake, reports }: SubmissionContent,
): Promise<SealedKit> {
  return sealJobKit(ctx, {
    job: submission,
    caller: submission.workspace_id,
    evidence: files.map(({ path, sha256, sizeBytes, crc32, object, offset, recognised, summary }) => {
      return { path, sha256, sizeBytes, crc32, object, offset, summary: recognised?.summary ?? summary }
    }),
    describe: async (identity) => {
      const { supplier, language } = workspace ?? (await readWorkspaceInKit(ctx.db, submission.workspace_id))
      const origin = originOf(supplier, reports)
      const made = [madeJson(INTAKE_REPORT_PATH, { ...intake, ...origin }), ...reports]
      const binder = {
        ...identity,
        job: submission,
        issuer: ctx.issuer,
        origin,
        language,
        label: submission.label,
        profile: submission.profile,
        replacesKitId: submission.replaces_kit_id,
        files: [...files, ...made.map(reportInBinder)],
        findings: groupFindings(findings),
        items: itemsIn(intake, reports),
        provenance: reports.find(({ path }) => path === PROVENANCE_PATH),
      }
      return { reports: made, binder }
    },
    downloads: (_kit, paths) =>
      Object.fromEntries(
        deliverableNames(paths).map((name) => [name, deliverablePath(submission.submission_id, name)]),
      ),
  })
}

interface ReportedItem {
  readonly id: string
  readonly title: string
  readonly matched?: readonly { readonly path: string }[]
  readonly files?: readonly { readonly path: string }[]
  readonly not_applicable?: { readonly reason: string } | null
}

/** The items of the profile, the request or the program, as the reports have them. */
function itemsIn(intake: JsonObject, reports: readonly MadeFile[]): readonly BinderItem[] {
  const asked = reports.find(({ path }) => path === REQUEST_REPORT_PATH || path === PROGRAM_REPORT_PATH)
  const report = (asked === undefined ? intake['profile'] : parseStrictJson(asked.bytes)) as
    | { readonly items?: readonly ReportedItem[] }
    | undefined
  return (report?.items ?? []).map(({ id, title, matched = [], files = matched, not_applicable }) => ({
    id,
    title,
    files: files.map(({ path }) => path),
    note: not_applicable == null ? undefined : `Not applicable: ${not_applicable.reason}`,
  }))
}

/** The workspace of a request asked for the files. Who sent them through its link is not known. */
function originOf(workspace: Supplier | null, reports: readonly MadeFile[]): Origin {
  const isRequested = reports.some(({ path }) => path === REQUEST_REPORT_PATH)
  return isRequested && workspace !== null
    ? { supplier: null, requested_by: workspace }
    : { supplier: workspace }
}
