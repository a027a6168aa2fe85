import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { workspaceCaller } from '../access/plans.ts'
import { findLink } from '../database/links.ts'
import { workspaceRow } from '../database/questions.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { linkScope } from '../http/link-scope.ts'
import { asReturned, sends } from '../http/resource.ts'
import { register, route } from '../http/route.ts'
import { Line, SEVERAL_LINES_OF, Nullable } from '../http/schema-parts.ts'
import { kitNotFound } from '../kits/kit-routes.ts'
import { sendZip } from '../kits/send-kit.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { planLimits } from '../settings/plan.ts'
import { statusOf } from '../submissions/statuses.ts'
import { findingsOf } from '../submissions/submission.ts'
import { readSubmission } from '../submissions/submission-queries.ts'
import { getSubmission } from '../submissions/submission-routes.ts'
import { registerUploadRoutes } from '../submissions/upload-routes.ts'
import { nameSender, removeFile, startDraft } from './drafts.ts'
import { countComment, countUpload, countWrite, newestComments, remarksAfter } from './remarks.ts'
import { lockRequest, progressOf, requestRounds, requests, type RequestView, viewOf } from './request.ts'
import { ListedComment, otherFiles, shownItem } from './request-resource.ts'
import { type RequestContext } from './request-routes.ts'
import { addComment, answerItem, rejectDecided, SupplierAnswer } from './review-item.ts'

const SupplierComment = sends({ comment: Type.String({ ...SEVERAL_LINES_OF(2000), minLength: 1 }) })
/** What someone with the link says about themselves. */
const Sender = sends({ name: Nullable(Line(200)) })
const COMMENTS = 100

interface Linked {
  readonly id: EvidenceRequestId
  readonly recipient: string | null
}
const LINKS = new WeakMap<FastifyRequest, Linked>()

/** The request of the link in the path. */
function linked(request: FastifyRequest): Linked {
  const link = LINKS.get(request)
  if (link === undefined) throw new Error('this route has no link')
  return link
}

interface Call {
  readonly request: FastifyRequest
  readonly caller: FastifyRequest['caller']
}
const view = async (reader: Reader, { request }: Call): Promise<RequestView> =>
  viewOf(reader, await reader.own(requests).find(linked(request).id))
const locked = (unit: Unit, { request }: Call): Promise<RequestView> => lockRequest(unit, linked(request).id)

/** Not in the API's description. */
const returns = { returns: asReturned(Type.Object({})), responses: {} }

/** What the supplier sees of a request: nothing about the workspace but its name. */
async function shownTo(reader: Reader, call: Call): Promise<object> {
  const request = await view(reader, call)
  const { newest } = request
  const { name } = await workspaceRow(reader.db, request.workspace_id)
  const { upload_limit_bytes, unpacked_files, unpacked_limit_bytes, unpacked_ratio } = planLimits(
    workspaceOf(call.caller).plan,
  )
  const comments = await newestComments(reader, [request])
  const submission =
    newest === undefined || newest.status === 'EXPIRED'
      ? undefined
      : (await readSubmission(reader.db, newest.submission_id)).view
  return {
    title: request.title,
    message: request.message,
    /** The name of the workspace that asks. */
    requester: name,
    status: request.status,
    due_at: request.due_at,
    round: request.round,
    progress: progressOf(request.items),
    items: request.items.map((item) => shownItem(request, item, 'supplier', comments)),
    other_files: otherFiles(request),
    older_comments: comments.older,
    /** The newest round. Null until the supplier has started. */
    submission:
      submission === undefined
        ? null
        : {
            submission_id: submission.submission_id,
            status: statusOf(submission, reader.at),
            /** Whether files can be added and removed. */
            draft: newest?.status === 'DRAFT',
            findings: findingsOf(submission),
          },
    kit_id: request.kit_id,
    /** Of the plan of the requester, for the check in the browser. */
    limits: { upload_limit_bytes, unpacked_files, unpacked_limit_bytes, unpacked_ratio },
    boundary: BOUNDARY,
  }
}

/** /r/TOKEN, for a supplier without an account: the request, its draft and its kit. */
const supplierRoutes = [
  route('showRequest', 'GET /request', { ...returns, read: shownTo }),
  route('listSupplierComments', 'GET /comments.json', {
    ...returns,
    query: { after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) },
    async read(reader, { request, query }) {
      const of = { request_id: linked(request).id }
      const { rows, next } = await remarksAfter(reader, of, Number(query.after ?? 0), COMMENTS)
      return { comments: rows.map((row) => ListedComment.showItem(row)), next }
    },
  }),
  route('downloadSupplierKit', 'GET /kit.zip', {
    responses: {},
    async send(ctx: RequestContext, call, reply) {
      const { kit_id } = await ctx.units.read(workspaceOf(call.caller), (reader) => view(reader, call))
      const kit = kit_id === null ? undefined : await ctx.kits.find(kit_id)
      if (kit === undefined) throw kitNotFound()
      return sendZip(call.request, reply, kit, ctx)
    },
  }),
  route('startDraft', 'POST /draft', {
    ...returns,
    status: 201,
    async run(ctx: RequestContext, call) {
      const caller = workspaceOf(call.caller)
      await startDraft(ctx, await ctx.units.read(caller, (reader) => view(reader, call)), caller)
      return ctx.units.read(caller, (reader) => shownTo(reader, call))
    },
  }),
  route('removeSupplierFile', 'DELETE /files/:position', {
    handle: async (unit, call) => removeFile(unit, await locked(unit, call), Number(call.params.position)),
  }),
  route('commentAsSupplier', 'POST /items/:item_id/comments', {
    ...returns,
    status: 201,
    body: SupplierComment,
    async prepare(ctx: RequestContext, { request, body: { comment }, acting: { actor } }) {
      const place = linked(request).id
      if (actor.is === 'link') await countComment(ctx, { linkId: actor.linkId, place, text: comment })
    },
    async handle(unit, call) {
      const { recipient } = linked(call.request)
      await addComment(unit, await locked(unit, call), call.params.item_id, call.body.comment, {
        side: 'supplier',
        actor: workspaceOf(call.caller).actor,
        name: recipient ?? '',
        basis: recipient === null ? 'not_verified' : 'recipient',
      })
      return shownTo(unit, call)
    },
  }),
  route('answerItem', 'POST /items/:item_id/answer', {
    ...returns,
    status: 201,
    body: SupplierAnswer,
    async handle(unit, call) {
      await answerItem(unit, await locked(unit, call), call.params.item_id, call.body)
      return shownTo(unit, call)
    },
  }),
  route('nameSender', 'PUT /sender', {
    ...returns,
    body: Sender,
    async run(ctx: RequestContext, call) {
      const caller = workspaceOf(call.caller)
      const request = await ctx.units.read(caller, (reader) => view(reader, call))
      await startDraft(ctx, request, caller)
      await ctx.units.write(caller, 'name sender', async (unit) =>
        nameSender(unit, await locked(unit, call), call.body.name),
      )
      return ctx.units.read(caller, (reader) => shownTo(reader, call))
    },
  }),
]

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Files are uploaded with the routes of the API, which accept no other submission than the draft of this request. */
export function registerSupplierRoutes(app: FastifyInstance, ctx: RequestContext): void {
  linkScope(app, '/r/:token', (scope) => {
    scope.addHook('onRequest', async (request) => {
      const { token, submission_id } = request.params as Readonly<Record<string, string | undefined>>
      const link = await findLink(ctx.db, ctx.clock, 'request', token)
      if (link === undefined)
        throw new Refusal('link_not_found', 'This link has expired, or it was replaced. Ask for a new one.')
      // The supplier acts for the workspace of the requester.
      const actor = { is: 'link', linkId: link.link_id } as const
      const caller: WorkspaceCaller = await workspaceCaller(ctx.db, link.workspace_id, actor)
      Object.defineProperty(request, 'caller', { value: caller })
      LINKS.set(request, { id: link.subject_id as EvidenceRequestId, recipient: link.recipient })
      if (submission_id === undefined && READS.has(request.method)) return
      const { found, current } = await ctx.units.read(caller, async (reader) => {
        const row = await reader.own(requests).find(link.subject_id)
        const { request_id, round } = row
        return { found: row, current: await reader.rows(requestRounds, { request_id, round }).first() }
      })
      if (submission_id !== undefined && submission_id !== current?.submission_id)
        throw new Refusal('submission_not_found', 'This link does not give access to that submission.')
      if (READS.has(request.method)) return
      const isUpload = submission_id !== undefined || request.url.includes('/v1/')
      await (isUpload ? countUpload : countWrite)(ctx, link.link_id)
      if (found.closed_at !== null) rejectDecided({ status: 'closed' })
      if (found.settled) rejectDecided({ status: 'accepted' })
    })
    register(scope, [...supplierRoutes, getSubmission], ctx)
    registerUploadRoutes(scope, ctx)
  })
}
