import { findMemberById } from '../access/member-queries.ts'
import { createLink, liveRecipients } from '../database/links.ts'
import type { Unit } from '../database/unit.ts'
import { isMailed, readersOf } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import type { Remark } from '../requests/remarks.ts'
import { timestamp } from '../runtime/clock.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { labelOf, mailOfLink, type NewLinks, type Share, type ShareContext, statusOf } from './share.ts'

const linkOf = ({ workspace_id, share_id, expires_at }: Share, recipient: string | null) =>
  ({
    workspaceId: workspace_id,
    purpose: 'share',
    subject: share_id,
    expiresAt: expires_at,
    ...(recipient !== null && { recipient }),
  }) as const

/** Creates a link for each recipient, and mails it. Null stands for anyone. Links that are not mailed are returned. */
export async function createLinks(
  { db }: Unit,
  ctx: ShareContext,
  share: Share,
  recipients: readonly (string | null)[],
): Promise<NewLinks> {
  const { workspace_id: workspaceId } = share
  const { workspace } = await readersOf(db, workspaceId)
  const data = {
    workspace,
    title: labelOf(share),
    note: share.note ?? '',
    password: share.password === null ? '' : phrase('mail.phrase.password', { workspace }),
    expires: share.expires_at,
  }
  const links = new Map<string | null, string>()
  for (const to of recipients) {
    const { linkId, token } = await createLink(db, ctx, linkOf(share, to))
    const mail = {
      template: 'share',
      data: { ...data, link: `/s/${token}` },
      dedupe: mailOfLink(linkId),
    } as const
    const isSent = to !== null && (await ctx.mail.send(db, { ...mail, to, workspaceId }))
    if (!isSent) links.set(to, `${ctx.issuer().replace(/\/+$/, '')}/s/${token}`)
  }
  return links
}

/** What is written within this time is one mail, which is sent at its end. */
const BATCH_MS = 2 * 60_000

/** Tells the other side that something was written. Never what: a comment can be erased, and a mail cannot. */
export async function mailComment(
  unit: Unit,
  ctx: ShareContext,
  share: Share,
  comment: Remark,
  first: Remark | undefined,
): Promise<void> {
  const { db, at } = unit
  if (!ctx.mail.isOn || statusOf(share, at) === 'expired') return
  const { share_id: subject, workspace_id: workspaceId } = share
  const { workspace, sharers } = await sideOf(unit, share)
  const dueAt = timestamp((Math.floor(Date.parse(at) / BATCH_MS) + 1) * BATCH_MS)
  const isReviewer = comment.side === 'reviewer'
  const people = isReviewer ? sharers : await liveRecipients(db, ctx.clock, { purpose: 'share', subject })
  // An answer is news for the one who asked.
  const isAnswer = !isReviewer && first?.author_basis === 'recipient'
  const who = isReviewer ? (comment.author_basis === 'recipient' ? comment.author : undefined) : workspace
  const result =
    who === undefined ? phrase('mail.phrase.reviewerWrote') : phrase('mail.phrase.wrote', { who })
  for (const to of people.filter((each) => !isAnswer || each === first.author)) {
    const dedupe = `room ${subject} ${dueAt} ${comment.written_by} ${to}`
    if (await isMailed(db, dedupe)) continue
    // The tokens of earlier links are not stored. Those links keep working.
    const link = isReviewer
      ? `/console/rooms/${subject}`
      : `/s/${(await createLink(db, ctx, linkOf(share, to))).token}`
    const advice = phrase('mail.phrase.readAndAnswer')
    const data = { workspace, title: share.title ?? '', result, advice, link }
    await ctx.mail.send(db, { to, workspaceId, template: 'result', data, dedupe, dueAt })
  }
}

/** Tells the one who shared that something was downloaded, once a day for each recipient. */
export async function mailDownload(
  unit: Unit,
  { mail }: ShareContext,
  share: Share,
  recipient: string | null,
): Promise<void> {
  if (!share.notify_downloads || !mail.isOn) return
  const { share_id: shareId, workspace_id: workspaceId, title } = share
  const { workspace, sharers } = await sideOf(unit, share)
  const noun = title === null ? 'Share' : 'Room'
  const result =
    recipient === null
      ? phrase(`mail.phrase.someone${noun}`)
      : phrase(`mail.phrase.downloaded${noun}`, { who: recipient })
  const data = {
    workspace,
    title: labelOf(share),
    result,
    advice: phrase('mail.phrase.accessLog'),
    link: title === null ? '/console/shares' : `/console/rooms/${shareId}`,
  }
  for (const to of sharers) {
    const dedupe = `download ${shareId} ${unit.at.slice(0, 10)} ${recipient ?? ''} ${to}`
    await mail.send(unit.db, { to, workspaceId, template: 'result', data, dedupe })
  }
}

/** The member who created the share, or the owners if it was a key or the member has left. */
async function sideOf({ db }: Unit, share: Share) {
  const { workspace, owners } = await readersOf(db, share.workspace_id)
  const member = await findMemberById(db, share.created_by as MemberId)
  return { workspace, sharers: member === undefined ? owners : [member.email] }
}
