import { FIRST_PATHS } from '@kitseal/examiner/group-findings'
import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  Message,
  Named,
  NamedBody,
  NullableString,
  NullableTime,
  Sha256,
  LABEL,
  OneOf,
} from '../http/schema-parts.ts'
import { ShownProvenance, SubmissionProvenanceBody } from '../kits/provenance-schemas.ts'
import { SUBMISSION_STATUSES, WAITING_REASONS, type WaitingReason } from './statuses.ts'
import { REQUESTED_ATTRIBUTES, SHOWN_ATTRIBUTES } from './submission-attributes.ts'

const Evidence = Type.Object({
  name: Type.String({ description: 'As uploaded.' }),
  sha256: Sha256(),
  size_bytes: Count(),
  media_type: Type.String({ description: 'Detected from the first bytes.' }),
})

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

const Accept = (description: string) =>
  Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description })

export const AcceptedCodes = () =>
  Accept(
    'Codes of findings that you acknowledge. They no longer block the submission. A danger cannot be accepted.',
  )

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

export const Confirm = () =>
  Type.Array(Closed({ item: Type.String({ maxLength: 64 }), path: Type.String({ maxLength: 1024 }) }), {
    maxItems: 1000,
    description:
      'Files that you say are for an item of the profile: `path` in the kit, without `data/`. A name that matches only suggests a file.',
  })

export const SubmissionRequest = NamedBody('SubmissionRequest', 'The body of a new submission.', {
  label: Type.String({ ...LABEL, description: 'One line of text.' }),
  job_id: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'A draft job of the same workspace. Without it, a new job is created.',
    }),
  ),
  profile: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The checklist for the evidence. `default` requires nothing.',
    }),
  ),
  accept: Type.Optional(AcceptedCodes()),
  confirm: Type.Optional(Confirm()),
  provenance: Type.Optional(Type.Union([SubmissionProvenanceBody(), Type.Null()])),
  ...REQUESTED_ATTRIBUTES,
})

const LinkedSubmission = (kitId: string, description: string) =>
  Type.Union([Type.Object({ submission_id: Type.String(), kit_id: NullableString(kitId) }), Type.Null()], {
    description,
  })

const WAITING = Object.keys(WAITING_REASONS) as WaitingReason[]
const WAITING_TEXT = WAITING.map((reason) => `\`${reason}\`: ${WAITING_REASONS[reason]}.`).join(' ')

export const SUBMISSION = {
  submission_id: Type.String(),
  label: Type.String(),
  status: OneOf(
    SUBMISSION_STATUSES,
    'EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain.',
  ),
  waiting: Type.Union(
    [Type.Object({ reason: OneOf(WAITING, WAITING_TEXT), since: DateTime() }), Type.Null()],
    {
      description:
        'What holds the submission, and since when. Null while it is processed, and once the status is final.',
    },
  ),
  job_id: Type.String({ description: 'The intake job of this submission.' }),
  kit_id: NullableString('Null until the kit is issued.'),
  profile: Type.String(),
  ...SHOWN_ATTRIBUTES,
  created_at: DateTime(),
  updated_at: DateTime(),
  evidence: Type.Array(Evidence),
  accept: Accept('The codes of findings that the supplier acknowledges.'),
  provenance: ShownProvenance(),
  blockers: Type.Array(BlockerRecord, {
    description: 'Why no kit was issued. Empty unless the status is FAIL.',
  }),
  findings: Type.Array(FindingRecord, {
    description: 'Everything that was noticed in the evidence. Those that block the submission come first.',
  }),
  credits_charged: Count(),
  deliverables: Type.Record(Type.String(), Type.String(), {
    description: 'Name and path of each deliverable.',
  }),
  hold: Type.Union([Type.Object({ reason: Type.String(), created_at: DateTime() }), Type.Null()], {
    description: 'The legal hold, which keeps the evidence from being deleted.',
  }),
  erasure: Type.Union(
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
  key_revoked_at: NullableTime(
    'When the key that signed the kit was revoked. The kit no longer verifies: re-issue it.',
  ),
  replaces: LinkedSubmission(
    'The kit.',
    'The submission whose kit this one replaces, because its signing key was revoked.',
  ),
  replaced_by: LinkedSubmission(
    'Null until the kit is issued.',
    'The submission whose kit replaces the one of this submission.',
  ),
  boundary: Boundary(),
}

export const Submission = Named('Submission', 'One delivery of evidence, from draft to kit.', SUBMISSION)

export const DeliverableList = Named(
  'DeliverableList',
  'The files of a finished submission. Empty until then.',
  {
    submission_id: Type.String(),
    status: SUBMISSION.status,
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
)

export const FailReport = Named(
  'FailReport',
  '`fail_report.json`: why no kit was issued, and how to fix it.',
  {
    report: OneOf(['fail_report']),
    submission_id: Type.String(),
    job_id: Type.String(),
    label: Type.String(),
    profile: Type.String(),
    status: OneOf(['FAIL']),
    failed_at: DateTime(),
    credits_charged: Type.Integer({ minimum: 0, maximum: 0 }),
    blockers: Type.Array(BlockerRecord),
    boundary: Boundary(),
  },
)

export type SubmissionRequest = Static<typeof SubmissionRequest>
export type Submission = Static<typeof Submission>
export type DeliverableList = Static<typeof DeliverableList>
export type FailReport = Static<typeof FailReport>
export type FindingRecord = Static<typeof FindingRecord>
export type BlockerRecord = Static<typeof BlockerRecord>

const UPLOAD = {
  upload_id: Type.String(),
  submission_id: Type.String(),
  name: Type.String({ description: 'The file name, as sent.' }),
  size_bytes: Count(),
  offset_bytes: Count('How much has arrived.'),
  resume_key: NullableString('As sent by the client.'),
  created_at: DateTime(),
  expires_at: DateTime(),
  finished_at: NullableTime('When the file became evidence of the submission.'),
  boundary: Boundary(),
}

export const Upload = Named('Upload', 'A resumable upload of one file.', UPLOAD)

export const UploadList = Named(
  'UploadList',
  'Uploads that can be continued, oldest first.',
  ListOf(Type.Object(UPLOAD)),
)

export type Upload = Static<typeof Upload>
export type UploadList = Static<typeof UploadList>
