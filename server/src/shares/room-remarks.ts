import { type Static, type TObject, Type } from 'typebox'
import type { Acting, Event, Reader, Unit } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import { body, member, pages, resource, sends } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Line, OneOf, SEVERAL_LINES_OF, Nullable } from '../http/schema-parts.ts'
import { kitItems } from '../kits/kit-documents.ts'
import { Refusal } from '../refusals.ts'
import {
  type Author,
  colleague,
  insertRemark,
  type Remark,
  remarks,
  remarksAfter,
} from '../requests/remarks.ts'
import { isKitId, type KitId, type ShareId } from '../runtime/identifiers.ts'
import { notInRoom, type OpenShare } from './open-share.ts'
import { kitsOf, ownShare, ownUnrevoked, type ShareContext, type Share } from './share.ts'
import { mailComment } from './share-mail.ts'

const MAX_COMMENT_LENGTH = 4000
/** Of comments and reviews together. The last ones are for the workspace, so that no link can fill its room. */
const MAX_REMARKS = 20_000
const RESERVED = 2000

/** In a room, each is about a kit. */
const kitIn = ({ kit_id }: Remark): string => kit_id ?? ''

export const CommentResource = resource('RoomComment', 'What someone wrote in a room.', remarks, {
  without: ['share_id', 'request_id', 'sequence', 'kind', 'kit_id', 'side', 'written_by', 'sha256', 'state'],
  and: {
    kit_id: member(Type.String(), kitIn),
    side: member(OneOf(['workspace', 'reviewer']), ({ side }: Remark) =>
      side === 'workspace' ? side : 'reviewer',
    ),
    sha256: member(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the text in UTF-8. The audit log has it.' }),
      ({ sha256 }: Remark) => sha256 ?? '',
    ),
    state: Nullable(
      OneOf(['open', 'answered', 'resolved']),
      'Of a question. It is answered when the other side replies.',
    ),
  },
})
const ReviewResource = resource('RoomReview', 'What a reviewer says.', remarks, {
  only: ['path', 'item_id', 'created_at'],
  boundary: 'none',
  and: {
    kit_id: member(Type.String(), kitIn),
    reviewer: member(
      Type.String({ description: 'Whose statement it is. The service does not check it.' }),
      ({ author }: Remark) => author,
    ),
    reviewer_basis: member(
      Type.Unsafe<Remark['author_basis']>(remarks.columns.author_basis.spec.shown),
      ({ author_basis: basis }: Remark) => basis,
    ),
  },
})

const CommentList = pages(
  'RoomCommentList',
  'The comments of a room, newest first.',
  'comments',
  CommentResource,
)
const ReviewList = pages(
  'RoomReviewList',
  'What reviewers say that they have reviewed, newest first.',
  'reviews',
  ReviewResource,
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
const COMMENT = {
  ...PLACE,
  text: Type.String({ minLength: 1, ...SEVERAL_LINES_OF(MAX_COMMENT_LENGTH) }),
  is_question: Type.Optional(
    Type.Boolean({ description: 'A question waits until the other side answers it. False by default.' }),
  ),
  reply_to: Type.Optional(
    Type.String({ description: 'ID of the first comment of a thread. Its place counts.' }),
  ),
}
const CHANGE = { state: OneOf(['open', 'resolved'], 'Resolves a question, or opens it again.') }
const RoomCommentRequest = body('RoomCommentRequest', COMMENT, 'Body of POST /v1/rooms/{room_id}/comments.')
const RoomCommentChange = body(
  'RoomCommentChange',
  CHANGE,
  'Body of PATCH /v1/rooms/{room_id}/comments/{comment_id}.',
)

/** Bodies below the link of a room, whose holder may have to say who they are. */
const NAME = { name: Type.Optional(Line(200)) }
export const ReviewerComment = sends({ ...COMMENT, ...NAME })
export const ReviewerChange = sends({ ...CHANGE, ...NAME })
export const ReviewRequest = sends({ ...PLACE, is_reviewed: Type.Boolean(), ...NAME })

const url = '/v1/rooms/:room_id'
const read = { scope: 'read', role: 'viewer' } as const
const write = { scope: 'shares', role: 'member' } as const

export const remarkRoutes = [
  route('listRoomComments', `GET ${url}/comments`, {
    access: read,
    summary: 'List comments and questions of a room',
    description: 'Newest first. A reply names the first comment of its thread.',
    returns: CommentList,
    async read(reader, { params, page }) {
      const { share_id } = await ownShare(reader, 'room', params.room_id)
      return reader.rows(remarks, { share_id, kind: 'comment' }).page('sequence', page)
    },
  }),
  route('commentInRoom', `POST ${url}/comments`, {
    access: write,
    status: 201,
    summary: 'Comment in a room, or answer',
    description:
      'All reviewers of the room see it. A reply to the question of a reviewer answers it. Reviewers with a link of their own get a mail; for a reply, only the one who asked.',
    once: 'A retry with the same key within 24 hours creates no second comment.',
    body: RoomCommentRequest,
    example: { kit_id: '$KIT_ID', text: 'The board approved it on 3 November.' },
    returns: CommentResource,
    codes: [
      'kit_not_found',
      'shared_file_not_found',
      'request_item_not_found',
      'comment_not_found',
      'room_full',
      'share_expired',
      'share_revoked',
    ],
    async prepare(ctx: ShareContext, { params, body: asked, acting }) {
      const room = await ctx.units.read(acting, (reader) => ownUnrevoked(reader, 'room', params.room_id))
      return { room, comment: await prepareComment(ctx, acting, room, asked) }
    },
    location: `${url}/comments`,
    handle: async (unit, { caller }, ctx: ShareContext, { room, comment }) =>
      addComment(unit, ctx, room, comment, await colleague(unit, workspaceOf(caller).actor)),
  }),
  route('changeRoomComment', `PATCH ${url}/comments/:comment_id`, {
    access: write,
    summary: 'Resolve a question, or open it again',
    description: 'The text of a comment does not change.',
    body: RoomCommentChange,
    example: { state: 'resolved' },
    returns: CommentResource,
    async handle(unit, { params, body: { state } }) {
      const { share_id } = await ownShare(unit, 'room', params.room_id)
      return changeQuestion(unit, await findComment(unit, share_id, params.comment_id), state)
    },
  }),
  route('eraseRoomComment', `DELETE ${url}/comments/:comment_id`, {
    access: { scope: 'admin', role: 'manager' },
    summary: 'Erase a comment',
    description:
      'Erases its text and its author. Its ID and its SHA-256 stay, here and in the audit log. Repeating it changes nothing.',
    async handle(unit, { params }) {
      const { share_id } = await ownShare(unit, 'room', params.room_id)
      const comment = await findComment(unit, share_id, params.comment_id)
      if (comment.erased_at !== null) return
      const erased = { text: null, author: '', state: null, erased_at: unit.at }
      await unit.update(remarks, comment.comment_id, erased)
      await recordComment(unit, comment, 'share.comment_erased')
    },
  }),
  route('listRoomReviews', `GET ${url}/reviews`, {
    access: read,
    summary: 'List what reviewers say that they have reviewed',
    description: 'Newest first. It is the statement of the reviewer, who can take it back.',
    returns: ReviewList,
    async read(reader, { params, page }) {
      const { share_id } = await ownShare(reader, 'room', params.room_id)
      return reader.rows(remarks, { share_id, kind: 'review' }).page('sequence', page)
    },
  }),
]

/** The address that the link was made for. With the link for anyone, the name that the person gives. */
export function reviewerOf({ linkId, recipient }: OpenShare, name: string | undefined): Author {
  const given = recipient ?? name?.trim() ?? ''
  if (given === '') throw new Refusal('body_invalid', 'name is missing: say who you are.', { param: 'name' })
  const basis = recipient === null ? 'not_verified' : 'recipient'
  return { side: 'reviewer', actor: { is: 'link', linkId }, name: given, basis }
}

interface Place {
  readonly kit_id: KitId
  readonly path: string | null
  readonly item_id: string | null
}

/** The kit, file or item, if it is in the room. */
export async function placeIn(
  { db, kits, objects }: ShareContext,
  share: Share,
  { kit_id, path, item_id }: Static<TObject<typeof PLACE>>,
): Promise<Place> {
  const isIn = isKitId(kit_id) && (await kitsOf(db, share)).includes(kit_id)
  const kit = isIn ? await kits.find(kit_id) : undefined
  if (kit === undefined) throw notInRoom()
  if (path !== undefined && item_id !== undefined)
    throw new Refusal('body_invalid', 'Send path or item_id, not both.', { param: 'item_id' })
  if (path !== undefined && !kit.entries.some((entry) => entry.path === path))
    throw new Refusal('shared_file_not_found', 'The kit has no file with this path.', { param: 'path' })
  if (item_id !== undefined) {
    const items = (await kitItems(objects, kit)) ?? []
    if (!items.some((item) => item.item_id === item_id))
      throw new Refusal('request_item_not_found', 'The kit has no item with this ID.', { param: 'item_id' })
  }
  return { kit_id: kit.kitId, path: path ?? null, item_id: item_id ?? null }
}

/** Before the unit: files are read to check the place. A reply has that of the first comment of its thread. */
export async function prepareComment(
  ctx: ShareContext,
  acting: Acting,
  share: Share,
  asked: Static<TObject<typeof COMMENT>>,
) {
  const text = asked.text.trim()
  if (text === '') throw new Refusal('body_invalid', 'text must not be empty.', { param: 'text' })
  const { reply_to: id } = asked
  const first =
    id === undefined
      ? undefined
      : await ctx.units.read(acting, (reader) => findComment(reader, share.share_id, id))
  if (first !== undefined && first.reply_to !== null)
    throw new Refusal('body_invalid', 'reply_to must be the first comment of a thread.', {
      param: 'reply_to',
    })
  const place =
    first === undefined
      ? await placeIn(ctx, share, asked)
      : { kit_id: first.kit_id as KitId, path: first.path, item_id: first.item_id }
  return { place, first, text, isQuestion: first === undefined && asked.is_question === true }
}

/** Adds a comment, and mails the other side. An answer of the other side answers a question, one of the same side opens it again. */
export async function addComment(
  unit: Unit,
  ctx: ShareContext,
  share: Share,
  { place, first, text, isQuestion }: Awaited<ReturnType<typeof prepareComment>>,
  author: Author,
): Promise<Remark> {
  const comment = await writeRemark(unit, share, place, author, {
    kind: 'comment',
    reply_to: first?.comment_id ?? null,
    text,
    state: isQuestion ? 'open' : null,
  })
  if (first !== undefined && first.state !== null)
    await unit.update(remarks, first.comment_id, {
      state: first.side === author.side ? 'open' : 'answered',
    })
  await recordComment(unit, comment, 'share.commented')
  await mailComment(unit, ctx, share, comment, first)
  return comment
}

const writeRemark = (
  unit: Unit,
  { share_id }: Share,
  about: Place,
  author: Author,
  more: Pick<Remark, 'kind'> & Partial<Remark>,
): Promise<Remark> => {
  const most = author.side === 'workspace' ? MAX_REMARKS : MAX_REMARKS - RESERVED
  const full = `A room can have at most ${most} comments and reviews.`
  const refusal = () => new Refusal('room_full', full, { args: { limit: most } })
  return insertRemark(unit, { share_id }, author, { ...about, ...more }, { remarks: most, refusal })
}

/** Never the text or a name: they can be erased, and the audit log cannot. */
const recordComment = (
  unit: Unit,
  { share_id, kit_id, comment_id, sha256, path }: Remark,
  action: Event['action'],
): Promise<number> =>
  unit.record(action, share_id ?? '', { kit_id, comment_id, sha256, ...(path !== null && { name: path }) })

/** Resolves a question, or opens it again. */
export async function changeQuestion(unit: Unit, question: Remark, state: 'open' | 'resolved') {
  if (question.state === null) throw new Refusal('body_invalid', 'This comment is not a question.')
  if (question.erased_at !== null) throw new Refusal('comment_not_found', 'This question is erased.')
  if (question.state === state) return question
  const changed = await unit.update(remarks, question.comment_id, { state })
  const action = state === 'resolved' ? 'share.question_resolved' : 'share.question_reopened'
  await recordComment(unit, question, action)
  return changed
}

export const findComment = (reader: Reader, share_id: ShareId, id: string): Promise<Remark> =>
  reader.rows(remarks, { share_id, kind: 'comment' }).find(id)

/**
 * Records that a reviewer says they have reviewed a kit, a file or an item, or takes that back. It is their own statement.
 * Returns whether anything changed.
 */
export async function markReviewed(
  unit: Unit,
  share: Share,
  place: Place,
  isReviewed: boolean,
  { name, ...author }: Author,
): Promise<boolean> {
  const { kit_id, path, item_id } = place
  // Mail servers ignore the case of an address.
  const reviewer = author.basis === 'recipient' ? name.toLowerCase() : name
  // Two statements of one room wait for each other.
  await unit.db
    .updateTable('shares')
    .set((eb) => ({ remarks: eb.ref('remarks') }))
    .where('share_id', '=', share.share_id)
    .execute()
  const given = await unit
    .rows(remarks, { share_id: share.share_id, kind: 'review' })
    .where('kit_id', '=', kit_id)
    .where('path', path === null ? 'is' : '=', path)
    .where('item_id', item_id === null ? 'is' : '=', item_id)
    .where('author', '=', reviewer)
    .where('author_basis', '=', author.basis)
    .first()
  if ((given !== undefined) === isReviewed) return false
  if (given === undefined)
    await writeRemark(unit, share, place, { ...author, name: reviewer }, { kind: 'review' })
  else await unit.delete(remarks, given.comment_id)
  await unit.record(isReviewed ? 'share.reviewed' : 'share.review_withdrawn', share.share_id, {
    kit_id,
    ...(path !== null && { name: path }),
    ...(item_id !== null && { item: item_id }),
    recipient: author.basis === 'recipient' ? reviewer : null,
  })
  return true
}

/** A page of `remarks.json` below the link of a room, oldest first. */
export async function roomRemarks(reader: Reader, share_id: ShareId, after: number, limit: number) {
  const { rows, next } = await remarksAfter(reader, { share_id }, after, limit)
  return {
    comments: rows.filter(({ kind }) => kind === 'comment').map((row) => CommentResource.showItem(row)),
    reviews: rows.filter(({ kind }) => kind === 'review').map((row) => ReviewResource.showItem(row)),
    /** Send it as `after` to get the next page. */
    next,
  }
}
