import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableString,
  NullableTime,
  OptionalOrNull,
  Sha256,
} from '../http/schema-parts.ts'
import { MailStatus } from '../deliveries/mail-status.ts'
import { ITEM_STATUSES, type ItemStatus } from '../database/request-schema.ts'
import { ADDRESS, LABEL, Line, OneOf, SEVERAL_LINES_OF } from '../http/text-schemas.ts'

/** Requests for evidence, as the API takes and returns them. */

export const REQUEST_STATUSES = ['open', 'submitted', 'accepted', 'closed'] as const
export const MAX_ITEMS = 500
const MAX_RECIPIENTS = 20

const Due = (description: string) =>
  Type.String({ minLength: 10, maxLength: 40, description: `${description} A date, or a date and time.` })

const NewItem = Closed({
  id: Type.String({ ...LABEL, maxLength: 64, description: 'Also the folder of its files in the kit.' }),
  title: Type.String({ ...LABEL }),
  description: OptionalOrNull(Type.String(SEVERAL_LINES_OF(2000))),
  due_at: OptionalOrNull(Due('When this item is due.')),
})

export const Recipients = () =>
  Type.Array(Type.String(ADDRESS), {
    maxItems: MAX_RECIPIENTS,
    description: 'Email addresses of the supplier.',
  })

export const NewRequest = NamedBody(
  'NewRequest',
  'The body of a new request: its items, or the profile that they are taken from.',
  {
    title: Type.String({ ...LABEL }),
    message: OptionalOrNull(Type.String(SEVERAL_LINES_OF(5000))),
    items: Type.Optional(
      Type.Array(NewItem, { minItems: 1, maxItems: MAX_ITEMS, description: 'What to supply.' }),
    ),
    profile: OptionalOrNull(Type.String({ ...LABEL })),
    recipients: Type.Optional(Recipients()),
    due_at: OptionalOrNull(Due('When the request is due. Without it, when the last of its items is due.')),
    series: OptionalOrNull(Type.String({ ...LABEL })),
  },
)

export const RequestChange = Closed({
  title: Type.Optional(Type.String({ ...LABEL })),
  message: OptionalOrNull(Type.String(SEVERAL_LINES_OF(5000))),
  recipients: Type.Optional(Recipients()),
  due_at: OptionalOrNull(Due('When the request is due.')),
})

export const RequestCopy = Closed({
  title: Type.Optional(Type.String({ ...LABEL })),
  due_at: OptionalOrNull(Due('When the copy is due.')),
  recipients: Type.Optional(Recipients()),
})

export const ItemReview = Closed({
  status: Type.Optional(
    OneOf(
      ['accepted', 'needs_changes', 'not_applicable', 'to_review'],
      '`accepted` needs a submitted file. `needs_changes` reopens this item for the supplier. `to_review` takes the review back, ' +
        'until it is sealed in the kit of a later round.',
    ),
  ),
  reason: Type.Optional(
    Type.String({
      ...SEVERAL_LINES_OF(2000),
      minLength: 1,
      description: 'Why the item is not applicable. Not needed if the supplier gave a reason.',
    }),
  ),
  comment: Type.Optional(Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 })),
})

export const NewRequestLink = Closed({
  replace: Type.Optional(Type.Boolean({ description: 'Whether the links that exist stop working.' })),
})

export const SupplierComment = Closed({ comment: Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 }) })

export const SupplierAnswer = Closed({
  not_applicable: Type.Union([Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 }), Type.Null()]),
})

/** What someone with the link says about themselves. */
export const SenderBody = Closed({
  name: Type.Union([Line(200), Type.Null()]),
})

export const RequestComment = Type.Object({
  by: OneOf(['requester', 'supplier']),
  text: Type.String(),
  created_at: DateTime(),
})

export const RequestFile = Type.Object({
  position: Count(),
  name: Type.String({ description: 'With the folder of the item.' }),
  sha256: Sha256(),
  size_bytes: Count(),
  change: Type.Unsafe<'added' | 'replaced' | null>({
    type: ['string', 'null'],
    enum: ['added', 'replaced', null],
    description: 'What is different from the round that was submitted before. Null in the first one.',
  }),
})

export const RequestItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: NullableString('What to supply.'),
  due_at: NullableTime('When this item is due.'),
  status: OneOf(
    ITEM_STATUSES,
    '`collected`: answered in the draft of the supplier. `to_review`: submitted. A review ends when other files are submitted.',
  ),
  not_applicable: Type.Unsafe<{ reason: string; by: 'requester' | 'supplier' } | null>({
    type: ['object', 'null'],
    description: 'Why it does not apply, and who says so.',
    required: ['reason', 'by'],
    properties: { reason: Type.String(), by: OneOf(['requester', 'supplier']) },
  }),
  can_undo: Type.Boolean({ description: 'Whether the review can be taken back: no kit has it yet.' }),
  files: Type.Array(RequestFile, {
    description: 'The submitted files. While it is `collected`, the names in the draft of the supplier.',
  }),
  removed_files: Type.Array(Type.String(), {
    description: 'Names of files that the round before had.',
  }),
  comments: Type.Array(RequestComment, { description: 'Oldest first.' }),
})

/** How many items there are, and how many of each status. */
export const Progress = () =>
  Type.Object({
    items: Count(),
    ...(Object.fromEntries(ITEM_STATUSES.map((status) => [status, Count()])) as Record<
      ItemStatus,
      ReturnType<typeof Count>
    >),
  })

const REQUEST = {
  evidence_request_id: Type.String(),
  workspace_id: Type.String(),
  title: Type.String(),
  message: NullableString('For the supplier.'),
  status: OneOf(
    REQUEST_STATUSES,
    '`open`: the supplier has something to do. `submitted`: the requester has. `accepted`: every item is accepted or not applicable.',
  ),
  due_at: NullableTime('When the request is due.'),
  series: NullableString('The series that its kits belong to.'),
  profile: NullableString('The profile that the items were taken from.'),
  recipients: Type.Array(Type.String()),
  progress: Progress(),
  round: Count('0 until the supplier has added something.'),
  submission_id: NullableString('The submission of the newest round.'),
  kit_id: NullableString('The newest kit.'),
  created_at: DateTime(),
  updated_at: DateTime(),
  reminded_at: NullableTime('When the last reminder was queued.'),
  closed_at: NullableTime('When it was closed.'),
}

const LINK = {
  url: Type.String({ description: 'For the supplier. Anyone who has it can answer the request.' }),
  expires_at: DateTime(),
}

export const EvidenceRequest = Named(
  'EvidenceRequest',
  'Evidence that a supplier is asked for, item by item. Statuses record what people said.',
  {
    ...REQUEST,
    items: Type.Array(RequestItem),
    other_files: Type.Array(RequestFile, {
      description: 'Files of the newest round that belong to no item.',
    }),
    rounds: Type.Array(
      Type.Object({
        round: Type.Integer({ minimum: 1 }),
        submission_id: Type.String(),
        kit_id: NullableString('Null until the kit is issued.'),
        sender: Type.Union(
          [
            Type.Object({
              name: Type.String({ description: 'As the person wrote it. Nobody has verified it.' }),
            }),
            Type.Null(),
          ],
          { description: 'Who submitted it. Null if that person said nothing.' },
        ),
      }),
      { description: 'Oldest first.' },
    ),
    mails: Type.Array(
      Type.Object({
        to: Type.String(),
        request: Type.Union([MailStatus, Type.Null()], {
          description: 'Null if it was not mailed, or more than 90 days ago.',
        }),
        reminder: Type.Union([MailStatus, Type.Null()], { description: 'The last one.' }),
      }),
      { description: 'What became of the mail to each recipient.' },
    ),
    link: Type.Optional(
      Type.Object(LINK, {
        description:
          'Only in the response that creates the request. It is not stored and cannot be shown again.',
      }),
    ),
    boundary: Boundary(),
  },
)

export const EvidenceRequestList = Named('EvidenceRequestList', 'Newest first.', ListOf(Type.Object(REQUEST)))

export const RequestLink = Named(
  'RequestLink',
  'A link for the supplier. It is not stored and cannot be shown again.',
  { evidence_request_id: Type.String(), ...LINK, boundary: Boundary() },
)

export type NewRequest = Static<typeof NewRequest>
export type NewRequestLink = Static<typeof NewRequestLink>
export type RequestChange = Static<typeof RequestChange>
export type RequestCopy = Static<typeof RequestCopy>
export type ItemReview = Static<typeof ItemReview>
export type SupplierAnswer = Static<typeof SupplierAnswer>
export type SenderBody = Static<typeof SenderBody>
export type SupplierComment = Static<typeof SupplierComment>
export type RequestItem = Static<typeof RequestItem>
export type RequestFile = Static<typeof RequestFile>
export type RequestComment = Static<typeof RequestComment>
export type EvidenceRequest = Static<typeof EvidenceRequest>
export type EvidenceRequestList = Static<typeof EvidenceRequestList>
export type RequestLink = Static<typeof RequestLink>
export type RequestStatus = (typeof REQUEST_STATUSES)[number]
