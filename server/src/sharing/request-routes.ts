import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { idempotencyKey, runOnce } from '../http/idempotency.ts'
import { checkCursor, listPage, PageQuery } from '../http/page-query.ts'
import {
  type EvidenceRequest,
  type EvidenceRequestList,
  ItemReview,
  NewRequest,
  RequestChange,
  RequestCopy,
  NewRequestLink,
  type RequestLink,
  REQUEST_STATUSES,
} from './request-schemas.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { OneOf } from '../http/text-schemas.ts'
import { validateRequest } from '../http/validate-request.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { revokeLinks } from '../database/links.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { changeRequest } from './change-request.ts'
import { closeRequest } from './close-request.ts'
import { copyRequest } from './copy-request.ts'
import {
  checkNewRequest,
  checkRequest,
  createRequest,
  itemsAsked,
  type Requester,
  requesterOf,
} from './create-request.ts'
import { recipientsOf, requestRecord, requestSummary } from './request.ts'
import type { RequestContext } from './request-context.ts'
import { createRequestLink } from './request-links.ts'
import { mailReminder, mailRequest } from './request-mail.ts'
import { requestMails } from './request-mail-status.ts'
import {
  findRequest,
  itemStatuses,
  listRequests,
  lockRequest,
  readParts,
  type RequestPage,
  type RequestView,
} from './request-queries.ts'
import { acceptAll, reviewItem } from './review-item.ts'
import { Closed } from '../http/schema-parts.ts'

/** 500 items with descriptions. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024
const ItemParams = Type.Object({
  evidence_request_id: Type.String(),
  item_id: Type.String({ description: '`id` of the item.' }),
})
type OfRequest = { Params: { readonly evidence_request_id: string } }
type OfItem = { Params: { readonly evidence_request_id: string; readonly item_id: string } }

const RequestQuery = Closed({ ...PageQuery.properties, status: Type.Optional(OneOf(REQUEST_STATUSES)) })
type RequestQuery = Static<typeof RequestQuery>

const Empty = Closed({})
const ONCE = idempotencyHeader(
  'A retry with the same key within 24 hours creates no second request, and returns a new link to the first.',
)

/** /v1/requests, for the requester. The supplier uses the link: see supplier-routes.ts. */
export function registerRequestRoutes(app: FastifyInstance, ctx: RequestContext): void {
  /** Changes the request of a route, which is locked, and returns it. */
  const change = async (
    request: FastifyRequest<OfRequest>,
    work: (trx: Db, view: RequestView, requester: Requester) => Promise<void>,
  ): Promise<EvidenceRequest> =>
    changing(request, async (trx, view, requester) => {
      await work(trx, view, requester)
      return record(trx, request, view.request_id)
    })
  const changing = <Answer>(
    request: FastifyRequest<OfRequest>,
    work: (trx: Db, view: RequestView, requester: Requester) => Promise<Answer>,
  ): Promise<Answer> =>
    transact(ctx.db, async (trx) => {
      const requester = requesterOf(request)
      const { request_id } = await findRequest(trx, requester.workspaceId, request.params.evidence_request_id)
      return work(trx, await lockRequest(trx, request_id), requester)
    })
  const revokeAll = async (
    trx: Db,
    { request_id: subject }: RequestView,
    { workspaceId, actor }: Requester,
  ): Promise<void> => {
    const links = await revokeLinks(trx, ctx.clock, { purpose: 'request', subject })
    const event = { workspaceId, actor, subject, at: timestamp(ctx.clock.now()) } as const
    await recordEvent(trx, { ...event, action: 'request.links_revoked', details: { links } })
  }

  /** Creates a request once per Idempotency-Key. The link is not stored, so a retry gets another one. */
  const create = async (
    request: FastifyRequest,
    body: JsonValue,
    work: (trx: Db, requester: Requester) => Promise<EvidenceRequestId>,
  ): Promise<EvidenceRequest> => {
    const requester = requesterOf(request)
    const once = idempotencyKey(request, body)
    const insert = async (trx: Db) => {
      const made = await work(trx, requester)
      await mailRequest(trx, ctx, made)
      return { status: 201, body: made }
    }
    const { body: id } = await runOnce(ctx.db, ctx.clock, once, insert)
    return transact(ctx.db, async (trx) => {
      const view = await findRequest(trx, requester.workspaceId, id)
      const { url, expires_at } = await createRequestLink(trx, ctx, view, requester)
      return { ...(await record(trx, request, id)), link: { url, expires_at } }
    })
  }

  app.route<{ Body: NewRequest }>({
    method: 'POST',
    url: '/v1/requests',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'createRequest',
      summary: 'Create a request',
      description:
        'Asks a supplier for evidence, item by item. The response has a link for the supplier, who needs no account. It is shown once.',
      headers: ONCE,
      body: ref('NewRequest'),
      response: { 201: ref('EvidenceRequest'), ...errors(400, 401, 403, 409, 413, 415, 429, 503) },
    },
    validatorCompiler: validateRequest({ body: checkNewRequest, named: { NewRequest } }),
    handler: async (request, reply) => {
      const { workspaceId } = workspaceOf(request.caller)
      const asked = await itemsAsked(request.body, workspaceId, ctx.findProfile)
      const made = await create(request, request.body as JsonValue, (trx, requester) =>
        createRequest(trx, ctx, asked, requester),
      )
      return reply.code(201).header('location', `/v1/requests/${made.evidence_request_id}`).send(made)
    },
  })

  app.route<{ Querystring: RequestQuery }>({
    method: 'GET',
    url: '/v1/requests',
    validatorCompiler: validateRequest({ querystring: checkCursor('requests') }),
    schema: {
      operationId: 'listRequests',
      summary: 'List requests, newest first',
      description: 'Newest first. If `next_cursor` is not null, there are more.',
      querystring: RequestQuery,
      response: { 200: ref('EvidenceRequestList'), ...errors(400, 401, 403, 429) },
    },
    handler: async (request): Promise<EvidenceRequestList> => {
      const { workspaceId } = workspaceOf(request.caller)
      const { status } = request.query
      const read = async (bounds: RequestPage) => {
        const views = await listRequests(ctx.db, workspaceId, { ...bounds, status })
        const statuses = await itemStatuses(
          ctx.db,
          views.map(({ request_id }) => request_id),
        )
        return views.map((view) => {
          const items = statuses.get(view.request_id) ?? []
          return Object.assign({ statuses: items.map((item) => item.status) }, view)
        })
      }
      return listPage('requests', request.query, read, (view) => requestSummary(view, view.statuses))
    },
  })

  app.route<OfRequest>({
    method: 'GET',
    url: '/v1/requests/:evidence_request_id',
    schema: {
      operationId: 'getRequest',
      summary: 'Get a request',
      description: 'With its items, the files of the newest round, and the comments.',
      response: { 200: ref('EvidenceRequest'), ...errors(401, 403, 404, 429) },
    },
    handler: (request) => record(ctx.db, request, request.params.evidence_request_id),
  })

  app.route<OfRequest & { Body: RequestChange }>({
    method: 'PATCH',
    url: '/v1/requests/:evidence_request_id',
    schema: {
      operationId: 'changeRequest',
      summary: 'Change a request',
      description: 'Members that are left out stay as they are. The items do not change.',
      body: RequestChange,
      response: { 200: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    validatorCompiler: validateRequest({ body: checkRequest }),
    handler: (request) =>
      change(request, (trx, view, requester) => changeRequest(trx, ctx, view, request.body, requester)),
  })

  app.route<OfRequest & { Body: RequestCopy }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/copy',
    schema: {
      operationId: 'copyRequest',
      summary: 'Copy a request',
      description:
        'Asks for the same items again, with nothing received. Due dates of items move with that of the request.',
      headers: ONCE,
      body: RequestCopy,
      response: { 201: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    validatorCompiler: validateRequest({ body: checkRequest }),
    handler: async (request, reply) => {
      const { workspaceId } = workspaceOf(request.caller)
      const { request_id } = await findRequest(ctx.db, workspaceId, request.params.evidence_request_id)
      const made = await create(request, [request_id, request.body as JsonValue], async (trx, requester) =>
        copyRequest(trx, ctx, await lockRequest(trx, request_id), request.body, requester),
      )
      return reply.code(201).header('location', `/v1/requests/${made.evidence_request_id}`).send(made)
    },
  })

  app.route<OfRequest & { Body: NewRequestLink }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/links',
    schema: {
      operationId: 'createRequestLink',
      summary: 'Create a link for the supplier',
      description:
        'Links that were created before keep working. With `replace`, they stop working at once, also those in mails.',
      body: NewRequestLink,
      response: { 200: ref('RequestLink'), ...errors(400, 401, 403, 404, 409, 415, 429) },
    },
    handler: (request): Promise<RequestLink> =>
      changing(request, async (trx, view, requester) => {
        if (view.status === 'closed') throw closed()
        if (request.body.replace === true) await revokeAll(trx, view, requester)
        return createRequestLink(trx, ctx, view, requester)
      }),
  })

  app.route<OfRequest>({
    method: 'DELETE',
    url: '/v1/requests/:evidence_request_id/links',
    schema: {
      operationId: 'revokeRequestLinks',
      summary: 'Revoke the links of a request',
      description: 'Every link that was created so far stops working at once.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      await changing(request, revokeAll)
      return reply.code(204).send()
    },
  })

  app.route<OfRequest & { Body: object }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/remind',
    schema: {
      operationId: 'remindSupplier',
      summary: 'Remind the supplier',
      description:
        'Queues a mail to each recipient, with a link of its own; earlier links keep working. `mails` of the response says what ' +
        'became of each. `mail_off` if the service has no mail server: then send a link yourself.',
      body: Empty,
      response: { 200: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 409, 415, 429) },
    },
    handler: (request) =>
      change(request, async (trx, view, { workspaceId, actor }) => {
        if (view.status === 'closed') throw closed()
        if (!ctx.mail.isOn)
          throw new Refusal('mail_off', 'This service sends no mail. Create a link and send it yourself.')
        if (recipientsOf(view).length === 0)
          throw new Refusal('request_without_recipients', 'This request has no recipients to remind.')
        const { request_id: subject } = view
        const at = timestamp(ctx.clock.now())
        await recordEvent(trx, { workspaceId, actor, action: 'request.reminded', subject, at })
        await mailReminder(trx, ctx, subject)
      }),
  })

  app.route<OfItem & { Body: ItemReview }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/items/:item_id',
    schema: {
      operationId: 'reviewItem',
      summary: 'Review an item, or comment on it',
      description:
        '`accepted` needs submitted files. `needs_changes` reopens this item: the supplier can send files again, which gives a new ' +
        'kit. `not_applicable` needs a reason. `to_review` takes a review back until it is sealed in a kit.',
      params: ItemParams,
      body: ItemReview,
      response: { 200: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    validatorCompiler: validateRequest({
      body: ({ status, comment }) =>
        status === undefined && comment === undefined
          ? [{ param: 'status', text: 'send status or comment' }]
          : [],
    }),
    handler: (request) =>
      change(request, (trx, view) =>
        reviewItem(trx, ctx, view, request.params.item_id, request.body, workspaceOf(request.caller).actor),
      ),
  })

  app.route<OfRequest & { Body: object }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/accept',
    schema: {
      operationId: 'acceptRequest',
      summary: 'Accept every item with files to review',
      description:
        'Items without files, and those that were sent back, stay as they are. The response has the status of each.',
      body: Empty,
      response: { 200: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 409, 415, 429) },
    },
    handler: (request) =>
      change(request, (trx, view) => acceptAll(trx, ctx, view, workspaceOf(request.caller).actor)),
  })

  app.route<OfRequest & { Body: object }>({
    method: 'POST',
    url: '/v1/requests/:evidence_request_id/close',
    schema: {
      operationId: 'closeRequest',
      summary: 'Close a request',
      description: 'The supplier can still read it and download the kit.',
      body: Empty,
      response: { 200: ref('EvidenceRequest'), ...errors(400, 401, 403, 404, 415, 429) },
    },
    handler: (request) => change(request, (trx, view, requester) => closeRequest(trx, ctx, view, requester)),
  })
}

const closed = (): Refusal => new Refusal('request_not_open', 'This request is closed.')

const record = async (db: Db, request: FastifyRequest, id: string): Promise<EvidenceRequest> => {
  const view = await findRequest(db, workspaceOf(request.caller).workspaceId, id)
  return requestRecord(view, await readParts(db, view), await requestMails(db, view))
}
