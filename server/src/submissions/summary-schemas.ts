import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { LABEL } from '../http/text-schemas.ts'
import { SUBMISSION } from './submission-schemas.ts'

/** Lists of submissions, and what needs attention in a workspace. */

const Text = Type.String()
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const Time = () => Type.String({ format: 'date-time' })
const Boundary = () => Type.String({ description: 'What the service does and does not claim.' })

const SUMMARY = {
  ...Type.Pick(Type.Object(SUBMISSION), [
    'submission_id',
    'label',
    'status',
    'stage',
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
}

export const SubmissionSummary = Type.Object(SUMMARY, {
  $id: 'SubmissionSummary',
  title: 'SubmissionSummary',
  description: 'A submission in a list, without its files and findings.',
})

export const SubmissionList = Type.Object(ListOf(Type.Object(SUMMARY)), {
  $id: 'SubmissionList',
  title: 'SubmissionList',
  description: 'Newest first, unless `sort` says otherwise.',
})

export const Resubmission = Type.Object(
  {
    keep: Type.Array(Type.Integer({ minimum: 0 }), {
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
  },
  {
    $id: 'Resubmission',
    title: 'Resubmission',
    description: 'What a new draft takes over from a failed submission.',
    additionalProperties: false,
  },
)

export const RevocationList = Type.Object(
  ListOf(
    Type.Object({
      kid: Text,
      revoked_at: Time(),
      compromised_since: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      kits: Count('Kits that are not re-issued yet.'),
      submissions: Type.Array(Text, { description: 'Their submissions, oldest first, at most 500.' }),
    }),
  ),
  {
    $id: 'RevocationList',
    title: 'RevocationList',
    description: 'Revoked signing keys with kits of the workspace that are not re-issued yet.',
  },
)

export const Overview = Type.Object(
  {
    is_empty: Type.Boolean({ description: 'The workspace has no submissions yet.' }),
    failed: Type.Array(Type.Object({ submission_id: Text, label: Text, failed_at: Time() }), {
      description:
        'Failed within 30 days and not resubmitted, newest first. Each list has at most 5 entries.',
    }),
    requests: Type.Array(Type.Object({ evidence_request_id: Text, title: Text, due_at: Time() }), {
      description: 'Open requests that are overdue or due within 7 days.',
    }),
    shares: Type.Array(Type.Object({ share_id: Text, label: Text, expires_at: Time() }), {
      description: 'Shares that expire within 7 days.',
    }),
    keys: Type.Array(Type.Object({ key_id: Text, label: Text, expires_at: Time() }), {
      description: 'API keys that expire within 7 days, for callers who may list keys.',
    }),
    evidence: Type.Union([Type.Object({ kits: Type.Integer(), first_at: Time() }), Type.Null()], {
      description: 'Kits whose evidence is deleted within 30 days by the retention rule.',
    }),
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: '`2026-11`, in UTC.' }),
        kits: Type.Integer(),
        submissions: Type.Integer(),
        bytes: Count('Of evidence that was uploaded for submissions created in this month.'),
      }),
      { description: 'The last twelve months, oldest first.' },
    ),
    boundary: Boundary(),
  },
  { $id: 'Overview', title: 'Overview', description: 'What needs attention, and what was issued.' },
)

export type SubmissionSummary = Static<typeof SubmissionSummary>
export type SubmissionList = Static<typeof SubmissionList>
export type Resubmission = Static<typeof Resubmission>
export type RevocationList = Static<typeof RevocationList>
export type Overview = Static<typeof Overview>

export const SUMMARY_SCHEMAS = { SubmissionSummary, SubmissionList, Resubmission, RevocationList, Overview }
