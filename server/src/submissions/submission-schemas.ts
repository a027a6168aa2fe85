import { FIRST_PATHS } from '@kitseal/examiner/group-findings'
import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import { asReturned, body } from '../http/resource.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  LABEL,
  Message,
  Named,
  NamedBody,
  NullableString,
  NullableTime,
  OneOf,
  Sha256,
  TAG_TEXT,
} from '../http/schema-parts.ts'
import { ShownProvenance, SubmissionProvenanceBody } from '../kits/kit-schemas.ts'
import { SUBMISSION_STATUSES, WAITING_REASONS, type WaitingReason } from './statuses.ts'

/** What a submission is found by. None of it is sealed in the kit, except the series. */

const Tags = () =>
  Type.Array(Type.String(TAG_TEXT), {
    maxItems: 20,
    description: 'Up to 20 tags of up to 50 characters, without commas. Case does not matter in a search.',
  })
const Metadata = () =>
  Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }),
    Type.String({ maxLength: 500, pattern: LABEL.pattern }),
    {
      maxProperties: 50,
      additionalProperties: false,
      description:
        'Up to 50 names of up to 40 letters, digits, `_`, `.` and `-`, each with a text of up to 500 characters. The service only stores it.',
    },
  )
const TextOrNull = (maxLength: number, description: string) =>
  Type.Union([Type.String({ ...LABEL, maxLength }), Type.Null()], { description })
const ExternalId = () => TextOrNull(200, 'Your own ID, such as a ticket number. It need not be unique.')

/** Can be changed at any time. */
const CHANGEABLE = {
  external_id: Type.Optional(ExternalId()),
  tags: Type.Optional(Tags()),
  metadata: Type.Optional(Metadata()),
}

const REQUESTED_ATTRIBUTES = {
  ...CHANGEABLE,
  series: Type.Optional(
    TextOrNull(
      100,
      'The series that this submission belongs to, such as a review that is repeated every quarter.',
    ),
  ),
}

export const SubmissionUpdate = body(
  'SubmissionUpdate',
  {
    ...CHANGEABLE,
    series: Type.Optional(
      Type.String({
        ...LABEL,
        maxLength: 100,
        description:
          'Adds a submission without a series to one, also after its kit was issued. A kit stays in its series.',
      }),
    ),
  },
  'What to change. Members that are absent stay as they are.',
)
export type SubmissionUpdate = NonNullable<typeof SubmissionUpdate.sends>

const SHOWN_ATTRIBUTES = {
  series: NullableString('The series, if it belongs to one.'),
  external_id: NullableString('Your own ID.'),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
}

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

const Confirm = () =>
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

const REASONS = Object.keys(WAITING_REASONS) as WaitingReason[]
const WAITING_TEXT = REASONS.map((reason) => `\`${reason}\`: ${WAITING_REASONS[reason]}.`).join(' ')

const SUBMISSION = {
  submission_id: Type.String(),
  label: Type.String(),
  status: OneOf(
    SUBMISSION_STATUSES,
    'EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain.',
  ),
  waiting: Type.Union(
    [Type.Object({ reason: OneOf(REASONS, WAITING_TEXT), since: DateTime() }), Type.Null()],
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

/** What most operations on a submission return. */
export const SubmissionAnswer = asReturned<Submission>(Submission)

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

export const DeliverableListAnswer = asReturned<DeliverableList>(DeliverableList)

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

/** Lists of submissions, and what needs attention in a workspace. */

const SUMMARY = {
  ...Type.Pick(Type.Object(SUBMISSION), [
    'submission_id',
    'label',
    'status',
    'waiting',
    'job_id',
    'kit_id',
    'profile',
    'series',
    'external_id',
    'tags',
    'metadata',
    'created_at',
    'updated_at',
    'key_revoked_at',
    'replaced_by',
  ]).properties,
  created_by: NullableString('The email address of the member, or the label of the API key.'),
  file_count: Count('Files of evidence.'),
  size_bytes: Count('Of the evidence.'),
  blocker_count: Count('Why no kit was issued. 0 unless the status is FAIL.'),
  accepted: Type.Object(
    { secrets: Count(), problems: Count() },
    { description: 'How many possible secrets and other problems were acknowledged.' },
  ),
}

export const SubmissionSummary = Named(
  'SubmissionSummary',
  'A submission in a list, without its files and findings.',
  SUMMARY,
)

export const SubmissionList = Named(
  'SubmissionList',
  'Newest first, unless `sort` says otherwise.',
  ListOf(Type.Object(SUMMARY)),
)
export const SubmissionListAnswer = asReturned<SubmissionList>(SubmissionList)

export const Resubmission = NamedBody(
  'Resubmission',
  'What a new draft takes over from a failed submission.',
  {
    keep: Type.Array(Count(), {
      maxItems: 1000,
      description: 'Positions of the files to keep, from 0. They are not uploaded again.',
    }),
    label: Type.Optional(Type.Union([Type.String(LABEL), Type.Null()])),
    profile: Type.Optional(Type.Union([Type.String(LABEL), Type.Null()])),
    accept: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 50,
        description: 'Codes of findings that you acknowledge.',
      }),
    ),
    confirm: Type.Optional(Confirm()),
  },
)

const WAITING = [
  'failed',
  'mail',
  'period_failed',
  'item_late',
  'item_sent_back',
  'item',
  'review',
  'overdue',
  'due',
  'unanswered',
  'sent_back',
  'question',
  'draft',
  'share',
  'key',
  'name',
  'evidence',
] as const

export const Overview = Named('Overview', 'What waits for a person.', {
  is_empty: Type.Boolean({ description: 'The workspace has no submissions yet.' }),
  waiting: Type.Array(
    Type.Object({
      what: OneOf(
        WAITING,
        '`period_failed`: a period that was not sealed because of its files. `item`, `item_late` and `item_sent_back`: items of open periods that the signed-in member owns. `review`: an answer to a request. `unanswered`: the answer is reviewed, and items have no files. `sent_back`: items that the supplier changes. `question`: of a reviewer in a room. `draft`: files that nobody submitted. `share`, `key` and ' +
          '`evidence` end soon. `mail` was not sent. `name`: nobody has named the workspace.',
      ),
      id: NullableString('Of the program, request, submission, share, room or key.'),
      submission_id: NullableString('Of the answer to review.'),
      title: Type.String({ description: 'Of the request or submission; of a mail, its recipient.' }),
      at: DateTime('Since when, or when it is due or ends.'),
      count: Type.Union([Count(), Type.Null()], {
        description: 'Items, questions or kits, of which at most 1,000 are counted.',
      }),
      reason: NullableString('Why a mail was not sent.'),
      period: NullableString('Of a program.'),
      item_id: NullableString('Of an item of a period.'),
    }),
  ),
  has_more: Type.Boolean({ description: 'There is more than this list can hold.' }),
  boundary: Boundary(),
})

export type SubmissionSummary = Static<typeof SubmissionSummary>
export type SubmissionList = Static<typeof SubmissionList>
export type Resubmission = Static<typeof Resubmission>
export type Overview = Static<typeof Overview>
