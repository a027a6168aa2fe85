import { type Static, Type } from 'typebox'
import { LABEL, TAG_TEXT, NamedBody, NullableString } from '../http/schema-parts.ts'

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
const Text = (maxLength: number, description: string) =>
  Type.Union([Type.String({ ...LABEL, maxLength }), Type.Null()], { description })
const ExternalId = () => Text(200, 'Your own ID, such as a ticket number. It need not be unique.')

/** Can be changed at any time. */
const CHANGEABLE = {
  external_id: Type.Optional(ExternalId()),
  tags: Type.Optional(Tags()),
  metadata: Type.Optional(Metadata()),
}

export const REQUESTED_ATTRIBUTES = {
  ...CHANGEABLE,
  series: Type.Optional(
    Text(100, 'The series that this submission belongs to, such as a review that is repeated every quarter.'),
  ),
}

export const SubmissionUpdate = NamedBody(
  'SubmissionUpdate',
  'What to change. Members that are absent stay as they are.',
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
)
export type SubmissionUpdate = Static<typeof SubmissionUpdate>

export const SHOWN_ATTRIBUTES = {
  series: NullableString('The series, if it belongs to one.'),
  external_id: NullableString('Your own ID.'),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
}
