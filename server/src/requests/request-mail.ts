import { sql } from 'kysely'
import type { Reader, Unit } from '../database/unit.ts'
import { createLink } from '../database/links.ts'
import { type MailStatus, mailStatuses, readersOf, type Told } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import type { EvidenceRequestId, MemberId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { timestamp } from '../runtime/clock.ts'
import {
  emailsOf,
  type ItemRow,
  type ItemStatus,
  lockRequest,
  type Mailing,
  type MailingUnits,
  requests,
  type RequestRow,
  type RequestView,
  UNFINISHED,
} from './request.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LINK_MS = 90 * DAY_MS
const MAX_LISTED = 20

/** A link lives until 90 days after the due date. Every reminder carries a new one. */
export const linkEnd = ({ due_at }: Pick<RequestRow, 'due_at'>, at: string): string =>
  timestamp(Math.max(Date.parse(at), due_at === null ? 0 : Date.parse(due_at)) + LINK_MS)

const requestMail = (id: EvidenceRequestId, to: string): string => `request ${id} ${to}`
const reminderMail = (id: EvidenceRequestId, at: string, to: string): string => `reminder ${id} ${at} ${to}`

/** What became of the mail to each recipient: of the request and of the last reminder. */
export async function requestMails(
  { db }: Reader,
  { request_id: id, reminded_at: at, recipients }: RequestRow,
): Promise<{ to: string; request: MailStatus | null; reminder: MailStatus | null }[]> {
  const names = recipients.map((to) => [requestMail(id, to), at === null ? '' : reminderMail(id, at, to)])
  const found = await mailStatuses(db, names.flat())
  return recipients.map((to, index) => {
    const [request, reminder] = (names[index] ?? []).map((name) => found.get(name) ?? null)
    return { to, request: request ?? null, reminder: reminder ?? null }
  })
}

/** Mails a new request. Each recipient gets a link of their own. */
export async function mailRequest(unit: Unit, ctx: Mailing, row: RequestRow, items: number): Promise<void> {
  const { request_id: id, title, message, due_at } = row
  await toSuppliers(unit, ctx, row, (to, workspace, link) => ({
    template: 'request',
    data: { workspace, title, message: message ?? '', items: String(items), due: due_at ?? '', link },
    dedupe: requestMail(id, to),
  }))
}

/** Records a reminder, and mails it with the items that are missing. Earlier links keep working. */
export async function mailReminder(unit: Unit, ctx: Mailing, view: RequestView): Promise<void> {
  const { request_id: id, title, due_at } = view
  await unit.update(requests, id, { reminded_at: unit.at })
  const open = view.items.filter(({ status }) => UNFINISHED.has(status)).map((item) => item.title)
  const [when, due] = [whenText(due_at, unit.at), due_at ?? '']
  await toSuppliers(unit, ctx, view, (to, workspace, link) => ({
    template: 'reminder',
    data: { workspace, title, when, due, open: open.join(', '), link },
    dedupe: reminderMail(id, unit.at, to),
  }))
}

/** Tells the supplier what the requester said: everything is accepted, or an item needs changes. */
export async function mailReview(
  unit: Unit,
  ctx: Mailing,
  view: RequestView,
  review: ItemStatus,
): Promise<void> {
  if (review === 'to_review') return
  // One item of several that is accepted is no news.
  if (review !== 'needs_changes' && view.status !== 'accepted') return
  await mailResult(unit, ctx, view, {
    ...(review === 'needs_changes'
      ? { result: phrase('mail.phrase.needsChanges'), advice: phrase('mail.phrase.seeComments') }
      : { result: phrase('mail.phrase.accepted'), advice: phrase('mail.phrase.nothingLeft') }),
    dedupe: `review ${view.request_id} ${view.round} ${review}`,
  })
}

/** Tells the supplier that nothing can be sent any more, because the period was sealed that the request was for. */
export const mailClosed = (unit: Unit, ctx: Mailing, row: RequestRow, period: string): Promise<void> =>
  mailResult(unit, ctx, row, {
    result: phrase('mail.phrase.closed', { period }),
    advice: phrase('mail.phrase.notInKit'),
    dedupe: `closed ${row.request_id}`,
  })

type Text = ReturnType<typeof phrase>

interface Result {
  readonly result: Text
  readonly advice: Text
  readonly dedupe: string
}

const mailResult = (unit: Unit, ctx: Mailing, row: RequestRow, { result, advice, dedupe }: Result) =>
  toSuppliers(unit, ctx, row, (to, workspace, link) => ({
    template: 'result',
    data: { workspace, title: row.title, result, advice, link },
    dedupe: `${dedupe} ${to}`,
  }))

async function toSuppliers(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  tell: (to: string, workspace: string, link: string) => Told,
): Promise<void> {
  if (!ctx.mail.isOn || row.recipients.length === 0) return
  const { request_id: subject, workspace_id: workspaceId } = row
  const { workspace } = await readersOf(unit.db, workspaceId)
  const expiresAt = linkEnd(row, unit.at)
  for (const recipient of row.recipients) {
    const link = { workspaceId, purpose: 'request', subject, expiresAt, recipient } as const
    const { token } = await createLink(unit.db, ctx, link)
    await ctx.mail.send(unit.db, {
      to: recipient,
      workspaceId,
      ...tell(recipient, workspace, `/r/${token}`),
    })
  }
}

/** Tells the requester that a round was submitted, with the kit of the submission. */
export async function mailSubmitted(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  submissionId: SubmissionId,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const { workspace, owners } = await readersOf(unit.db, row.workspace_id)
  const [, maker = ''] = /^member:(.*)/.exec(row.created_by) ?? []
  const creator = (await emailsOf(unit, [maker as MemberId])).get(maker)
  for (const to of creator === undefined ? owners : [creator])
    await ctx.mail.send(unit.db, {
      to,
      workspaceId: row.workspace_id,
      template: 'result',
      data: {
        workspace,
        title: row.title,
        result: phrase('mail.phrase.submitted'),
        advice: phrase('mail.phrase.acceptOrReturn'),
        link: `/console/requests/${row.request_id}`,
      },
      dedupe: `submitted ${submissionId} ${to}`,
    })
}

type Owned = Pick<ItemRow, 'owner_id' | 'item_id' | 'title' | 'due_at'>

/** Tells each owner what is theirs of these items of a period, in one mail. */
export async function mailOwners(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  items: readonly Owned[],
  when: Text,
  dedupe: string,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const emails = await emailsOf(
    unit,
    items.map(({ owner_id }) => owner_id),
  )
  const { workspace } = await readersOf(unit.db, row.workspace_id)
  for (const [to, own] of Map.groupBy(items, ({ owner_id }) => emails.get(owner_id))) {
    if (to === undefined) continue
    const inOrder = own.toSorted((a, b) => ((a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1))
    await ctx.mail.send(unit.db, {
      to,
      workspaceId: row.workspace_id,
      template: 'period',
      data: {
        workspace,
        title: row.title,
        when,
        message: row.message ?? '',
        items: listed(inOrder.map(({ item_id, title }) => `${item_id} ${title}`)),
        due: inOrder[0]?.due_at ?? '',
        link: pageOf(row),
      },
      dedupe: `${dedupe} ${to}`,
    })
  }
}

const pageOf = ({ program_id, period }: RequestRow): string =>
  `/console/programs/${program_id}/${encodeURIComponent(period ?? '')}`

function listed(lines: readonly string[]): string | Text {
  const rest = lines.length - MAX_LISTED
  const list = lines.slice(0, MAX_LISTED).join(', ')
  return rest > 0 ? phrase('mail.phrase.more', { list, count: rest }) : list
}

/** Tells the owner of an item that it needs changes. */
export async function mailSentBack(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  { owner_id, item_id, title }: Owned,
): Promise<void> {
  const to = ctx.mail.isOn ? (await emailsOf(unit, [owner_id])).get(owner_id) : undefined
  if (to === undefined) return
  const { workspace } = await readersOf(unit.db, row.workspace_id)
  const what = {
    title: `${row.title}, ${item_id} ${title}`,
    result: phrase('mail.phrase.needsChanges'),
    advice: phrase('mail.phrase.seePeriod'),
  }
  await ctx.mail.send(unit.db, {
    to,
    workspaceId: row.workspace_id,
    template: 'result',
    data: { workspace, ...what, link: pageOf(row) },
    dedupe: `period review ${row.program_id} ${row.period} ${item_id} ${unit.at} ${to}`,
  })
}

function whenText(due: string | null, at: string): Text {
  if (due === null) return phrase('mail.phrase.notComplete')
  const leftMs = Date.parse(due) - Date.parse(at)
  if (leftMs < 0) return phrase('mail.phrase.overdue')
  const days = Math.round(leftMs / DAY_MS)
  if (days === 0) return phrase('mail.phrase.today')
  return days === 1 ? phrase('mail.phrase.tomorrow') : phrase('mail.phrase.inDays', { days })
}

/** Before the due date, in days. */
const DUE_STAGES: readonly number[] = [7, 1, 0]

interface Stage {
  readonly days: number
  readonly after: string
  readonly until: string
}

/** Reminds suppliers and owners 7 days and 1 day before what they supply is due, and when it is late. Once each, on any number of nodes. */
export async function remind(ctx: MailingUnits): Promise<void> {
  if (!ctx.mail.isOn) return
  const now = ctx.clock.now()
  for (const days of DUE_STAGES) {
    // Not again long after a stage, if the service was down.
    const stage = { days, after: timestamp(now + (days - 1) * DAY_MS), until: timestamp(now + days * DAY_MS) }
    const nobody = { actor: { is: 'service' } } as const
    for (const { request_id, workspace_id: workspaceId } of await ctx.units.read(nobody, (reader) =>
      dueIn(reader, stage),
    ))
      await ctx.units.write({ ...nobody, workspaceId }, 'remind', (unit) =>
        remindOnce(unit, ctx, request_id, stage),
      )
  }
}

/** Requests that are due, and those with an item that is. */
async function dueIn({ db, at }: Reader, { after, until }: Stage) {
  const dayAgo = timestamp(Date.parse(at) - DAY_MS)
  const { rows } = await sql<{ request_id: EvidenceRequestId; workspace_id: WorkspaceId }>`
    select request_id, workspace_id from requests where closed_at is null and settled = 0 and request_id in
      (select request_id from requests where closed_at is null and due_at > ${after} and due_at <= ${until}
      union select request_id from request_items where sealed_status is null and due_at > ${after} and due_at <= ${until})
      and created_at < ${dayAgo} and (program_id is not null or reminded_at is null or reminded_at < ${dayAgo})`.execute(
    db,
  )
  return rows
}

/** Not soon after the request itself or the reminder before. */
async function remindOnce(unit: Unit, ctx: Mailing, id: EvidenceRequestId, stage: Stage): Promise<void> {
  const view = await lockRequest(unit, id)
  const due = view.items.filter(({ status, due_at }) => {
    const at = due_at ?? view.due_at ?? ''
    return UNFINISHED.has(status) && at > stage.after && at <= stage.until
  })
  if (view.program_id === null) {
    const isRecent = view.reminded_at !== null && view.reminded_at >= unit.after(-DAY_MS)
    if (view.status === 'open' && !isRecent && due.length > 0) await mailReminder(unit, ctx, view)
    return
  }
  if (view.newest?.status !== 'DRAFT') return
  for (const [day, own] of Map.groupBy(due, ({ due_at }) => due_at?.slice(0, 10))) {
    const when = whenText(own[0]?.due_at ?? null, unit.at)
    const dedupe = `period ${view.program_id} ${view.period} ${day} ${stage.days}`
    await mailOwners(unit, ctx, view, own, when, dedupe)
  }
}
