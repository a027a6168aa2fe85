import { type Static, Type } from 'typebox'
import { AUTHOR_BASES, QUESTION_STATES } from '../database/share-schema.ts'
import { ListOf } from '../http/page-query.ts'
import { Boundary, Count, DateTime, Named, NamedBody, NullableString, Sha256 } from '../http/schema-parts.ts'
import { LABEL, Line, OneOf, SEVERAL_LINES_OF } from '../http/text-schemas.ts'
import { LINKED, LINKED_REQUEST } from './share-schemas.ts'

/** Rooms: several kits for reviewers, who comment and say what they have reviewed. */

export const MAX_CHOSEN_KITS = 100
const MAX_COMMENT_LENGTH = 4000

export const RoomRequest = NamedBody(
  'RoomRequest',
  'Body of POST /v1/rooms. Send one of `kits`, `series` and `program`.',
  {
    title: Type.String({ ...LABEL, description: 'Shown to the reviewers.' }),
    kits: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MAX_CHOSEN_KITS,
        description: 'IDs of kits, in the order in which they are shown.',
      }),
    ),
    series: Type.Optional(
      Type.String({
        ...LABEL,
        description:
          'The kits of this series, newest first, at most 100. Kits that come while the room is open are in it, too.',
      }),
    ),
    program: Type.Optional(Type.String({ description: 'ID of a program: the kits of its series.' })),
    ...LINKED_REQUEST,
  },
)

const KIT = Type.Object({
  kit_id: Type.String(),
  submission_id: NullableString('Of the kit. Null if it was made without a submission.'),
  label: Type.String(),
  issued_at: DateTime(),
  erased_at: NullableString('When its evidence was deleted.'),
})

const ROOM = {
  room_id: Type.String(),
  title: Type.String(),
  series: NullableString('If the room has the kits of a series.'),
  kits: Type.Array(KIT, { description: 'The kits that are in the room now.' }),
  open_questions: Count('Questions of reviewers that nobody of the workspace has answered.'),
  ...LINKED,
}

export const Room = Named(
  'Room',
  'A share of several kits, with comments and reviews. Its links and its access log are those of a share.',
  ROOM,
)

export const RoomList = Named(
  'RoomList',
  'The rooms of a workspace, newest first.',
  ListOf(Type.Object(ROOM)),
)

/** What a comment or a review is about: a kit, a file of it, or an item of its request or program. */
const PLACE = {
  kit_id: Type.String(),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'A file of the kit: `data/report.pdf`.' }),
  ),
  item_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'An item of the request or program that the kit answers.',
    }),
  ),
}

const COMMENT_REQUEST = {
  ...PLACE,
  text: Type.String({ minLength: 1, ...SEVERAL_LINES_OF(MAX_COMMENT_LENGTH) }),
  is_question: Type.Optional(
    Type.Boolean({ description: 'A question waits until the other side answers it. False by default.' }),
  ),
  reply_to: Type.Optional(
    Type.String({ description: 'ID of the first comment of a thread. Its place counts.' }),
  ),
}

export const RoomCommentRequest = NamedBody(
  'RoomCommentRequest',
  'Body of POST /v1/rooms/{room_id}/comments.',
  COMMENT_REQUEST,
)

export const RoomCommentChange = NamedBody(
  'RoomCommentChange',
  'Body of PATCH /v1/rooms/{room_id}/comments/{comment_id}.',
  { state: OneOf(['open', 'resolved'], 'Resolves a question, or opens it again.') },
)

const SHOWN_PLACE = {
  kit_id: Type.String(),
  path: NullableString('The file that it is about. Null for the kit, or an item.'),
  item_id: NullableString('The item that it is about.'),
}

const Basis = () =>
  OneOf(
    AUTHOR_BASES,
    'Why the name is believed: a member or an API key of the workspace, or the address that the link was made for. `not_verified`: someone with the link typed it.',
  )

const COMMENT = {
  comment_id: Type.String(),
  ...SHOWN_PLACE,
  reply_to: NullableString('The first comment of the thread.'),
  side: OneOf(['workspace', 'reviewer']),
  author: Type.String({ description: 'Empty if the comment is erased.' }),
  author_basis: Basis(),
  text: NullableString('Null if the comment is erased.'),
  sha256: Sha256('Of the text in UTF-8. The audit log has it.'),
  state: Type.Union([OneOf(QUESTION_STATES), Type.Null()], {
    description: 'Of a question. It is answered when the other side replies.',
  }),
  created_at: DateTime(),
  erased_at: NullableString('When it was erased.'),
  boundary: Boundary(),
}

export const RoomComment = Named('RoomComment', 'What someone wrote in a room.', COMMENT)

export const RoomCommentList = Named(
  'RoomCommentList',
  'The comments of a room, newest first.',
  ListOf(Type.Object(COMMENT)),
)

const REVIEW = {
  ...SHOWN_PLACE,
  reviewer: Type.String({ description: 'Whose statement it is. The service does not check it.' }),
  reviewer_basis: Basis(),
  created_at: DateTime(),
}

export const RoomReviewList = Named(
  'RoomReviewList',
  'What reviewers say that they have reviewed, newest first.',
  ListOf(Type.Object(REVIEW)),
)

/** Bodies below the link of a room. */
const Name = () => Type.Optional(Line(200))
export const ReviewerComment = Type.Object(
  { ...COMMENT_REQUEST, name: Name() },
  { additionalProperties: false },
)
export const ReviewerChange = Type.Object(
  { ...RoomCommentChange.properties, name: Name() },
  { additionalProperties: false },
)
export const ReviewRequest = Type.Object(
  { ...PLACE, is_reviewed: Type.Boolean(), name: Name() },
  { additionalProperties: false },
)

/** A page of `remarks.json` below the link of a room. */
export interface Remarks {
  /** Send it as `after` to get the next page. */
  readonly next: number | null
  readonly comments: readonly RoomComment[]
  readonly reviews: RoomReviewList['data']
}

export type RoomRequest = Static<typeof RoomRequest>
export type Room = Static<typeof Room>
export type RoomList = Static<typeof RoomList>
export type RoomCommentRequest = Static<typeof RoomCommentRequest>
export type RoomCommentChange = Static<typeof RoomCommentChange>
export type RoomComment = Static<typeof RoomComment>
export type RoomCommentList = Static<typeof RoomCommentList>
export type RoomReviewList = Static<typeof RoomReviewList>
export type ReviewerComment = Static<typeof ReviewerComment>
export type ReviewerChange = Static<typeof ReviewerChange>
export type ReviewRequest = Static<typeof ReviewRequest>
