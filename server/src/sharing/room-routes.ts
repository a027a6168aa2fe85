import type { FastifyInstance, FastifyRequest } from 'fastify'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { createOnce } from '../http/idempotency.ts'
import { checkCursor, listPage, PageQuery } from '../http/page-query.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import { type OfShare, ownShare, ownUnrevoked } from './own-share.ts'
import {
  addComment,
  changeQuestion,
  commentRecord,
  commentsOf,
  eraseComment,
  prepareComment,
  readComment,
} from './room-comments.ts'
import { memberOf } from './room-remarks.ts'
import { reviewRecord, reviewsOf } from './room-reviews.ts'
import type {
  RoomComment,
  RoomCommentChange,
  RoomCommentList,
  RoomCommentRequest,
  RoomReviewList,
} from './room-schemas.ts'
import type { ShareContext } from './share.ts'

type OfComment = { Params: { readonly room_id: string; readonly comment_id: string } }

/** Comments and reviews of a room, for the workspace. */
export function registerRoomRoutes(app: FastifyInstance, ctx: ShareContext): void {
  const { db, clock } = ctx
  const own = (request: FastifyRequest<OfShare>) => ownShare(db, request, 'room')

  app.route<OfShare & { Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/rooms/:room_id/comments',
    validatorCompiler: validateRequest({ querystring: checkCursor('comments') }),
    schema: {
      operationId: 'listRoomComments',
      summary: 'List comments and questions of a room',
      description: 'Newest first. A reply names the first comment of its thread.',
      querystring: PageQuery,
      response: { 200: ref('RoomCommentList'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<RoomCommentList> => {
      const { share_id } = await own(request)
      const rows = commentsOf(db, share_id).orderBy('sequence', 'desc')
      return listPage(
        'comments',
        request.query,
        ({ before, limit }) => rows.where('sequence', '<', before).limit(limit).execute(),
        commentRecord,
      )
    },
  })

  app.route<OfShare & { Body: RoomCommentRequest }>({
    method: 'POST',
    url: '/v1/rooms/:room_id/comments',
    schema: {
      operationId: 'commentInRoom',
      summary: 'Comment in a room, or answer',
      description:
        'All reviewers of the room see it. A reply to the question of a reviewer answers it. Reviewers with a link of their own get a mail; for a reply, only the one who asked.',
      headers: idempotencyHeader('A retry with the same key within 24 hours creates no second comment.'),
      body: ref('RoomCommentRequest'),
      response: { 201: ref('RoomComment'), ...errors(400, 401, 403, 404, 409, 410, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const room = await ownUnrevoked(db, request, 'room')
      const prepared = await prepareComment(ctx, room, request.body)
      const author = await memberOf(db, caller)
      return createOnce(
        ctx,
        request,
        reply,
        async (trx) => ({ stored: await addComment(trx, ctx, room, prepared, author), shownOnce: {} }),
        () => `/v1/rooms/${room.share_id}/comments`,
      )
    },
  })

  app.route<OfComment & { Body: RoomCommentChange }>({
    method: 'PATCH',
    url: '/v1/rooms/:room_id/comments/:comment_id',
    schema: {
      operationId: 'changeRoomComment',
      summary: 'Resolve a question, or open it again',
      description: 'The text of a comment does not change.',
      body: ref('RoomCommentChange'),
      response: { 200: ref('RoomComment'), ...errors(400, 401, 403, 404, 415, 429) },
    },
    handler: async (request): Promise<RoomComment> => {
      const { actor } = workspaceOf(request.caller)
      const comment = await readComment(db, await own(request), request.params.comment_id)
      return transact(db, (trx) => changeQuestion(trx, clock, comment, request.body.state, actor))
    },
  })

  app.route<OfComment>({
    method: 'DELETE',
    url: '/v1/rooms/:room_id/comments/:comment_id',
    schema: {
      operationId: 'eraseRoomComment',
      summary: 'Erase a comment',
      description:
        'Erases its text and its author. Its ID and its SHA-256 stay, here and in the audit log. Repeating it changes nothing.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const { actor } = workspaceOf(request.caller)
      const comment = await readComment(db, await own(request), request.params.comment_id)
      await transact(db, (trx) => eraseComment(trx, clock, comment, actor))
      return reply.code(204).send()
    },
  })

  app.route<OfShare & { Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/rooms/:room_id/reviews',
    validatorCompiler: validateRequest({ querystring: checkCursor('reviews') }),
    schema: {
      operationId: 'listRoomReviews',
      summary: 'List what reviewers say that they have reviewed',
      description: 'Newest first. It is the statement of the reviewer, who can take it back.',
      querystring: PageQuery,
      response: { 200: ref('RoomReviewList'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<RoomReviewList> => {
      const { share_id } = await own(request)
      const rows = reviewsOf(db, share_id).orderBy('sequence', 'desc')
      return listPage(
        'reviews',
        request.query,
        ({ before, limit }) => rows.where('sequence', '<', before).limit(limit).execute(),
        reviewRecord,
      )
    },
  })
}
