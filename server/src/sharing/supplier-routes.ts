import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { SupplierAnswer, SupplierComment } from './request-schemas.ts'
import { kitNotFound } from '../kits/kit-routes.ts'
import { sendZip } from '../kits/send-zip.ts'
import { linkScope } from '../http/link-scope.ts'
import { findLink } from '../database/links.ts'
import { readSecret } from '../database/secret.ts'
import { workspaceCaller } from '../access/plan-rows.ts'
import { Refusal } from '../refusals.ts'
import { registerEvidenceRoutes } from '../submissions/evidence-routes.ts'
import { removeEvidence } from '../submissions/remove-evidence.ts'
import type { AdmittedTo } from '../submissions/submission-context.ts'
import { registerSubmissionRoute } from '../submissions/submission-routes.ts'
import { registerUploadRoutes } from '../submissions/upload-routes.ts'
import type { RequestContext } from './request-context.ts'
import { itemOfFile } from './request.ts'
import {
  itemsOf,
  lockRequest,
  readRequest,
  requestOfSubmission,
  type RequestView,
} from './request-queries.ts'
import { addComment, answerItem } from './review-item.ts'
import { rejectDecided, rejectLocked, startDraft } from './start-draft.ts'
import { cookieOf } from './open-share.ts'
import { type Browser, recordSender } from './supplier-sender.ts'
import { BROWSER_COOKIE, registerSenderRoutes, senderView, type Visit } from './supplier-sender-routes.ts'
import { type SupplierView, supplierView } from './supplier-view.ts'

const VISITS = new WeakMap<FastifyRequest, Visit>()

function visitOf(request: FastifyRequest): Visit {
  const visit = VISITS.get(request)
  if (visit === undefined) throw new Error('this route has no link')
  return visit
}

/** The request of the link in the path. */
const requestOf = (request: FastifyRequest): RequestView => visitOf(request).view

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * /r/TOKEN, for a supplier without an account: the request, its draft and its kit. Files are uploaded with the routes of
 * the API, which accept no other submission than the draft of this request.
 */
export function registerSupplierRoutes(app: FastifyInstance, ctx: RequestContext): void {
  const show = async (request: FastifyRequest, browser?: Browser): Promise<SupplierView> => {
    const visit = visitOf(request)
    const view = await readRequest(ctx.db, visit.view.request_id)
    if (view === undefined) throw linkNotFound()
    const now = { ...visit, view, browser: browser ?? visit.browser }
    const sender = await senderView(ctx.db, ctx.mail.isOn, now)
    return supplierView(ctx.db, view, workspaceOf(request.caller).plan, timestamp(ctx.clock.now()), sender)
  }

  linkScope(app, '/r/:token', (scope) => {
    scope.addHook('onRequest', async (request) => {
      const { token, submission_id } = request.params as Readonly<Record<string, string | undefined>>
      const link = await findLink(ctx.db, ctx.clock, 'request', token)
      const view =
        link === undefined
          ? undefined
          : await readRequest(ctx.db, link.subject_id as RequestView['request_id'])
      if (link === undefined || view === undefined) throw linkNotFound()
      if (submission_id !== undefined && submission_id !== view.submission_id)
        throw new Refusal('submission_not_found', 'This link does not give access to that submission.')
      if (!READS.has(request.method)) rejectDecided(view)
      const browser = browserIn(request)
      // The supplier acts for the workspace of the requester.
      const actor = { is: 'link', linkId: link.link_id } as const
      const caller = await workspaceCaller(ctx.db, view.workspace_id, actor)
      const value = { ...caller, browserSha256: browser?.sha256 }
      Object.defineProperty(request, 'caller', { value })
      VISITS.set(request, { view, linkId: link.link_id, recipient: link.recipient, browser })
    })

    scope.get('/request', (request) => show(request))

    scope.post('/draft', async (request, reply) => {
      await startDraft(ctx, requestOf(request).request_id, workspaceOf(request.caller))
      return reply.code(201).send(await show(request))
    })

    scope.delete<{ Params: { readonly position: string } }>('/files/:position', async (request, reply) => {
      await transact(ctx.db, (trx) => removeFile(trx, request, ctx.clock.now()))
      return reply.code(204).send()
    })

    scope.post<{ Params: { readonly item_id: string }; Body: SupplierComment }>(
      '/items/:item_id/comments',
      { schema: { body: SupplierComment } },
      async (request, reply) => {
        const { item_id: itemId } = request.params
        const { comment } = request.body
        const { actor } = workspaceOf(request.caller)
        await transact(ctx.db, async (trx) => {
          const view = await lockRequest(trx, requestOf(request).request_id)
          await addComment(trx, ctx, view, { itemId, author: 'supplier', comment }, actor)
        })
        return reply.code(201).send(await show(request))
      },
    )

    scope.post<{ Params: { readonly item_id: string }; Body: SupplierAnswer }>(
      '/items/:item_id/answer',
      { schema: { body: SupplierAnswer } },
      async (request, reply) => {
        await transact(ctx.db, async (trx) => {
          const view = await lockRequest(trx, requestOf(request).request_id)
          const { actor } = workspaceOf(request.caller)
          await answerItem(trx, ctx, view, request.params.item_id, request.body, actor)
        })
        return reply.code(201).send(await show(request))
      },
    )

    scope.route({
      method: ['GET', 'HEAD'],
      url: '/kit.zip',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { kit_id } = requestOf(request)
        const kit = kit_id === null ? undefined : await ctx.kits.find(kit_id)
        if (kit === undefined) throw kitNotFound()
        return sendZip(request, reply, kit, ctx)
      },
    })

    registerSenderRoutes(scope, ctx, visitOf, show)
    registerSubmissionRoute(scope, ctx)
    const locked = { ...ctx, admit: rejectLockedNames, submitting: recordSender }
    registerEvidenceRoutes(scope, locked)
    registerUploadRoutes(scope, locked)
  })
}

function browserIn(request: FastifyRequest): Browser | undefined {
  const text = cookieOf(request, BROWSER_COOKIE)
  const sha256 = readSecret(text)
  return text === undefined || sha256 === undefined ? undefined : { text, sha256 }
}

/** An item that the requester has decided on keeps its files. */
async function removeFile(
  trx: Db,
  request: FastifyRequest<{ Params: { readonly position: string } }>,
  nowMs: number,
): Promise<void> {
  const view = await lockRequest(trx, requestOf(request).request_id)
  rejectDecided(view)
  const position = Number(request.params.position)
  const { submission_id } = view
  const file =
    submission_id === null || !Number.isSafeInteger(position)
      ? undefined
      : await trx
          .selectFrom('evidence')
          .select('name')
          .where('submission_id', '=', submission_id)
          .where('position', '=', position)
          .executeTakeFirst()
  if (submission_id === null || file === undefined)
    throw new Refusal('evidence_invalid', 'The draft has no file at this position.')
  rejectLocked(itemOfFile(await itemsOf(trx, view.request_id), file.name))
  await removeEvidence(trx, submission_id, position, nowMs)
}

async function rejectLockedNames(
  db: Db,
  { submission_id }: AdmittedTo,
  names: readonly string[],
): Promise<void> {
  const requestId = await requestOfSubmission(db, submission_id)
  const items = requestId === undefined ? [] : await itemsOf(db, requestId)
  for (const name of names) rejectLocked(itemOfFile(items, name))
}

const linkNotFound = (): Refusal =>
  new Refusal('link_not_found', 'This link has expired, or it was replaced. Ask for a new one.')
