import type { ConfirmedFile } from '@kitseal/examiner'
import { FIRST_PATHS, groupFindings } from '@kitseal/examiner/group-findings'
import { BOUNDARY, type Erasure, type SubmissionProvenance } from '@kitseal/kit/internal'
import { type Static, Type } from 'typebox'
import type { SubmissionsTable } from '../database/schema.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { answer, asReturned, composed, member, type Members } from '../http/resource.ts'
import {
  Boundary,
  Count,
  DateTime,
  Message,
  NullableString,
  NullableTime,
  OneOf,
  Sha256,
} from '../http/schema-parts.ts'
import { KEPT_AFTER_RETENTION } from '../kits/kit-documents.ts'
import { ShownProvenance } from '../kits/kit-schemas.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import {
  type Confirmation,
  statusOf,
  SUBMISSION_STATUSES,
  type SubmissionStatus,
  WAITING_REASONS,
  type WaitingJob,
  waitingOf,
  type WaitingReason,
} from './statuses.ts'
import type { EvidenceView, SubmissionView } from './submission-queries.ts'
import { Accept } from './submission-schemas.ts'

export type { EvidenceView, SubmissionView }

/** What is stored as JSON. */
const parsed = <T>(json: string | null, otherwise: T): T =>
  json === null ? otherwise : (JSON.parse(json) as T)

export const acceptOf = ({ accept }: Pick<SubmissionsTable, 'accept'>): string[] => parsed(accept, [])

/** What the supplier states about where the evidence came from. */
export const statedIn = ({ provenance }: Pick<SubmissionsTable, 'provenance'>): SubmissionProvenance | null =>
  parsed(provenance, null)

/** Files that a person says are for an item of the profile. */
export const confirmedIn = ({ confirmed }: Pick<SubmissionsTable, 'confirmed'>): ConfirmedFile[] =>
  parsed(confirmed, [])

/** What a submission is found by. */
export interface Attributes {
  readonly series: string | null
  readonly external_id: string | null
  readonly tags: string[]
  readonly metadata: Record<string, string>
}

export const attributesOf = ({
  series,
  external_id,
  tags,
  metadata,
}: Pick<SubmissionsTable, keyof Attributes>): Attributes => {
  return { series, external_id, tags: parsed(tags, []), metadata: parsed(metadata, {}) }
}

/** Optional, because the findings of kits that were issued earlier do not have it. */
const FindingArgs = () =>
  Type.Optional(
    Type.Object(
      {
        detail: Type.Optional(Message('What is said about this file, after what `code` stands for.')),
      },
      { description: 'What `message` says beside what `code` stands for, for readers in other languages.' },
    ),
  )

const BlockerRecord = Type.Object({
  code: Type.String(),
  path: NullableString('The file, or null for the whole submission.'),
  message: Type.String(),
  remedy: Type.String({ description: 'How to fix it.' }),
  args: FindingArgs(),
})

const FindingRecord = Type.Object({
  code: Type.String(),
  class: OneOf(
    ['danger', 'damage', 'secret', 'notice'],
    'A danger always blocks the submission, damage and a secret unless they are acknowledged, a notice never. Secrets come first.',
  ),
  path: NullableString('The file, or null for the whole submission.'),
  message: Type.String(),
  remedy: Type.String({ description: 'How to fix it.' }),
  args: FindingArgs(),
  acknowledged: Type.Boolean({ description: 'Whether `accept` of the submission names its code.' }),
  count: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How many findings are equal. Only with `findings=summary`.' }),
  ),
  paths: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: FIRST_PATHS,
      description: 'The first files with this finding. Only with `findings=summary`.',
    }),
  ),
})

type BlockerRecord = Static<typeof BlockerRecord>
export type FindingRecord = Static<typeof FindingRecord>

const blockersOf = ({ blockers }: Pick<SubmissionsTable, 'blockers'>): BlockerRecord[] => parsed(blockers, [])

/** Blockers that are not about evidence are shown as dangers. */
export function findingsOf(view: Pick<SubmissionsTable, 'blockers' | 'findings'>): FindingRecord[] {
  if (view.findings !== null) return parsed(view.findings, [])
  return blockersOf(view).map(({ code, path, message, remedy }) => {
    return { code, class: 'danger', path, message, remedy, acknowledged: false }
  })
}

/** Findings that differ in their path alone are one. */
const summarized = (findings: readonly FindingRecord[]): FindingRecord[] =>
  groupFindings(findings).map((group) =>
    Object.assign({}, group, { paths: group.paths.slice(0, FIRST_PATHS) }),
  )

const linked = (kitId: string, description: string) =>
  Type.Union([Type.Object({ submission_id: Type.String(), kit_id: NullableString(kitId) }), Type.Null()], {
    description,
  })
const link = (submission_id: string | null, kit_id: string | null) =>
  submission_id === null ? null : { submission_id, kit_id }

const REASONS = Object.keys(WAITING_REASONS) as WaitingReason[]
const STATUS = OneOf(
  SUBMISSION_STATUSES,
  'EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain.',
)

/** What else the state of a submission depends on. */
interface Seen {
  readonly now: string
  readonly proof: Confirmation
}

type ListedView = WaitingJob &
  Pick<SubmissionsTable, 'updated_at' | 'tags' | 'metadata'> &
  Pick<SubmissionView, 'key_revoked_at' | 'replaced_by_submission_id' | 'replaced_by_kit_id'>

/** What a list has of a submission, too. */
const HEAD = {
  submission_id: Type.String(),
  label: Type.String(),
  status: member(STATUS, (view: ListedView & Seen) => statusOf(view, view.now)),
  waiting: member(
    Type.Union(
      [
        Type.Object({
          reason: OneOf(
            REASONS,
            REASONS.map((reason) => `\`${reason}\`: ${WAITING_REASONS[reason]}.`).join(' '),
          ),
          since: DateTime(),
        }),
        Type.Null(),
      ],
      {
        description:
          'What holds the submission, and since when. Null while it is processed, and once the status is final.',
      },
    ),
    (view: ListedView & Seen) => waitingOf(view, view.now, view.proof),
  ),
  job_id: Type.String({ description: 'The intake job of this submission.' }),
  kit_id: NullableString('Null until the kit is issued.'),
  profile: Type.String(),
  series: NullableString('The series, if it belongs to one.'),
  external_id: NullableString('Your own ID.'),
  tags: member(Type.Array(Type.String()), ({ tags }: ListedView) => parsed(tags, [])),
  metadata: member(Type.Record(Type.String(), Type.String()), ({ metadata }: ListedView) =>
    parsed(metadata, {}),
  ),
  created_at: DateTime(),
  updated_at: member(DateTime(), ({ updated_at, job_updated_at }: ListedView) =>
    updated_at > job_updated_at ? updated_at : job_updated_at,
  ),
}

const REPLACED = {
  key_revoked_at: NullableTime(
    'When the key that signed the kit was revoked. The kit no longer verifies: re-issue it.',
  ),
  replaced_by: member(
    linked('Null until the kit is issued.', 'The submission whose kit replaces the one of this submission.'),
    (view: ListedView) => link(view.replaced_by_submission_id, view.replaced_by_kit_id),
  ),
}

interface Whole extends SubmissionView, Seen {
  readonly evidence: readonly EvidenceView[]
  /** Whether equal findings are one entry. */
  readonly isSummary: boolean
}

const { key_revoked_at, replaced_by } = REPLACED
const WHOLE: Members<Whole> = {
  ...HEAD,
  evidence: member(
    Type.Array(
      Type.Object({
        name: Type.String({ description: 'As uploaded.' }),
        sha256: Sha256(),
        size_bytes: Count(),
        media_type: Type.String({ description: 'Detected from the first bytes.' }),
      }),
    ),
    ({ evidence }: Whole) =>
      evidence.map(({ name, sha256, size_bytes, media_type }) => ({ name, sha256, size_bytes, media_type })),
  ),
  accept: member(Accept('The codes of findings that the supplier acknowledges.'), acceptOf),
  provenance: member(
    ShownProvenance(),
    (view: Whole) => statedIn(view) as Static<ReturnType<typeof ShownProvenance>>,
  ),
  blockers: member(
    Type.Array(BlockerRecord, { description: 'Why no kit was issued. Empty unless the status is FAIL.' }),
    blockersOf,
  ),
  findings: member(
    Type.Array(FindingRecord, {
      description: 'Everything that was noticed in the evidence. Those that block the submission come first.',
    }),
    (view: Whole) => (view.isSummary ? summarized(findingsOf(view)) : findingsOf(view)),
  ),
  credits_charged: member(Count(), (view: Whole) => (isCharged(view) ? 1 : 0)),
  deliverables: member(
    Type.Record(Type.String(), Type.String(), { description: 'Name and path of each deliverable.' }),
    deliverablePaths,
  ),
  hold: member(
    Type.Union([Type.Object({ reason: Type.String(), created_at: DateTime() }), Type.Null()], {
      description: 'The legal hold, which keeps the evidence from being deleted.',
    }),
    ({ hold_reason: reason, hold_placed_at: created_at }: Whole) =>
      reason === null || created_at === null ? null : { reason, created_at },
  ),
  erasure: member(
    Type.Union(
      [
        Type.Object({
          erased_at: DateTime(),
          reason: OneOf(['retention', 'request']),
          rule: NullableString('The rule, if the reason is retention.'),
          ordered_by: NullableString('`member:ID` or `key:ID`, if the reason is a request.'),
          files: Count(),
          bytes: Count(),
        }),
        Type.Null(),
      ],
      { description: 'When and why the evidence of the kit was deleted.' },
    ),
    ({ erasure }: Whole) => erasureOf(parsed<Erasure | null>(erasure, null)),
  ),
  key_revoked_at,
  replaces: member(
    linked('The kit.', 'The submission whose kit this one replaces, because its signing key was revoked.'),
    (view: Whole) => link(view.replaces_submission_id, view.replaces_kit_id),
  ),
  replaced_by,
  boundary: member(Boundary(), () => BOUNDARY),
}

const Submission = composed('Submission', 'One delivery of evidence, from draft to kit.', WHOLE)

/** What most operations on a submission return. */
export const SubmissionAnswer = asReturned<object>(Submission.schema)

/** A submission as the API returns it. */
export function submissionRecord(
  view: SubmissionView,
  evidence: readonly EvidenceView[],
  now: string,
  proof: Confirmation,
  isSummary = false,
): object {
  const record = Submission.show({ ...view, evidence, now, proof, isSummary }, true) as Record<
    string,
    unknown
  >
  // What is written as text has the order of the members, in which the key comes before what became of the kit.
  const { hold, erasure, replaces, replaced_by: successor, boundary, ...first } = record
  return { ...first, hold, erasure, replaces, replaced_by: successor, boundary }
}

function erasureOf(erasure: Erasure | null) {
  if (erasure === null) return null
  const { erased_at, reason, rule, ordered_by, files, bytes } = erasure
  return { erased_at, reason, rule, ordered_by, files, bytes }
}

/** A re-issued kit costs nothing: the supplier did not cause the revocation. */
const isCharged = ({ replaces_kit_id, kit_id, status }: SubmissionView): boolean =>
  replaces_kit_id === null && kit_id !== null && (status === 'ISSUED' || status === 'EXPIRED')

/** A submission in a list. */
interface Listed extends ListedView, Seen {
  readonly member_email: string | null
  readonly key_label: string | null
  readonly files: number | null
  readonly uploaded_bytes: number
  readonly blockers: string | null
  /** Null if nothing is acknowledged. */
  readonly findings: string | null
}

const Summary = composed<Listed>(
  'SubmissionSummary',
  'A submission in a list, without its files and findings.',
  {
    ...HEAD,
    ...REPLACED,
    created_by: member(
      NullableString('The email address of the member, or the label of the API key.'),
      ({ member_email, key_label }: Listed) => member_email ?? key_label,
    ),
    file_count: member(Count('Files of evidence.'), ({ files }: Listed) => files ?? 0),
    size_bytes: member(Count('Of the evidence.'), ({ uploaded_bytes }: Listed) => uploaded_bytes),
    blocker_count: member(
      Count('Why no kit was issued. 0 unless the status is FAIL.'),
      (row: Listed) => blockersOf(row).length,
    ),
    accepted: member(
      Type.Object(
        { secrets: Count(), problems: Count() },
        { description: 'How many possible secrets and other problems were acknowledged.' },
      ),
      ({ findings }: Listed) => acceptedIn(parsed<readonly FindingRecord[]>(findings, [])),
    ),
  },
)

function acceptedIn(findings: readonly FindingRecord[]) {
  const accepted = findings.filter(({ acknowledged }) => acknowledged)
  const secrets = accepted.filter((finding) => finding.class === 'secret').length
  return { secrets, problems: accepted.length - secrets }
}

interface ListedPage {
  readonly rows: readonly Listed[]
  readonly next: string | null
}

export const SubmissionList = {
  ...answer(
    'SubmissionList',
    'Newest first, unless `sort` says otherwise.',
    ListOf(Summary.item),
    ({ rows, next }: ListedPage) => listResponse(rows.map(Summary.showItem), next),
  ),
  parts: [Summary.schema],
}

export const FAIL_REPORT = 'fail_report.json'

const FailReport = composed<SubmissionView>(
  'FailReport',
  '`fail_report.json`: why no kit was issued, and how to fix it.',
  {
    report: member(OneOf(['fail_report']), () => 'fail_report' as const),
    submission_id: Type.String(),
    job_id: Type.String(),
    label: Type.String(),
    profile: Type.String(),
    status: member(OneOf(['FAIL']), () => 'FAIL' as const),
    failed_at: member(DateTime(), ({ job_updated_at }: SubmissionView) => job_updated_at),
    credits_charged: member(Type.Integer({ minimum: 0, maximum: 0 }), () => 0),
    blockers: member(Type.Array(BlockerRecord), blockersOf),
    boundary: member(Boundary(), () => BOUNDARY),
  },
)

/** `fail_report.json`, generated from stored data, so that it always has the same bytes. */
export const failReport = (view: SubmissionView): Buffer =>
  Buffer.from(`${JSON.stringify(FailReport.show(view, true), null, 2)}\n`)

/** A file of a finished submission. */
interface Deliverable {
  readonly name: string
  readonly path: string
  readonly media_type: string
  readonly size_bytes: number
  readonly sha256: string | null
}

interface Deliverables {
  readonly submission_id: SubmissionId
  readonly status: SubmissionStatus
  readonly files: readonly Deliverable[]
}

export const DeliverableList = {
  ...answer(
    'DeliverableList',
    'The files of a finished submission. Empty until then.',
    {
      submission_id: Type.String(),
      status: STATUS,
      ...ListOf(
        Type.Object({
          name: Type.String(),
          path: Type.String(),
          media_type: Type.String(),
          size_bytes: Count(),
          sha256: NullableString('Of the whole file.'),
        }),
      ),
    },
    ({ files, ...of }: Deliverables) => ({ ...of, ...listResponse(files) }),
  ),
  parts: [FailReport.schema],
}

export const deliverablePath = (id: SubmissionId, name: string): string =>
  `/v1/submissions/${id}/deliverables/${name}`

/** From the kit's record, or the fail report of a failed submission. */
export function deliverablePaths({
  submission_id,
  status,
  downloads,
}: Pick<SubmissionView, 'submission_id' | 'status' | 'downloads'>): Record<string, string> {
  if (status === 'FAIL') return { [FAIL_REPORT]: deliverablePath(submission_id, FAIL_REPORT) }
  const paths = parsed<Record<string, string>>(downloads, {})
  if (status !== 'EXPIRED') return paths
  return Object.fromEntries(Object.entries(paths).filter(([name]) => KEPT_AFTER_RETENTION.has(name)))
}
