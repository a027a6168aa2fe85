import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { DownloadLog } from '../audit/download-log.ts'
import type { Unit } from '../database/unit.ts'
import type { Service } from '../http/route.ts'
import { Closed } from '../http/schema-parts.ts'
import { sendKits } from '../kits/send-kit.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { Refusal } from '../refusals.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { countComment, countWrite } from '../requests/count-write.ts'
import { notInRoom, type OpenShare, type ShareDoor, type ShareRequestOf } from './open-share.ts'
import { type AccessKind, insertAccess } from './record-access.ts'
import {
  addComment,
  changeQuestion,
  CommentResource,
  findComment,
  markReviewed,
  placeIn,
  prepareComment,
  roomRemarks,
  ReviewerChange,
  ReviewerComment,
  reviewerOf,
  ReviewRequest,
} from './room-remarks.ts'
import { kitsOf } from './room-kits.ts'
import type { ShareContext } from './share.ts'

const PAGE = 100
const BODY_LIMIT_BYTES = 64 * 1024
const KitsQuery = Closed({
  kit: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 100 })])),
})
const RemarksQuery = Closed({ after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) })
type OfToken = { Params: { readonly token: string } }
type OfComment = { Params: { readonly token: string; readonly comment_id: string } }

/** What only rooms have below `/s/TOKEN`: comments, reviews, and several kits in one archive. */
export function registerRoomLinkRoutes(
  scope: FastifyInstance,
  ctx: ShareContext & Service,
  door: ShareDoor,
  readings: (request: ShareRequestOf, open: OpenShare, kitIds: readonly KitId[]) => DownloadLog,
  mayRead: (request: ShareRequestOf, open: OpenShare) => Promise<void>,
): void {
  const { db, clock, units } = ctx
  const write = <T>(
    { share, linkId }: OpenShare,
    name: string,
    work: (unit: Unit) => Promise<T>,
  ): Promise<T> => units.write({ workspaceId: share.workspace_id, actor: { is: 'link', linkId } }, name, work)
  const openRoom = async (request: ShareRequestOf): Promise<OpenShare> => {
    const open = await door.open(request)
    if (open.share.title === null) throw new Refusal('room_not_found', 'This is the share of one kit.')
    return open
  }

  const countedFirst = async (request: ShareRequestOf): Promise<void> =>
    countWrite(ctx, (await openRoom(request)).linkId)
  /** Records who did what with which kit. */
  const recordRemark = (
    unit: Unit,
    open: OpenShare,
    { kind, kitId, name, ip }: { kind: AccessKind; kitId: KitId; name: string | null; ip: string },
  ): Promise<void> => insertAccess(unit.db, clock, { ...open, kind, kitId, name, ip }, null)

  // One page, oldest first: comments and reviews have their numbers from one sequence.
  scope.get<OfToken & { Querystring: Static<typeof RemarksQuery> }>(
    '/remarks.json',
    { schema: { querystring: RemarksQuery } },
    async (request) => {
      const open = await openRoom(request)
      const { share_id, workspace_id: workspaceId } = open.share
      const after = Number(request.query.after ?? 0)
      const acting = { workspaceId, actor: { is: 'link', linkId: open.linkId } } as const
      return units.read(acting, (reader) => roomRemarks(reader, share_id, after, PAGE))
    },
  )

  scope.post<OfToken & { Body: Static<typeof ReviewerComment> }>(
    '/comments',
    { schema: { body: ReviewerComment }, bodyLimit: BODY_LIMIT_BYTES, onRequest: countedFirst },
    async (request, reply) => {
      const open = await openRoom(request)
      const { linkId, share } = open
      await countComment(ctx, { linkId, place: share.share_id, text: request.body.text })
      const author = reviewerOf(open, request.body.name)
      const acting = { workspaceId: open.share.workspace_id, actor: author.actor }
      const prepared = await prepareComment(ctx, acting, open.share, request.body)
      const { kitId, path: name } = prepared.place
      const comment = await write(open, 'comment', async (unit) => {
        await recordRemark(unit, open, { kind: 'commented', kitId, name, ip: request.ip })
        return addComment(unit, ctx, open.share, prepared, author)
      })
      return reply.code(201).send(CommentResource.show(comment, true))
    },
  )

  scope.patch<OfComment & { Body: Static<typeof ReviewerChange> }>(
    '/comments/:comment_id',
    { schema: { body: ReviewerChange }, bodyLimit: BODY_LIMIT_BYTES, onRequest: countedFirst },
    async (request) => {
      const open = await openRoom(request)
      const { name, basis } = reviewerOf(open, request.body.name)
      const changed = await write(open, 'change question', async (unit) => {
        const question = await findComment(unit, open.share.share_id, request.params.comment_id)
        if (question.author.toLowerCase() !== name.toLowerCase() || question.author_basis !== basis)
          throw new Refusal('comment_not_found', 'Only the one who asked can change the state of a question.')
        return changeQuestion(unit, question, request.body.state)
      })
      return CommentResource.show(changed, true)
    },
  )

  scope.put<OfToken & { Body: Static<typeof ReviewRequest> }>(
    '/reviews',
    { schema: { body: ReviewRequest }, bodyLimit: BODY_LIMIT_BYTES, onRequest: countedFirst },
    async (request, reply) => {
      const open = await openRoom(request)
      const author = reviewerOf(open, request.body.name)
      const place = await placeIn(ctx, open.share, request.body)
      const { is_reviewed: isReviewed } = request.body
      await write(open, 'review', async (unit) => {
        if (!(await markReviewed(unit, open.share, place, isReviewed, author))) return
        const kind = isReviewed ? 'reviewed' : 'review_withdrawn'
        const name = place.path ?? place.itemId
        await recordRemark(unit, open, { kind, kitId: place.kitId, name, ip: request.ip })
      })
      return reply.code(204).send()
    },
  )

  scope.route<OfToken & { Querystring: Static<typeof KitsQuery> }>({
    method: ['GET', 'HEAD'],
    url: '/kits.zip',
    exposeHeadRoute: false,
    schema: { querystring: KitsQuery },
    handler: async (request, reply) => {
      const open = await openRoom(request)
      await mayRead(request, open)
      const inRoom = await kitsOf(db, open.share)
      const { kit } = request.query
      const asked = kit === undefined ? inRoom : inRoom.filter((id) => [kit].flat().includes(id))
      if (kit !== undefined && asked.length < new Set([kit].flat()).size) throw notInRoom()
      const found: KitRecord[] = []
      for (const id of asked) {
        const record = await ctx.kits.find(id)
        // Who asks for all gets what is there, and who asks for a kit that is gone is told.
        if (record !== undefined && (kit !== undefined || record.expired === undefined)) found.push(record)
      }
      const [first, ...others] = found
      if (first === undefined) throw new Refusal('kit_not_found', 'This room has no kits to download.')
      const ids = found.map(({ kitId }) => kitId)
      const sender = { objects: ctx.objects, kits: ctx.kits, downloads: readings(request, open, ids) }
      return sendKits(request, reply, [first, ...others], sender)
    },
  })
}
