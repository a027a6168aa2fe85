import type { Message } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { RequestContext } from './request-context.ts'
import { type Review, UNFINISHED } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { EvidenceRequestId, MemberId, SubmissionId } from '../runtime/identifiers.ts'
import { createLink } from '../database/links.ts'
import { phrase } from '../deliveries/mail-templates.ts'
import { readersOf } from '../deliveries/workspace-mail.ts'
import { recipientsOf } from './request.ts'
import { linkEnd } from './request-links.ts'
import {
  itemsOf,
  lockRequest,
  openRequests,
  readRequest,
  requestOfSubmission,
  type RequestView,
} from './request-queries.ts'

export type RequestMailContext = Pick<RequestContext, 'clock' | 'identifiers' | 'mail'>

/** Mails a new request. Each recipient gets a link of their own. */
export async function mailRequest(trx: Db, ctx: RequestMailContext, id: EvidenceRequestId): Promise<void> {
  const view = await mailed(trx, ctx, id)
  if (view === undefined) return
  const { workspace } = await readersOf(trx, view.workspace_id)
  const { length: items } = await itemsOf(trx, id)
  await toEach(trx, ctx, view, async (to, link) => {
    const data = {
      workspace,
      title: view.title,
      message: view.message ?? '',
      items: String(items),
      due: dueText(view),
      link,
    }
    const dedupe = requestMail(id, to)
    await ctx.mail.send(trx, { to, workspaceId: view.workspace_id, template: 'request', data, dedupe })
  })
}

export const requestMail = (id: EvidenceRequestId, to: string): string => `request ${id} ${to}`
export const reminderMail = (id: EvidenceRequestId, at: string, to: string): string =>
  `reminder ${id} ${at} ${to}`

/** Records a reminder, and mails it with the items that are missing. Earlier links keep working. */
export async function mailReminder(trx: Db, ctx: RequestMailContext, id: EvidenceRequestId): Promise<void> {
  const at = timestamp(ctx.clock.now())
  await trx.updateTable('requests').set({ reminded_at: at }).where('request_id', '=', id).execute()
  const view = await mailed(trx, ctx, id)
  if (view === undefined) return
  const { workspace } = await readersOf(trx, view.workspace_id)
  const items = await itemsOf(trx, id)
  const open = items.filter(({ status }) => UNFINISHED.has(status))
  const data = {
    workspace,
    title: view.title,
    when: whenText(view, ctx.clock.now()),
    due: dueText(view),
    open: open.map(({ title }) => title).join(', '),
  }
  await toEach(trx, ctx, view, (to, link) =>
    ctx.mail.send(trx, {
      to,
      workspaceId: view.workspace_id,
      template: 'reminder',
      data: { ...data, link },
      dedupe: reminderMail(id, at, to),
    }),
  )
}

/** Tells the supplier what the requester said: everything is accepted, or an item needs changes. */
export async function mailReview(
  trx: Db,
  ctx: RequestMailContext,
  id: EvidenceRequestId,
  review: Review,
): Promise<void> {
  const view = await mailed(trx, ctx, id)
  // One item of several that is accepted is no news.
  if (view === undefined || (review !== 'needs_changes' && view.status !== 'accepted')) return
  const { workspace } = await readersOf(trx, view.workspace_id)
  const data =
    review === 'needs_changes'
      ? { result: phrase('mail.phrase.needsChanges'), advice: phrase('mail.phrase.seeComments') }
      : { result: phrase('mail.phrase.accepted'), advice: phrase('mail.phrase.nothingLeft') }
  await toEach(trx, ctx, view, (to, link) =>
    ctx.mail.send(trx, {
      to,
      workspaceId: view.workspace_id,
      template: 'result',
      data: { workspace, title: view.title, ...data, link },
      dedupe: `review ${id} ${view.round} ${review} ${to}`,
    }),
  )
}

/** Tells the supplier that nothing can be sent any more, because the period was sealed that the request was for. */
export async function mailClosed(
  trx: Db,
  ctx: RequestMailContext,
  id: EvidenceRequestId,
  period: string,
): Promise<void> {
  const view = await mailed(trx, ctx, id)
  if (view === undefined) return
  const { workspace } = await readersOf(trx, view.workspace_id)
  const result = phrase('mail.phrase.closed', { period })
  const advice = phrase('mail.phrase.notInKit')
  await toEach(trx, ctx, view, (to, link) =>
    ctx.mail.send(trx, {
      to,
      workspaceId: view.workspace_id,
      template: 'result',
      data: { workspace, title: view.title, result, advice, link },
      dedupe: `closed ${id} ${to}`,
    }),
  )
}

/** Tells the requester that a round was submitted, with the kit of the submission. */
export async function mailSubmitted(
  trx: Db,
  ctx: Pick<RequestContext, 'mail'>,
  submissionId: SubmissionId,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const id = await requestOfSubmission(trx, submissionId)
  const view = id === undefined ? undefined : await readRequest(trx, id)
  if (view === undefined) return
  const { workspace, owners } = await readersOf(trx, view.workspace_id)
  const creator = await creatorOf(trx, view)
  for (const to of creator === undefined ? owners : [creator])
    await ctx.mail.send(trx, {
      to,
      workspaceId: view.workspace_id,
      template: 'result',
      data: {
        workspace,
        title: view.title,
        result: phrase('mail.phrase.submitted'),
        advice: phrase('mail.phrase.acceptOrReturn'),
        link: `/console/requests/${view.request_id}`,
      },
      dedupe: `submitted ${submissionId} ${to}`,
    })
}

async function creatorOf(trx: Db, { created_by }: RequestView): Promise<string | undefined> {
  if (!created_by.startsWith('member:')) return undefined
  const member = await trx
    .selectFrom('members')
    .select('email')
    .where('member_id', '=', created_by.slice('member:'.length) as MemberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return member?.email
}

/** Undefined if nobody would get a mail. */
async function mailed(
  trx: Db,
  { mail }: Pick<RequestContext, 'mail'>,
  id: EvidenceRequestId,
): Promise<RequestView | undefined> {
  const view = mail.isOn ? await readRequest(trx, id) : undefined
  return view === undefined || recipientsOf(view).length === 0 ? undefined : view
}

async function toEach(
  trx: Db,
  ctx: RequestMailContext,
  view: RequestView,
  send: (to: string, link: string) => Promise<unknown>,
): Promise<void> {
  const { request_id: subject, workspace_id: workspaceId } = view
  const expiresAt = linkEnd(view, ctx.clock.now())
  for (const to of recipientsOf(view)) {
    const link = { workspaceId, purpose: 'request', subject, expiresAt, recipient: to } as const
    const { token } = await createLink(trx, ctx, link)
    await send(to, `/r/${token}`)
  }
}

const dueText = ({ due_at }: RequestView): string => due_at ?? ''

const DAY_MS = 24 * 60 * 60 * 1000

export function whenText({ due_at }: Pick<RequestView, 'due_at'>, nowMs: number): Message {
  if (due_at === null) return phrase('mail.phrase.notComplete')
  const leftMs = Date.parse(due_at) - nowMs
  if (leftMs < 0) return phrase('mail.phrase.overdue')
  const days = Math.round(leftMs / DAY_MS)
  if (days === 0) return phrase('mail.phrase.today')
  return days === 1 ? phrase('mail.phrase.tomorrow') : phrase('mail.phrase.inDays', { days })
}

/** Before the due date, in days. */
export const DUE_STAGES: readonly number[] = [7, 1, 0]
const BATCH = 100

/** Reminds suppliers 7 days and 1 day before the due date, and when it has passed. Once each, on one of the nodes. */
export async function remindSuppliers(
  ctx: RequestMailContext & { readonly db: Db },
  transaction: (work: (trx: Db) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const now = ctx.clock.now()
  for (const days of DUE_STAGES) {
    const due = await openRequests(ctx.db)
      .where('recipients', '<>', '[]')
      // Not again long after a stage, if the service was down.
      .where('requests.due_at', '>', timestamp(now + (days - 1) * DAY_MS))
      .where('requests.due_at', '<=', timestamp(now + days * DAY_MS))
      // Not soon after the request itself.
      .where('requests.created_at', '<', timestamp(now - DAY_MS))
      .where((eb) => eb.or([eb('reminded_at', 'is', null), eb('reminded_at', '<', timestamp(now - DAY_MS))]))
      .limit(BATCH)
      .execute()
    for (const { request_id } of due) await transaction((trx) => remindOnce(trx, ctx, request_id))
  }
}

/** Other nodes do it at the same time. */
async function remindOnce(trx: Db, ctx: RequestMailContext, id: EvidenceRequestId): Promise<void> {
  const { status, reminded_at } = await lockRequest(trx, id)
  const isRecent = reminded_at !== null && reminded_at >= timestamp(ctx.clock.now() - DAY_MS)
  if (status === 'open' && !isRecent) await mailReminder(trx, ctx, id)
}
