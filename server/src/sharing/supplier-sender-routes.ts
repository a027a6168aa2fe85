import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { makeSecret } from '../database/secret.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { mailStatuses } from '../deliveries/mail-status.ts'
import { workspaceOf } from '../http/caller.ts'
import type { LinkId } from '../runtime/identifiers.ts'
import type { RequestContext } from './request-context.ts'
import type { RequestView } from './request-queries.ts'
import { AddressBody, CodeBody, SenderBody } from './request-schemas.ts'
import { startDraft } from './start-draft.ts'
import {
  type Browser,
  codeMail,
  confirmCode,
  copyTo,
  readSender,
  saveSender,
  sendCode,
  type Sending,
} from './supplier-sender.ts'
import type { SupplierView } from './supplier-view.ts'

export const BROWSER_COOKIE = 'kitseal-sender'
/** As long as a draft. What the person said is forgotten then. */
const COOKIE_SECONDS = 30 * 24 * 60 * 60

/** Someone with the link of a request. */
export interface Visit {
  readonly view: RequestView
  readonly linkId: LinkId
  /** Whom the link was mailed to. Null for anyone's. */
  readonly recipient: string | null
  /** Undefined until the person has said something about themselves. */
  readonly browser: Browser | undefined
}

type OfToken = FastifyRequest<{ Params: { readonly token: string } }>

/** Below `/r/TOKEN`: who submits, and the code that confirms their address. */
export function registerSenderRoutes(
  scope: FastifyInstance,
  ctx: RequestContext,
  visitOf: (request: FastifyRequest) => Visit,
  show: (request: FastifyRequest, browser: Browser) => Promise<SupplierView>,
): void {
  /** Bound to this browser: someone else with the same link is someone else. */
  const sendingOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Sending> => {
    const { view, linkId, browser = makeSecret() } = visitOf(request)
    const submissionId = await startDraft(ctx, view.request_id, workspaceOf(request.caller))
    const { token } = (request as OfToken).params
    const secure = ctx.issuer().startsWith('https:') ? '; Secure' : ''
    const where = `Path=/r/${token}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${secure}`
    reply.header('set-cookie', `${BROWSER_COOKIE}=${browser.text}; ${where}`)
    return { browser, linkId, submissionId }
  }

  scope.put<{ Body: SenderBody }>('/sender', { schema: { body: SenderBody } }, async (request, reply) => {
    const sending = await sendingOf(request, reply)
    await transact(ctx.db, (trx) => saveSender(trx, ctx.clock, sending, request.body))
    return show(request, sending.browser)
  })

  scope.post<{ Body: AddressBody }>(
    '/sender/code',
    { schema: { body: AddressBody } },
    async (request, reply) => {
      const { view } = visitOf(request)
      const sending = await sendingOf(request, reply)
      const { address } = request.body
      await transact(ctx.db, (trx) => sendCode(trx, ctx, view, sending, address, request.ip))
      return reply.code(202).send(await show(request, sending.browser))
    },
  )

  scope.post<{ Body: CodeBody }>(
    '/sender/confirm',
    { schema: { body: CodeBody } },
    async (request, reply) => {
      const { view } = visitOf(request)
      const sending = await sendingOf(request, reply)
      await confirmCode(ctx, view, sending, request.body.code)
      return show(request, sending.browser)
    },
  )
}

/** What the page shows of the person in this browser, and of nobody else. */
export async function senderView(
  db: Db,
  mails: boolean,
  { view, linkId, recipient, browser }: Visit,
): Promise<SupplierView['sender']> {
  const { submission_id: submissionId } = view
  const row =
    browser === undefined || submissionId === null
      ? undefined
      : await readSender(db, { browser, linkId, submissionId })
  const waits = row !== undefined && row.address !== null && row.confirmed_at === null
  const dedupe = row === undefined ? '' : codeMail(row)
  const mail = waits ? (await mailStatuses(db, [dedupe])).get(dedupe) : undefined
  return {
    mails,
    recipient,
    name: row?.name ?? null,
    code: waits ? { address: row.address, mail: mail?.status ?? 'failed' } : null,
    confirmed: row?.confirmed_at == null ? null : row.address,
    seals_address: row?.seals_address === 1,
    wants_copy: row?.wants_copy === 1,
    copy_to: mails ? copyTo({ address: null, confirmed_at: null, ...row, recipient }) : null,
  }
}
