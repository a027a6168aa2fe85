import { type Static, Type } from 'typebox'
import { REQUESTED_ATTRIBUTES, SHOWN_ATTRIBUTES } from './submission-attributes.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'

/** Resources that need an API key: submissions, deliverables, credits and the audit log. */

const DateTime = () => Type.String({ format: 'date-time' })
const Boundary = () => Type.String({ description: 'What the service does and does not claim.' })
const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const NextCursor = () => NullableString('Send it as `cursor` to get the next page. Null on the last page.')

const Evidence = Type.Object({
  name: Type.String({ description: 'As uploaded.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  media_type: Type.String({ description: 'Detected from the first bytes.' }),
})

const BlockerRecord = Type.Object({
  code: Type.String(),
  path: NullableString('The file, or null for the whole submission.'),
  message: Type.String(),
  remedy: Type.String({ description: 'How to fix it.' }),
})

const Accept = (description: string) =>
  Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description })

const FindingRecord = Type.Object({
  code: Type.String(),
  class: OneOf(
    ['danger', 'damage', 'notice'],
    'A danger always blocks the submission, damage unless it is acknowledged, a notice never.',
  ),
  path: NullableString('The file, or null for the whole submission.'),
  message: Type.String(),
  remedy: Type.String({ description: 'How to fix it.' }),
  acknowledged: Type.Boolean({ description: 'Whether `accept` of the submission names its code.' }),
})

export const SubmissionRequest = Type.Object(
  {
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
    accept: Type.Optional(
      Accept(
        'Codes of findings that you acknowledge. They no longer block the submission. A danger cannot be accepted.',
      ),
    ),
    ...REQUESTED_ATTRIBUTES,
  },
  {
    $id: 'SubmissionRequest',
    title: 'SubmissionRequest',
    description: 'The body of a new submission.',
    additionalProperties: false,
  },
)

const LinkedSubmission = (kitId: string, description: string) =>
  Type.Union([Type.Object({ submission_id: Type.String(), kit_id: NullableString(kitId) }), Type.Null()], {
    description,
  })

const SUBMISSION = {
  submission_id: Type.String(),
  workspace_id: Type.String(),
  label: Type.String(),
  status: OneOf(
    ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'],
    'EXPIRED: the evidence was deleted, at the end of its retention or on request, or a draft was not submitted in time. Manifest and receipt of a kit remain.',
  ),
  job_id: Type.String({ description: 'The intake job of this submission.' }),
  kit_id: NullableString('Null until the kit is issued.'),
  profile: Type.String(),
  ...SHOWN_ATTRIBUTES,
  created_at: DateTime(),
  updated_at: DateTime(),
  evidence: Type.Array(Evidence),
  accept: Accept('The codes of findings that the supplier acknowledges.'),
  blockers: Type.Array(BlockerRecord, {
    description: 'Why no kit was issued. Empty unless the status is FAIL.',
  }),
  findings: Type.Array(FindingRecord, {
    description: 'Everything that was noticed in the evidence. Those that block the submission come first.',
  }),
  credits_charged: Type.Integer({ minimum: 0 }),
  deliverables: Type.Record(Type.String(), Type.String(), {
    description: 'Name and path of each deliverable.',
  }),
  hold: Type.Union([Type.Object({ reason: Type.String(), placed_at: DateTime() }), Type.Null()], {
    description: 'The legal hold, which keeps the evidence from being deleted.',
  }),
  erasure: Type.Union(
    [
      Type.Object({
        erased_at: DateTime(),
        reason: OneOf(['retention', 'request']),
        rule: NullableString('The rule, if the reason is retention.'),
        ordered_by: NullableString('`member:ID` or `key:ID`, if the reason is a request.'),
        files: Type.Integer({ minimum: 0 }),
        bytes: Type.Integer({ minimum: 0 }),
      }),
      Type.Null(),
    ],
    { description: 'When and why the evidence of the kit was deleted.' },
  ),
  key_revoked_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the key that signed the kit was revoked. The kit no longer verifies: re-issue it.',
  }),
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

export const Submission = Type.Object(SUBMISSION, {
  $id: 'Submission',
  title: 'Submission',
  description: 'One delivery of evidence, from draft to kit.',
})

const UPLOAD = {
  upload_id: Type.String(),
  submission_id: Type.String(),
  name: Type.String({ description: 'The file name, as sent.' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  offset_bytes: Type.Integer({ minimum: 0, description: 'How much has arrived.' }),
  resume_key: NullableString('As sent by the client.'),
  created_at: DateTime(),
  expires_at: DateTime(),
  finished_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the file became evidence of the submission.',
  }),
  boundary: Boundary(),
}

export const Upload = Type.Object(UPLOAD, {
  $id: 'Upload',
  title: 'Upload',
  description: 'A resumable upload of one file.',
})

export const UploadList = Type.Object(
  { uploads: Type.Array(Type.Object(UPLOAD)), boundary: Boundary() },
  { $id: 'UploadList', title: 'UploadList', description: 'Uploads that can be continued, oldest first.' },
)

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
        sha256: NullableString(
          'Of the whole file. For kits of an earlier release, `kit.zip` may have null for a while after the upgrade.',
        ),
      }),
    ),
    boundary: Boundary(),
  },
  {
    $id: 'DeliverableList',
    title: 'DeliverableList',
    description: 'The files of a finished submission. Empty until then.',
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
      { description: 'Steps to take before resubmitting.' },
    ),
    boundary: Boundary(),
  },
  {
    $id: 'FailReport',
    title: 'FailReport',
    description: '`fail_report.json`: why no kit was issued, and how to fix it.',
  },
)

export const CreditAccount = Type.Object(
  {
    workspace_id: Type.String(),
    available: Type.Integer({ minimum: 0, description: 'Credits that can be spent.' }),
    held: Type.Integer({ minimum: 0, description: 'Credits held for submissions in progress.' }),
    ledger: Type.Array(
      Type.Object({
        sequence: Type.Integer({ minimum: 1 }),
        kind: OneOf(['grant', 'hold', 'capture', 'release']),
        available_change: Type.Integer(),
        held_change: Type.Integer(),
        available_after: Type.Integer({ minimum: 0 }),
        submission_id: NullableString('The submission that the credit was held, captured or released for.'),
        note: NullableString('A note by the operator.'),
        at: DateTime(),
      }),
      {
        description: 'Newest first. Append-only. The changes add up to `available` and `held`.',
      },
    ),
    next_cursor: NextCursor(),
    boundary: Boundary(),
  },
  {
    $id: 'CreditAccount',
    title: 'CreditAccount',
    description: 'The credits of a workspace and their ledger.',
  },
)

export const AuditTrail = Type.Object(
  {
    workspace_id: Type.String(),
    events: Type.Array(
      Type.Object({
        seq: Type.Integer({ minimum: 1 }),
        sequence: Type.Integer({ minimum: 1, description: 'The same as `seq`. Not part of the hash.' }),
        prev: Sha256('`hash` of the event before. The first event has the audit tag of the workspace.'),
        hash: Sha256('Of this event and, through `prev`, of all before it.'),
        at: DateTime(),
        actor: OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous']),
        key_id: NullableString('The API key, if one was used.'),
        member_id: NullableString('The member, if it was done in the console.'),
        action: Type.String(),
        subject: Type.String({ description: 'ID of what was changed or downloaded.' }),
        details: Type.Record(Type.String(), Type.Unknown()),
      }),
      { description: 'Newest first, or with `after` oldest first. Append-only, without gaps in `seq`.' },
    ),
    next_cursor: NextCursor(),
    boundary: Boundary(),
  },
  {
    $id: 'AuditTrail',
    title: 'AuditTrail',
    description: 'The audit log of a workspace: who changed or downloaded what, and when.',
  },
)

export const Erasure = Type.Object(
  {
    erasure_version: Type.Literal('kitseal-erasure-1'),
    kit_id: Type.String(),
    job_id: Type.String(),
    receipt_sha256: Sha256('Of the canonical receipt with its signature.'),
    issuer: Type.String(),
    erased_at: DateTime(),
    reason: OneOf(['retention', 'request']),
    rule: NullableString('The rule, if the reason is retention.'),
    ordered_by: NullableString('`member:ID` or `key:ID`, if the reason is a request.'),
    files: Type.Integer({ minimum: 0, description: 'Files of evidence.' }),
    bytes: Type.Integer({ minimum: 0 }),
    public_key_kid: Type.String(),
    signature_algorithm: Type.Literal('Ed25519'),
    signature: Type.String({ description: 'Base64url.' }),
    boundary: Boundary(),
  },
  {
    $id: 'Erasure',
    title: 'Erasure',
    description:
      'Says that the evidence of a kit was deleted, when and why. Signed by the issuer, and in the transparency log.',
  },
)

export const AuditHead = Type.Object(
  {
    audit_version: Type.Literal('kitseal-audit-1'),
    audit_tag: Sha256('Identifies the audit log in the transparency log without naming the workspace.'),
    count: Type.Integer({ minimum: 1, description: '`seq` of the newest event.' }),
    head: Sha256('`hash` of the newest event.'),
    log_proof: Type.String({ description: 'A tlog-proof (C2SP) of the leaf with these members.' }),
  },
  {
    $id: 'AuditHead',
    title: 'AuditHead',
    description: 'The state of an audit log, with the proof that it is in the transparency log.',
  },
)

export type SubmissionRequest = Static<typeof SubmissionRequest>
export type Submission = Static<typeof Submission>
export type Upload = Static<typeof Upload>
export type UploadList = Static<typeof UploadList>
export type SubmissionList = Static<typeof SubmissionList>
export type DeliverableList = Static<typeof DeliverableList>
export type FailReport = Static<typeof FailReport>
export type CreditAccount = Static<typeof CreditAccount>
export type AuditTrail = Static<typeof AuditTrail>
export type AuditHead = Static<typeof AuditHead>
export type FindingRecord = Static<typeof FindingRecord>
export type BlockerRecord = Static<typeof BlockerRecord>
