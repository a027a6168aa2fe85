import { createHash } from 'node:crypto'
import { BOUNDARY } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { ShareCommentsTable, SharesTable } from '../database/share-schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { CommentId, ShareId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from '../submissions/received-by.ts'
import { type NewEvent, recordEvent } from '../audit/audit-trail.ts'
import { mailComment } from './share-mail.ts'
import { type Author, nextRemark, type Place, placeIn } from './room-remarks.ts'
import type { RoomComment, RoomCommentRequest } from './room-schemas.ts'
import type { ShareContext } from './share.ts'

/** A comment whose place was checked before the transaction. */
export interface PreparedComment {
  readonly place: Place
  /** The first comment of the thread. */
  readonly first: ShareCommentsTable | undefined
  readonly text: string
  readonly isQuestion: boolean
}

export async function prepareComment(
  ctx: ShareContext,
  share: SharesTable,
  asked: RoomCommentRequest,
): Promise<PreparedComment> {
  const text = asked.text.trim()
  if (text === '') throw new Refusal('body_invalid', 'text must not be empty.', { param: 'text' })
  const first = asked.reply_to === undefined ? undefined : await readComment(ctx.db, share, asked.reply_to)
  if (first !== undefined && first.reply_to !== null)
    throw new Refusal('body_invalid', 'reply_to must be the first comment of a thread.', {
      param: 'reply_to',
    })
  const place =
    first === undefined
      ? await placeIn(ctx, share, asked)
      : { kitId: first.kit_id, path: first.path, itemId: first.item_id }
  return { place, first, text, isQuestion: first === undefined && asked.is_question === true }
}

/** Adds a comment, and mails the other side. An answer of the other side answers a question, one of the same side opens it again. */
export async function addComment(
  trx: Db,
  ctx: ShareContext,
  share: SharesTable,
  { place, first, text, isQuestion }: PreparedComment,
  author: Author,
): Promise<RoomComment> {
  const { share_id, workspace_id } = share
  const at = timestamp(ctx.clock.now())
  const row: ShareCommentsTable = {
    comment_id: ctx.identifiers.commentId(),
    share_id,
    workspace_id,
    sequence: await nextRemark(trx, share, author),
    kit_id: place.kitId,
    path: place.path,
    item_id: place.itemId,
    reply_to: first?.comment_id ?? null,
    side: author.side,
    written_by: actorText(author.actor),
    author: author.name,
    basis: author.basis,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    state: isQuestion ? 'open' : null,
    at,
    erased_at: null,
  }
  await trx.insertInto('share_comments').values(row).execute()
  if (first !== undefined && first.state !== null)
    await saveState(trx, first, first.side === author.side ? 'open' : 'answered')
  await recordComment(trx, row, 'share.commented', author.actor, at)
  await mailComment(trx, ctx, share, row, first)
  return commentRecord(row)
}

const saveState = (
  trx: Db,
  { comment_id }: ShareCommentsTable,
  state: ShareCommentsTable['state'],
): Promise<unknown> =>
  trx.updateTable('share_comments').set({ state }).where('comment_id', '=', comment_id).execute()

/** Never the text or a name: they can be erased, and the audit log cannot. */
const recordComment = (
  trx: Db,
  { workspace_id: workspaceId, share_id: subject, kit_id, comment_id, sha256, path }: ShareCommentsTable,
  action: NewEvent['action'],
  actor: CallerActor,
  at: string,
): Promise<number> =>
  recordEvent(trx, {
    workspaceId,
    actor,
    action,
    subject,
    details: { kit_id, comment_id, sha256, ...(path !== null && { name: path }) },
    at,
  })

/** Resolves a question, or opens it again. */
export async function changeQuestion(
  trx: Db,
  clock: Clock,
  question: ShareCommentsTable,
  state: 'open' | 'resolved',
  actor: CallerActor,
): Promise<RoomComment> {
  if (question.state === null) throw new Refusal('body_invalid', 'This comment is not a question.')
  if (question.erased_at !== null) throw new Refusal('comment_not_found', 'This question is erased.')
  if (question.state !== state) {
    await saveState(trx, question, state)
    const action = state === 'resolved' ? 'share.question_resolved' : 'share.question_reopened'
    await recordComment(trx, question, action, actor, timestamp(clock.now()))
  }
  return commentRecord({ ...question, state })
}

/** Erases text and author. That there was a comment, its ID and its SHA-256 stay. */
export async function eraseComment(
  trx: Db,
  clock: Clock,
  comment: ShareCommentsTable,
  actor: CallerActor,
): Promise<void> {
  if (comment.erased_at !== null) return
  const at = timestamp(clock.now())
  await trx
    .updateTable('share_comments')
    .set({ text: '', author: '', state: null, erased_at: at })
    .where('comment_id', '=', comment.comment_id)
    .execute()
  await recordComment(trx, comment, 'share.comment_erased', actor, at)
}

export async function readComment(
  db: Db,
  { share_id }: Pick<SharesTable, 'share_id'>,
  id: string,
): Promise<ShareCommentsTable> {
  const row = await db
    .selectFrom('share_comments')
    .selectAll()
    .where('comment_id', '=', id as CommentId)
    .where('share_id', '=', share_id)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('comment_not_found', 'This room has no comment with this ID.')
  return row
}

export const commentsOf = (db: Db, share: ShareId) =>
  db.selectFrom('share_comments').selectAll().where('share_id', '=', share)

export const commentRecord = (row: ShareCommentsTable): RoomComment => ({
  comment_id: row.comment_id,
  kit_id: row.kit_id,
  path: row.path,
  item_id: row.item_id,
  reply_to: row.reply_to,
  side: row.side,
  author: row.author,
  author_basis: row.basis,
  text: row.erased_at === null ? row.text : null,
  sha256: row.sha256,
  state: row.state,
  created_at: row.at,
  erased_at: row.erased_at,
  boundary: BOUNDARY,
})
