// docs/decisions/0405
import { sql, type SqlBool } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Repeat } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { RequestCopy } from './request-schemas.ts'
import type { EvidenceRequestId } from '../runtime/identifiers.ts'
import { type CreateRequestContext, createRequest, dueOf, type Requester } from './create-request.ts'
import { mailRequest, type RequestMailContext } from './request-mail.ts'
import { recipientsOf } from './request.ts'
import { itemsOf, lockRequest, type RequestView } from './request-queries.ts'

/** Asks for the same items again, with nothing received. Due dates of items move with that of the request. */
export async function copyRequest(
  trx: Db,
  ctx: CreateRequestContext,
  view: RequestView,
  change: RequestCopy,
  requester: Requester,
): Promise<EvidenceRequestId> {
  const due_at = dueOf(change.due_at)
  const movedMs =
    view.due_at === null || due_at === null ? undefined : Date.parse(due_at) - Date.parse(view.due_at)
  const items = await itemsOf(trx, view.request_id)
  const asked = {
    title: change.title ?? view.title,
    message: view.message,
    due_at,
    repeat: due_at === null ? null : view.repeat,
    series: view.series,
    profile: view.profile,
    recipients: change.recipients ?? recipientsOf(view),
    items: items.map(({ item_id, title, description, due_at: due }) => ({
      id: item_id,
      title,
      description,
      due_at: due === null || movedMs === undefined ? null : timestamp(Date.parse(due) + movedMs),
    })),
  }
  return createRequest(trx, ctx, asked, requester)
}

const MONTHS: Readonly<Record<Repeat, number>> = { monthly: 1, quarterly: 3, yearly: 12 }

/** The same day, months later. The 31st becomes the last day of a shorter month. */
export function nextDue(dueAt: string, repeat: Repeat): string {
  const due = new Date(dueAt)
  const day = due.getUTCDate()
  const next = new Date(due)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + MONTHS[repeat])
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(day, lastDay))
  return next.toISOString()
}

const BATCH = 100

/** Creates the next request of each one that repeats and is due. Once, also if several nodes do it at the same time. */
export async function repeatRequests(
  ctx: RequestMailContext & { readonly db: Db; readonly clock: Clock },
): Promise<readonly EvidenceRequestId[]> {
  const due = await ctx.db
    .selectFrom('requests')
    .select('request_id')
    .where('repeat', 'is not', null)
    // As in the index.
    .where(sql<SqlBool>`coalesce(next_request_id, '') = ''`)
    .where('closed_at', 'is', null)
    .where('due_at', '<=', timestamp(ctx.clock.now()))
    .orderBy('due_at')
    .limit(BATCH)
    .execute()
  const created: EvidenceRequestId[] = []
  for (const { request_id } of due) {
    const next = await transact(ctx.db, (trx) => repeatOne(trx, ctx, request_id))
    if (next !== undefined) created.push(next)
  }
  return created
}

async function repeatOne(
  trx: Db,
  ctx: RequestMailContext,
  id: EvidenceRequestId,
): Promise<EvidenceRequestId | undefined> {
  const view = await lockRequest(trx, id)
  const { repeat: every, due_at, next_request_id, closed_at, workspace_id: workspaceId } = view
  if (every === null || due_at === null || next_request_id !== null || closed_at !== null) return undefined
  // After a long pause the missed ones are skipped.
  let next = nextDue(due_at, every)
  while (Date.parse(next) <= ctx.clock.now()) next = nextDue(next, every)
  const requester = { workspaceId, actor: { is: 'service' } } as const
  const created = await copyRequest(trx, ctx, view, { due_at: next }, requester)
  await mailRequest(trx, ctx, created)
  await trx.updateTable('requests').set({ next_request_id: created }).where('request_id', '=', id).execute()
  return created
}
