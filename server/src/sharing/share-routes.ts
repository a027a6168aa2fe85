import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { transact } from '../database/transact.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { createOnce } from '../http/idempotency.ts'
import { checkCursor, cut, listPage, listResponse, pageOf, PageQuery } from '../http/page-query.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import type {
  Share,
  ShareAccessList,
  ShareChange,
  ShareLinkRequest,
  ShareList,
  ShareRequest,
} from './share-schemas.ts'
import { ADDRESS } from '../http/text-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { KitId, ShareId } from '../runtime/identifiers.ts'
import { revokeLinks } from '../database/links.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import {
  createShare,
  kitDetail,
  prepareChange,
  prepareRoom,
  prepareShare,
  recordOf,
  replaceLink,
  type WithLinks,
} from './create-share.ts'
import { type OfShare, ownShare, ownUnrevoked } from './own-share.ts'
import type { Room, RoomList, RoomRequest } from './room-schemas.ts'
import { readRecipients, recipientsAsked } from './share-recipients.ts'
import { type ShareContext, type ShareRow, sharesWithReceipts } from './share.ts'
import { Closed } from '../http/schema-parts.ts'
import type { Db } from '../database/schema.ts'

const BODY_LIMIT_BYTES = 1024 * 1024
const ListQuery = Closed({
  ...PageQuery.properties,
  kit_id: Type.Optional(Type.String({ description: 'Only shares of this kit.' })),
})
const LinkQuery = Closed({
  recipient: Type.Optional(
    Type.String({ ...ADDRESS, description: 'Email address. Without it, the link for anyone.' }),
  ),
})

/** A room is a share of several kits: the same routes serve both. */
interface Kind {
  readonly noun: 'share' | 'room'
  /** In names of operations and schemas. */
  readonly name: 'Share' | 'Room'
  readonly url: string
  readonly one: string
  readonly query: typeof ListQuery | typeof PageQuery
  readonly create: { readonly summary: string; readonly description: string }
}

const SHARES: Kind = {
  noun: 'share',
  name: 'Share',
  url: '/v1/shares',
  one: '/v1/shares/:share_id',
  query: ListQuery,
  create: {
    summary: 'Share a kit',
    description:
      'Creates a link for someone without an account. `url` is in this response only: the service stores a hash of it. With `paths`, the recipient sees only these files, each with its file proof. With `recipients`, each of them gets a link of their own by mail and there is no other link; if the service sends no mail, their links are in the response.',
  },
}

const ROOMS: Kind = {
  noun: 'room',
  name: 'Room',
  url: '/v1/rooms',
  one: '/v1/rooms/:room_id',
  query: PageQuery,
  create: {
    summary: 'Open a room',
    description:
      'A share of several kits: one link per reviewer, who verifies and downloads the kits, asks questions, and says what is reviewed. With `series` or `program`, kits that come while the room is open are in it. All reviewers of a room see its comments and their authors. Links work as those of a share.',
  },
}

export function registerShareRoutes(app: FastifyInstance, ctx: ShareContext): void {
  for (const kind of [SHARES, ROOMS]) registerKind(app, ctx, kind)
}

/** Create, list, get and revoke shares or rooms, and read their access logs. */
function registerKind(app: FastifyInstance, ctx: ShareContext, kind: Kind): void {
  const { db, clock } = ctx
  const { noun, name, url, one } = kind
  const own = (request: FastifyRequest<OfShare>): Promise<ShareRow> => ownShare(db, request, noun)
  const notRevoked = (request: FastifyRequest<OfShare>): Promise<ShareRow> => ownUnrevoked(db, request, noun)

  const shown = async (row: ShareRow): Promise<Share | Room> =>
    recordOf(db, ctx, row, (await readRecipients(db, [row.share_id])).get(row.share_id))

  const eventOf = ({ workspaceId, actor }: WorkspaceCaller, subject: ShareId) => ({
    workspaceId,
    actor,
    subject,
    at: timestamp(clock.now()),
  })

  /** What is stored for a retry has no links. */
  const shareOnce = (
    request: FastifyRequest,
    reply: FastifyReply,
    create: (trx: Db) => Promise<WithLinks>,
  ): Promise<FastifyReply> =>
    createOnce(
      ctx,
      request,
      reply,
      async (trx) => {
        const { share, links } = await create(trx)
        return { stored: share, shownOnce: links }
      },
      (made) => `${url}/${'room_id' in made ? made.room_id : made.share_id}`,
    )

  app.route<{ Body: ShareRequest | RoomRequest }>({
    method: 'POST',
    url,
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: `create${name}`,
      ...kind.create,
      headers: idempotencyHeader(
        `A retry with the same key within 24 hours creates no second ${noun}. Its response has no \`url\`, because the link is not stored.`,
      ),
      body: ref(`${name}Request`),
      response: { 201: ref(name), ...errors(400, 401, 403, 404, 409, 410, 413, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { body } = request
      const prepared = await ('title' in body
        ? prepareRoom(ctx, body, caller)
        : prepareShare(ctx, body, caller))
      return shareOnce(request, reply, (trx) => createShare(trx, ctx, prepared, caller))
    },
  })

  app.route<{ Querystring: Static<typeof ListQuery> }>({
    method: 'GET',
    url,
    validatorCompiler: validateRequest({ querystring: checkCursor('shares') }),
    schema: {
      operationId: `list${name}s`,
      summary: `List ${noun}s, newest first`,
      description: 'Newest first. If `next_cursor` is not null, there are more.',
      querystring: kind.query,
      response: { 200: ref(`${name}List`), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<ShareList | RoomList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const page = pageOf('shares', request.query)
      const { kit_id } = request.query
      let rows = sharesWithReceipts(db)
        .where('workspace_id', '=', workspaceId)
        .where('sequence', '<', page.before)
        .where('title', noun === 'room' ? 'is not' : 'is', null)
      if (kit_id !== undefined) rows = rows.where('share_kits.kit_id', '=', kit_id as KitId)
      const { shown: listed, next } = cut(
        await rows
          .orderBy('sequence', 'desc')
          .limit(page.limit + 1)
          .execute(),
        page,
      )
      const recipients = await readRecipients(
        db,
        listed.map(({ share_id }) => share_id),
      )
      const records: (Share | Room)[] = []
      for (const row of listed) records.push(await recordOf(db, ctx, row, recipients.get(row.share_id)))
      return listResponse(records, next) as ShareList | RoomList
    },
  })

  app.route<OfShare>({
    method: 'GET',
    url: one,
    schema: {
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      description: 'Its link, its limits, and how often it was used.',
      response: { 200: ref(name), ...errors(401, 403, 404, 429) },
    },
    handler: async (request): Promise<Share | Room> => {
      return shown(await own(request))
    },
  })

  app.route<OfShare & { Querystring: PageQuery }>({
    method: 'GET',
    url: `${one}/accesses`,
    validatorCompiler: validateRequest({ querystring: checkCursor('accesses') }),
    schema: {
      operationId: `list${name}Accesses`,
      summary: `Get the access log of a ${noun}`,
      description:
        'Who opened the page, viewed or downloaded files, and when, newest first. Addresses are truncated to their network. The same view by the same network within 10 minutes is one entry.',
      querystring: PageQuery,
      response: { 200: ref('ShareAccessList'), ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request): Promise<ShareAccessList> => {
      const { share_id } = await own(request)
      const accesses = db
        .selectFrom('share_accesses')
        .leftJoin('links', 'links.link_id', 'share_accesses.link_id')
        .select(['sequence', 'at as created_at', 'kind', 'kit_id', 'name', 'address', 'links.recipient'])
        .where('share_id', '=', share_id)
        .orderBy('sequence', 'desc')
      const page = await listPage(
        'accesses',
        request.query,
        ({ before, limit }) => accesses.where('sequence', '<', before).limit(limit).execute(),
        ({ sequence, ...access }) => ({ seq: sequence, ...access }),
      )
      return { share_id, ...page }
    },
  })

  app.route<OfShare & { Body: ShareChange }>({
    method: 'PATCH',
    url: one,
    schema: {
      operationId: `change${name}`,
      summary: `Change a ${noun}`,
      description: `Changes expiry, password, download limit or notices. Its links stay the same. A new password is asked for at once; a revoked ${noun} stays revoked.`,
      body: ref('ShareChange'),
      response: { 200: ref(name), ...errors(400, 401, 403, 404, 409, 410, 415, 429) },
    },
    handler: async (request): Promise<Share | Room> => {
      const caller = workspaceOf(request.caller)
      const row = await notRevoked(request)
      const { share_id } = row
      const columns = await prepareChange(ctx, request.body)
      const { password, notify_downloads: notify, ...others } = columns
      const details = {
        ...kitDetail(row),
        ...others,
        ...(password === undefined ? {} : { has_password: password !== null }),
        ...(notify === undefined ? {} : { notify_downloads: notify === 1 }),
      }
      if (Object.keys(columns).length > 0)
        await transact(db, async (trx) => {
          await trx.updateTable('shares').set(columns).where('share_id', '=', share_id).execute()
          await recordEvent(trx, { ...eventOf(caller, share_id), details, action: 'share.changed' })
        })
      return shown(await own(request))
    },
  })

  app.route<OfShare & { Body: ShareLinkRequest }>({
    method: 'POST',
    url: `${one}/links`,
    schema: {
      operationId: `create${name}Link`,
      summary: `Create or replace a link of a ${noun}`,
      description: `A new link for one recipient, who is added if the ${noun} has no such recipient, or for anyone. Their former link stops working. The link is mailed; if the service sends no mail, it is in this response only.`,
      headers: idempotencyHeader('A retry with the same key within 24 hours creates no second link.'),
      body: ref('ShareLinkRequest'),
      response: { 201: ref(name), ...errors(400, 401, 403, 404, 409, 410, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const row = await notRevoked(request)
      const [recipient = null] = recipientsAsked(
        request.body.recipient === undefined ? [] : [request.body.recipient],
      )
      return shareOnce(request, reply, (trx) => replaceLink(trx, ctx, row, recipient, caller))
    },
  })

  app.route<OfShare & { Querystring: Static<typeof LinkQuery> }>({
    method: 'DELETE',
    url: `${one}/links`,
    schema: {
      operationId: `revoke${name}Link`,
      summary: `Revoke the link of one recipient of a ${noun}`,
      description: `It stops working at once, on every node. The other links of the ${noun} stay.`,
      querystring: LinkQuery,
      response: { ...deleted, ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const row = await own(request)
      const { share_id } = row
      const { recipient = null } = request.query
      await transact(db, async (trx) => {
        if ((await revokeLinks(trx, clock, { purpose: 'share', subject: share_id, recipient })) === 0) return
        const details = { ...kitDetail(row), recipient }
        await recordEvent(trx, { ...eventOf(caller, share_id), details, action: 'share.link_revoked' })
      })
      return reply.code(204).send()
    },
  })

  app.route<OfShare>({
    method: 'DELETE',
    url: one,
    schema: {
      operationId: `revoke${name}`,
      summary: `Revoke a ${noun}`,
      description: 'The link stops working at once, on every node. Repeating it changes nothing.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const row = await own(request)
      const { share_id } = row
      const at = timestamp(clock.now())
      await transact(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('shares')
          .set({ revoked_at: at })
          .where('share_id', '=', share_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        await revokeLinks(trx, clock, { purpose: 'share', subject: share_id })
        await recordEvent(trx, {
          ...eventOf(caller, share_id),
          details: kitDetail(row),
          action: 'share.revoked',
        })
      })
      return reply.code(204).send()
    },
  })
}
