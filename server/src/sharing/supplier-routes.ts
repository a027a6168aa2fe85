import { asLine } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { SenderBody, SupplierAnswer, SupplierComment } from './request-schemas.ts'
import { kitNotFound } from '../kits/kit-routes.ts'
import { sendZip } from '../kits/send-zip.ts'
import { linkScope } from '../http/link-scope.ts'
import { findLink } from '../database/links.ts'
import { workspaceCaller } from '../access/plan-rows.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import { registerEvidenceRoutes } from '../submissions/evidence-routes.ts'
import type { ReceivedFact } from '../submissions/received-facts.ts'
import { removeEvidence } from '../submissions/remove-evidence.ts'
import type { AdmittedTo } from '../submissions/submission-context.ts'
import { registerSubmissionRoute } from '../submissions/submission-routes.ts'
import { registerUploadRoutes } from '../submissions/upload-routes.ts'
import type { RequestContext } from './request-context.ts'
import { countComment, countUpload, countWrite } from './count-write.ts'
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
import { type SupplierView, supplierView } from './supplier-view.ts'

const REQUESTS = new WeakMap<FastifyRequest, RequestView>()

/** The request of the link in the path. */
function requestOf(request: FastifyRequest): RequestView {
  const view = REQUESTS.get(request)
  if (view === undefined) throw new Error('this route has no link')
  return view
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * /r/TOKEN, for a supplier without an account: the request, its draft and its kit. Files are uploaded with the routes of
 * the API, which accept no other submission than the draft of this request.
 */
export function registerSupplierRoutes(app: FastifyInstance, ctx: RequestContext): void {
  const show = async (request: FastifyRequest): Promise<SupplierView> => {
    const view = await readRequest(ctx.db, requestOf(request).request_id)
    if (view === undefined) throw linkNotFound()
    return supplierView(ctx.db, view, workspaceOf(request.caller).plan, timestamp(ctx.clock.now()))
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
      if (!READS.has(request.method)) {
        const isUpload = submission_id !== undefined || request.url.includes('/v1/')
        await (isUpload ? countUpload : countWrite)(ctx, link.link_id)
        rejectDecided(view)
      }
      // The supplier acts for the workspace of the requester.
      const actor = { is: 'link', linkId: link.link_id } as const
      const value = await workspaceCaller(ctx.db, view.workspace_id, actor)
      Object.defineProperty(request, 'caller', { value })
      REQUESTS.set(request, view)
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
        const place = requestOf(request).request_id
        if (actor.is === 'link') await countComment(ctx, { linkId: actor.linkId, place, text: comment })
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

    scope.put<{ Body: SenderBody }>('/sender', { schema: { body: SenderBody } }, async (request) => {
      const submissionId = await startDraft(ctx, requestOf(request).request_id, workspaceOf(request.caller))
      await nameSender(ctx.db, submissionId, request.body.name)
      return show(request)
    })

    registerSubmissionRoute(scope, ctx)
    const locked = { ...ctx, admit: rejectLockedNames }
    registerEvidenceRoutes(scope, locked)
    registerUploadRoutes(scope, locked)
  })
}

/** Who submits the draft, as stated by someone with the link. */
async function nameSender(db: Db, submissionId: SubmissionId, name: string | null): Promise<void> {
  const line = name === null ? undefined : asLine(name, 200)
  const fact: ReceivedFact | undefined =
    line === undefined ? undefined : { source: 'supplier', statement: 'stated', name: line }
  await db
    .updateTable('request_rounds')
    .set({ sender: fact === undefined ? null : JSON.stringify([fact]) })
    .where('submission_id', '=', submissionId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('submissions')
          .select('submissions.submission_id')
          .where('submissions.submission_id', '=', submissionId)
          .where('submissions.status', '=', 'DRAFT'),
      ),
    )
    .execute()
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
