// docs/decisions/0401
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
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { createShare, prepareChange, prepareShare, replaceLink, type WithLinks } from './create-share.ts'
import { readRecipients, recipientsAsked } from './share-recipients.ts'
import { type ShareContext, shareRecord, type ShareRow, sharesWithReceipts } from './share.ts'
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
type OfShare = { Params: { readonly share_id: string } }

/** Create, list, get and revoke shares, and read their access logs. */
export function registerShareRoutes(app: FastifyInstance, ctx: ShareContext): void {
  const { db, clock } = ctx

  /** A share of another workspace is reported as not found. */
  const own = async (request: FastifyRequest<OfShare>): Promise<ShareRow> => {
    const { workspaceId } = workspaceOf(request.caller)
    const row = await sharesWithReceipts(db)
      .where('share_id', '=', request.params.share_id as ShareId)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    if (row === undefined) throw new Refusal('share_not_found', 'Share not found in this workspace.')
    return row
  }

  const notRevoked = async (request: FastifyRequest<OfShare>): Promise<ShareRow> => {
    const row = await own(request)
    if (row.revoked_at !== null)
      throw new Refusal('share_revoked', 'This share is revoked. Create another one.')
    return row
  }

  const recordOf = async (row: ShareRow): Promise<Share> =>
    shareRecord(row, clock, (await readRecipients(db, [row.share_id])).get(row.share_id))

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
      ({ share_id }) => `/v1/shares/${share_id}`,
    )

  app.route<{ Body: ShareRequest }>({
    method: 'POST',
    url: '/v1/shares',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'createShare',
      summary: 'Share a kit',
      description:
        'Creates a link for someone without an account. `url` is in this response only: the service stores a hash of it. With `paths`, the recipient sees only these files, each with its file proof. With `recipients`, each of them gets a link of their own by mail and there is no other link; if the service sends no mail, their links are in the response.',
      headers: idempotencyHeader(
        'A retry with the same key within 24 hours creates no second share. Its response has no `url`, because the link is not stored.',
      ),
      body: ref('ShareRequest'),
      response: { 201: ref('Share'), ...errors(400, 401, 403, 404, 409, 410, 413, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const prepared = await prepareShare(ctx, request.body, caller)
      return shareOnce(request, reply, (trx) => createShare(trx, ctx, prepared, caller))
    },
  })

  app.route<{ Querystring: Static<typeof ListQuery> }>({
    method: 'GET',
    url: '/v1/shares',
    validatorCompiler: validateRequest({ querystring: checkCursor('shares') }),
    schema: {
      operationId: 'listShares',
      summary: 'List shares, newest first',
      description: 'Newest first. If `next_cursor` is not null, there are more.',
      querystring: ListQuery,
      response: { 200: ref('ShareList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<ShareList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const page = pageOf('shares', request.query)
      const { kit_id } = request.query
      let rows = sharesWithReceipts(db)
        .where('workspace_id', '=', workspaceId)
        .where('sequence', '<', page.before)
      if (kit_id !== undefined) rows = rows.where('shares.kit_id', '=', kit_id as KitId)
      const { shown, next } = cut(
        await rows
          .orderBy('sequence', 'desc')
          .limit(page.limit + 1)
          .execute(),
        page,
      )
      const recipients = await readRecipients(
        db,
        shown.map(({ share_id }) => share_id),
      )
      const shares = shown.map((row) => shareRecord(row, clock, recipients.get(row.share_id)))
      return listResponse(shares, next)
    },
  })

  app.route<OfShare>({
    method: 'GET',
    url: '/v1/shares/:share_id',
    schema: {
      operationId: 'getShare',
      summary: 'Get a share',
      description: 'Its link, its limits, and how often it was used.',
      response: { 200: ref('Share'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request): Promise<Share> => {
      return recordOf(await own(request))
    },
  })

  app.route<OfShare & { Querystring: PageQuery }>({
    method: 'GET',
    url: '/v1/shares/:share_id/accesses',
    validatorCompiler: validateRequest({ querystring: checkCursor('accesses') }),
    schema: {
      operationId: 'listShareAccesses',
      summary: 'Get the access log of a share',
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
        .select(['sequence', 'at as created_at', 'kind', 'name', 'address', 'links.recipient'])
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
    url: '/v1/shares/:share_id',
    schema: {
      operationId: 'changeShare',
      summary: 'Change a share',
      description:
        'Changes expiry, password or download limit. Its links stay the same. A new password is asked for at once; a revoked share stays revoked.',
      body: ref('ShareChange'),
      response: { 200: ref('Share'), ...errors(400, 401, 403, 404, 410, 415, 429) },
    },
    handler: async (request): Promise<Share> => {
      const caller = workspaceOf(request.caller)
      const { share_id, kit_id } = await notRevoked(request)
      const columns = await prepareChange(ctx, request.body)
      const { password, ...others } = columns
      const details = {
        kit_id,
        ...others,
        ...(password === undefined ? {} : { has_password: password !== null }),
      }
      if (Object.keys(columns).length > 0)
        await transact(db, async (trx) => {
          await trx.updateTable('shares').set(columns).where('share_id', '=', share_id).execute()
          await recordEvent(trx, { ...eventOf(caller, share_id), details, action: 'share.changed' })
        })
      return recordOf(await own(request))
    },
  })

  app.route<OfShare & { Body: ShareLinkRequest }>({
    method: 'POST',
    url: '/v1/shares/:share_id/links',
    schema: {
      operationId: 'createShareLink',
      summary: 'Create or replace a link of a share',
      description:
        'A new link for one recipient, who is added if the share has no such recipient, or for anyone. Their former link stops working. The link is mailed; if the service sends no mail, it is in this response only.',
      headers: idempotencyHeader('A retry with the same key within 24 hours creates no second link.'),
      body: ref('ShareLinkRequest'),
      response: { 201: ref('Share'), ...errors(400, 401, 403, 404, 409, 410, 415, 429, 503) },
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
    url: '/v1/shares/:share_id/links',
    schema: {
      operationId: 'revokeShareLink',
      summary: 'Revoke the link of one recipient',
      description: 'It stops working at once, on every node. The other links of the share stay.',
      querystring: LinkQuery,
      response: { ...deleted, ...errors(400, 401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { share_id, kit_id } = await own(request)
      const { recipient = null } = request.query
      await transact(db, async (trx) => {
        if ((await revokeLinks(trx, clock, { purpose: 'share', subject: share_id, recipient })) === 0) return
        const details = { kit_id, recipient }
        await recordEvent(trx, { ...eventOf(caller, share_id), details, action: 'share.link_revoked' })
      })
      return reply.code(204).send()
    },
  })

  app.route<OfShare>({
    method: 'DELETE',
    url: '/v1/shares/:share_id',
    schema: {
      operationId: 'revokeShare',
      summary: 'Revoke a share',
      description: 'The link stops working at once, on every node. Repeating it changes nothing.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { share_id, kit_id } = await own(request)
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
        await recordEvent(trx, { ...eventOf(caller, share_id), details: { kit_id }, action: 'share.revoked' })
      })
      return reply.code(204).send()
    },
  })
}
