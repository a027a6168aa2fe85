import { type Static, Type } from 'typebox'
import { LABEL, OneOf } from './text-schemas.ts'

/** What the key-authenticated surface takes and answers: submissions, deliverables, credits and the audit trail. */

const DateTime = () => Type.String({ format: 'date-time' })
const Boundary = () => Type.String({ description: 'What the service does and does not vouch for.' })
const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const NextCursor = () => NullableString('Send it as `cursor` for the next page; null on the last.')

const Evidence = Type.Object({
  name: Type.String({ description: 'As the caller wrote it.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  media_type: Type.String({ description: 'Told by the first bytes.' }),
})

const BlockerRecord = Type.Object({
  code: Type.String(),
  path: NullableString('The file it is about; null where it is about the submission.'),
  message: Type.String(),
  remedy: Type.String({ description: 'What to do about it.' }),
})

export const SubmissionRequest = Type.Object(
  {
    label: Type.String({ ...LABEL, description: 'One line of text.' }),
    job_id: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          "A draft of the same workspace that waits for evidence; a job is made where it isn't given.",
      }),
    ),
    profile: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'What the evidence must contain; `default`, and none, ask for nothing.',
      }),
    ),
  },
  {
    $id: 'SubmissionRequest',
    title: 'SubmissionRequest',
    description: 'What a submission is created with.',
    additionalProperties: false,
  },
)

const SUBMISSION = {
  submission_id: Type.String(),
  workspace_id: Type.String(),
  label: Type.String(),
  status: OneOf(['PENDING', 'RUNNING', 'PASS', 'FAIL']),
  job_id: Type.String({ description: 'A submission is a job too.' }),
  kit_id: NullableString('Null until a kit is issued.'),
  profile: Type.String(),
  created_at: DateTime(),
  updated_at: DateTime(),
  evidence: Type.Array(Evidence),
  blockers: Type.Array(BlockerRecord, { description: 'Everything that stands between it and a kit.' }),
  credits_charged: Type.Integer({ minimum: 0 }),
  deliverables: Type.Record(Type.String(), Type.String(), { description: 'Each name with its path.' }),
  boundary: Boundary(),
}

export const Submission = Type.Object(SUBMISSION, {
  $id: 'Submission',
  title: 'Submission',
  description: 'Evidence on its way to a kit, or to a list of what is wrong with it.',
})

export const SubmissionList = Type.Object(
  {
    submissions: Type.Array(Type.Object(SUBMISSION)),
    next_cursor: NextCursor(),
    boundary: Boundary(),
  },
  { $id: 'SubmissionList', title: 'SubmissionList', description: 'Newest first.' },
)

export const DeliverableList = Type.Object(
  {
    submission_id: Type.String(),
    status: SUBMISSION.status,
    deliverables: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String(),
        media_type: Type.String(),
        size_bytes: Type.Integer({ minimum: 0 }),
        sha256: NullableString('Null for kit.zip, which is laid out as it is sent.'),
      }),
    ),
    boundary: Boundary(),
  },
  {
    $id: 'DeliverableList',
    title: 'DeliverableList',
    description: 'What a submission came to; empty until it has come to its end.',
  },
)

export const FailReport = Type.Object(
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
    resubmission_checklist: Type.Array(
      Type.Object({
        step: Type.Integer({ minimum: 1 }),
        do: Type.String(),
        resolves: Type.Array(Type.String()),
      }),
      { description: 'What to do before sending the evidence again, each step once.' },
    ),
    boundary: Boundary(),
  },
  {
    $id: 'FailReport',
    title: 'FailReport',
    description: '`fail_report.json`: why there is no kit, and what would change that.',
  },
)

export const CreditAccount = Type.Object(
  {
    workspace_id: Type.String(),
    available: Type.Integer({ minimum: 0, description: 'Can be spent.' }),
    held: Type.Integer({ minimum: 0, description: 'Held for submissions in hand.' }),
    ledger: Type.Array(
      Type.Object({
        sequence: Type.Integer({ minimum: 1 }),
        kind: OneOf(['grant', 'hold', 'capture', 'release']),
        available_change: Type.Integer(),
        held_change: Type.Integer(),
        available_after: Type.Integer({ minimum: 0 }),
        submission_id: NullableString('What it was held, captured or released for.'),
        note: NullableString('What the operator wrote.'),
        at: DateTime(),
      }),
      {
        description:
          'Newest first. It is only ever added to; the changes sum up to what is available and held.',
      },
    ),
    next_cursor: NextCursor(),
    boundary: Boundary(),
  },
  {
    $id: 'CreditAccount',
    title: 'CreditAccount',
    description: 'What a workspace can spend, and every move that made it so.',
  },
)

export const AuditTrail = Type.Object(
  {
    workspace_id: Type.String(),
    events: Type.Array(
      Type.Object({
        sequence: Type.Integer({ minimum: 1 }),
        at: DateTime(),
        actor: OneOf(['key', 'member', 'operator', 'service']),
        key_id: NullableString('Which key, where one was sent.'),
        member_id: NullableString('Who did it, where it was done in the console.'),
        action: Type.String(),
        subject: Type.String({ description: 'The id of what was changed.' }),
        details: Type.Record(Type.String(), Type.Unknown()),
      }),
      { description: 'Newest first. They are only ever added to, without gaps in `sequence`.' },
    ),
    next_cursor: NextCursor(),
    boundary: Boundary(),
  },
  {
    $id: 'AuditTrail',
    title: 'AuditTrail',
    description: 'Who changed what in a workspace, when, and with which key.',
  },
)

export type SubmissionRequest = Static<typeof SubmissionRequest>
export type Submission = Static<typeof Submission>
export type SubmissionList = Static<typeof SubmissionList>
export type DeliverableList = Static<typeof DeliverableList>
export type FailReport = Static<typeof FailReport>
export type CreditAccount = Static<typeof CreditAccount>
export type AuditTrail = Static<typeof AuditTrail>
export type BlockerRecord = Static<typeof BlockerRecord>
