import { BOUNDARY } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { RequestLink } from './request-schemas.ts'
import { createLink } from '../database/links.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Requester } from './create-request.ts'
import type { RequestContext } from './request-context.ts'
import type { RequestView } from './request-queries.ts'

const LINK_MS = 90 * 24 * 60 * 60 * 1000

/** A link lives until 90 days after the due date. Every reminder carries a new one. */
export const linkEnd = ({ due_at }: Pick<RequestView, 'due_at'>, nowMs: number): string =>
  timestamp(Math.max(nowMs, due_at === null ? 0 : Date.parse(due_at)) + LINK_MS)

/** A new link to a request, for the supplier. */
export async function createRequestLink(
  trx: Db,
  ctx: Pick<RequestContext, 'clock' | 'identifiers' | 'issuer'>,
  view: RequestView,
  { actor }: Requester,
): Promise<RequestLink> {
  const { request_id, workspace_id: workspaceId } = view
  const expiresAt = linkEnd(view, ctx.clock.now())
  const link = { workspaceId, purpose: 'request', subject: request_id, expiresAt } as const
  const { linkId, token } = await createLink(trx, ctx, link)
  const event = { workspaceId, actor, subject: request_id, at: timestamp(ctx.clock.now()) } as const
  await recordEvent(trx, { ...event, action: 'request.link_created', details: { link_id: linkId } })
  const url = requestUrl(ctx.issuer(), token)
  return { evidence_request_id: request_id, url, expires_at: expiresAt, boundary: BOUNDARY }
}

const requestUrl = (issuer: string, token: string): string => `${issuer.replace(/\/+$/, '')}/r/${token}`
