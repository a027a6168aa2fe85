import { findMemberById } from '../access/member-queries.ts'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { createLink, liveRecipients } from '../database/links.ts'
import { isMailed, readersOf } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import type { Remark } from '../requests/remarks.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { labelOf, type ShareContext, type SharesTable, sharesWithReceipts, statusOf } from './share.ts'

/** What is written within this time is one mail, which is sent at its end. */
const BATCH_MS = 2 * 60_000

/** Tells the other side that something was written. Never what: a comment can be erased, and a mail cannot. */
export async function mailComment(
  { db, at }: Unit,
  ctx: ShareContext,
  share: SharesTable,
  comment: Remark,
  first: Remark | undefined,
): Promise<void> {
  if (!ctx.mail.isOn || statusOf(share, at) === 'expired') return
  const { share_id: subject, workspace_id: workspaceId, expires_at: expiresAt } = share
  const { workspace, sharers } = await sideOf(db, share)
  const ends = timestamp((Math.floor(Date.parse(at) / BATCH_MS) + 1) * BATCH_MS)
  const isReviewer = comment.side === 'reviewer'
  const people = isReviewer ? sharers : await liveRecipients(db, ctx.clock, { purpose: 'share', subject })
  // An answer is news for the one who asked.
  const readers =
    !isReviewer && first?.author_basis === 'recipient' ? people.filter((to) => to === first.author) : people
  const who = isReviewer ? (comment.author_basis === 'recipient' ? comment.author : undefined) : workspace
  for (const to of readers) {
    const dedupe = `room ${subject} ${ends} ${comment.written_by} ${to}`
    if (await isMailed(db, dedupe)) continue
    // The tokens of earlier links are not stored. Those links keep working.
    const ofReader = { workspaceId, purpose: 'share', subject, expiresAt, recipient: to } as const
    const link = isReviewer
      ? `/console/rooms/${subject}`
      : `/s/${(await createLink(db, ctx, ofReader)).token}`
    const result =
      who === undefined ? phrase('mail.phrase.reviewerWrote') : phrase('mail.phrase.wrote', { who })
    const advice = phrase('mail.phrase.readAndAnswer')
    const data = { workspace, title: share.title ?? '', result, advice, link }
    await ctx.mail.send(db, { to, workspaceId, template: 'result', data, dedupe, dueAt: ends })
  }
}

/** Tells the one who shared that something was downloaded, once a day for each recipient. */
export async function mailDownload(
  { db, at }: Unit,
  ctx: ShareContext,
  share: SharesTable,
  recipient: string | null,
): Promise<void> {
  if (share.notify_downloads === 0 || !ctx.mail.isOn) return
  const { share_id: shareId, workspace_id: workspaceId, title } = share
  const { workspace, sharers } = await sideOf(db, share)
  const row = await sharesWithReceipts(db).where('shares.share_id', '=', shareId).executeTakeFirstOrThrow()
  const data = {
    workspace,
    title: labelOf(row),
    result:
      recipient === null
        ? phrase(title === null ? 'mail.phrase.someoneShare' : 'mail.phrase.someoneRoom')
        : phrase(title === null ? 'mail.phrase.downloadedShare' : 'mail.phrase.downloadedRoom', {
            who: recipient,
          }),
    advice: phrase('mail.phrase.accessLog'),
    link: title === null ? '/console/shares' : `/console/rooms/${shareId}`,
  }
  const day = at.slice(0, 10)
  for (const to of sharers) {
    const dedupe = `download ${shareId} ${day} ${recipient ?? ''} ${to}`
    await ctx.mail.send(db, { to, workspaceId, template: 'result', data, dedupe })
  }
}

/** The member who created the share, or the owners if it was a key or the member has left. */
async function sideOf(db: Db, share: SharesTable) {
  const { workspace, owners } = await readersOf(db, share.workspace_id)
  const member = await findMemberById(db, share.created_by as MemberId)
  return { workspace, sharers: member === undefined ? owners : [member.email] }
}
