import { type Static, Type } from 'typebox'
import { body } from '../http/resource.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  LABEL,
  Named,
  NamedBody,
  NullableString,
  OneOf,
  TAG_TEXT,
} from '../http/schema-parts.ts'
import { SubmissionProvenanceBody } from '../kits/kit-schemas.ts'

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

export const Accept = (description: string) =>
  Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description })

export const AcceptedCodes = () =>
  Accept(
    'Codes of findings that you acknowledge. They no longer block the submission. A danger cannot be accepted.',
  )

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

export type SubmissionRequest = Static<typeof SubmissionRequest>

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

export type Resubmission = Static<typeof Resubmission>
export type Overview = Static<typeof Overview>
