import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  LABEL,
  OneOf,
  Boundary,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableString,
  NullableTime,
} from '../http/schema-parts.ts'
import { Confirm, SUBMISSION } from './submission-schemas.ts'

/** Lists of submissions, and what needs attention in a workspace. */

const Text = Type.String()

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

export const RevocationList = Named(
  'RevocationList',
  'Revoked signing keys with kits of the workspace that are not re-issued yet.',
  ListOf(
    Type.Object({
      kid: Text,
      revoked_at: DateTime(),
      compromised_since: NullableTime(),
      kits: Count('Kits that are not re-issued yet.'),
      submissions: Type.Array(Text, { description: 'Their submissions, oldest first, at most 500.' }),
    }),
  ),
)

export const WAITING = [
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
export type RevocationList = Static<typeof RevocationList>
export type Overview = Static<typeof Overview>
