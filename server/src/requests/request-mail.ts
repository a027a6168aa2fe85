import { sql } from 'kysely'
import type { Reader, Unit } from '../database/unit.ts'
import { createLink } from '../database/links.ts'
import { mailStatuses, readersOf, type Told } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import type { EvidenceRequestId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { timestamp } from '../runtime/clock.ts'
import {
  emailsOf,
  isOpen,
  type ItemView,
  lockRequest,
  type Mailing,
  type MailingUnits,
  memberIn,
  requests,
  type RequestRow,
  type RequestView,
  UNFINISHED,
} from './request.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LINK_MS = 90 * DAY_MS
const MAX_LISTED = 20

/** A link for the supplier, until 90 days after the due date. Earlier links keep working. */
export async function supplierLink(
  unit: Unit,
  ctx: Mailing,
  { request_id: subject, workspace_id: workspaceId, due_at }: RequestRow,
  recipient?: string,
) {
  const dueMs = due_at === null ? 0 : Date.parse(due_at)
  const expiresAt = timestamp(Math.max(Date.parse(unit.at), dueMs) + LINK_MS)
  const link = {
    workspaceId,
    purpose: 'request',
    subject,
    expiresAt,
    ...(recipient && { recipient }),
  } as const
  return { ...(await createLink(unit.db, ctx, link)), expiresAt }
}

/** Where a colleague finds it in the console. */
const pageOf = ({ request_id, program_id, period }: RequestRow): string =>
  program_id === null
    ? `/console/requests/${request_id}`
    : `/console/programs/${program_id}/${encodeURIComponent(period ?? '')}`

interface About {
  readonly workspace: string
  readonly title: string
  readonly link: string
}

/** Mails about a request: to its suppliers, each with a link of their own, or to colleagues. `dedupe` gets the recipient. */
async function send(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  to: 'suppliers' | readonly string[],
  tell: (about: About) => Told,
): Promise<void> {
  const recipients = to === 'suppliers' ? row.recipients : to
  if (!ctx.mail.isOn || recipients.length === 0) return
  const { title, workspace_id: workspaceId } = row
  const { workspace } = await readersOf(unit.db, workspaceId)
  for (const recipient of recipients) {
    const link =
      to === 'suppliers' ? `/r/${(await supplierLink(unit, ctx, row, recipient)).token}` : pageOf(row)
    const told = tell({ workspace, title, link })
    const dedupe = `${told.dedupe} ${recipient}`
    await ctx.mail.send(unit.db, { ...told, to: recipient, workspaceId, dedupe })
  }
}

const requestMail = (id: EvidenceRequestId): string => `request ${id}`
const reminderMail = (id: EvidenceRequestId, at: string | null): string => `reminder ${id} ${at}`

/** What became of the mail to each recipient: of the request and of the last reminder. */
export async function requestMails(
  { db }: Reader,
  { request_id: id, reminded_at: at, recipients }: RequestRow,
) {
  const [request, reminder] = [requestMail(id), reminderMail(id, at)]
  const found = await mailStatuses(
    db,
    recipients.flatMap((to) => [`${request} ${to}`, `${reminder} ${to}`]),
  )
  return recipients.map((to) => ({
    to,
    request: found.get(`${request} ${to}`) ?? null,
    reminder: found.get(`${reminder} ${to}`) ?? null,
  }))
}

export const mailRequest = (unit: Unit, ctx: Mailing, row: RequestRow, items: number): Promise<void> =>
  send(unit, ctx, row, 'suppliers', (about) => ({
    template: 'request',
    data: { ...about, message: row.message ?? '', items: String(items), due: row.due_at ?? '' },
    dedupe: requestMail(row.request_id),
  }))

/** Records a reminder, and mails it with the items that are missing. */
export async function mailReminder(unit: Unit, ctx: Mailing, view: RequestView): Promise<void> {
  const { request_id: id, due_at, items } = view
  await unit.update(requests, id, { reminded_at: unit.at })
  const open = items.filter(({ status }) => UNFINISHED.has(status)).map((item) => item.title)
  const [when, due] = [whenText(due_at, unit.at), due_at ?? '']
  await send(unit, ctx, view, 'suppliers', (about) => ({
    template: 'reminder',
    data: { ...about, when, due, open: open.join(', ') },
    dedupe: reminderMail(id, unit.at),
  }))
}

/** Tells the supplier that an item needs changes, or that everything is accepted. */
export async function mailReview(unit: Unit, ctx: Mailing, view: RequestView, isSentBack: boolean) {
  // One item of several that is accepted is no news.
  if (!isSentBack && view.status !== 'accepted') return
  const said = isSentBack
    ? { result: phrase('mail.phrase.needsChanges'), advice: phrase('mail.phrase.seeComments') }
    : { result: phrase('mail.phrase.accepted'), advice: phrase('mail.phrase.nothingLeft') }
  await send(unit, ctx, view, 'suppliers', (about) => ({
    template: 'result',
    data: { ...about, ...said },
    dedupe: `review ${view.request_id} ${view.round} ${isSentBack ? 'needs_changes' : 'accepted'}`,
  }))
}

/** Tells the supplier that nothing can be sent any more, because the period was sealed that the request was for. */
export const mailClosed = (unit: Unit, ctx: Mailing, row: RequestRow, period: string): Promise<void> =>
  send(unit, ctx, row, 'suppliers', (about) => ({
    template: 'result',
    data: {
      ...about,
      result: phrase('mail.phrase.closed', { period }),
      advice: phrase('mail.phrase.notInKit'),
    },
    dedupe: `closed ${row.request_id}`,
  }))

/** Tells the requester that a round was submitted, with the kit of the submission. */
export async function mailSubmitted(unit: Unit, ctx: Mailing, row: RequestRow, submission: SubmissionId) {
  const maker = memberIn(row.created_by)
  const creator = (await emailsOf(unit, [maker])).get(maker)
  const to = creator === undefined ? (await readersOf(unit.db, row.workspace_id)).owners : [creator]
  await send(unit, ctx, row, to, (about) => ({
    template: 'result',
    data: {
      ...about,
      result: phrase('mail.phrase.submitted'),
      advice: phrase('mail.phrase.acceptOrReturn'),
    },
    dedupe: `submitted ${submission}`,
  }))
}

type Text = ReturnType<typeof phrase>

/** Tells each owner what is theirs of these items of a period, in one mail. */
export async function mailOwners(
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  items: readonly ItemView[],
  when: Text,
  dedupe: string,
): Promise<void> {
  for (const [to, own] of Map.groupBy(items, ({ owner }) => owner)) {
    if (to === null) continue
    const inOrder = own.toSorted((a, b) => ((a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1))
    const names = inOrder.map(({ item_id, title }) => `${item_id} ${title}`)
    await send(unit, ctx, row, [to], (about) => ({
      template: 'period',
      data: {
        ...about,
        when,
        message: row.message ?? '',
        items: listed(names),
        due: inOrder[0]?.due_at ?? '',
      },
      dedupe,
    }))
  }
}

function listed(names: readonly string[]): string | Text {
  const rest = names.length - MAX_LISTED
  const list = names.slice(0, MAX_LISTED).join(', ')
  return rest > 0 ? phrase('mail.phrase.more', { list, count: rest }) : list
}

/** Tells the owner of an item that it needs changes. */
export const mailSentBack = (
  unit: Unit,
  ctx: Mailing,
  row: RequestRow,
  { owner, item_id, title }: ItemView,
): Promise<void> =>
  send(unit, ctx, row, owner === null ? [] : [owner], (about) => ({
    template: 'result',
    data: {
      ...about,
      title: `${row.title}, ${item_id} ${title}`,
      result: phrase('mail.phrase.needsChanges'),
      advice: phrase('mail.phrase.seePeriod'),
    },
    dedupe: `period review ${row.program_id} ${row.period} ${item_id} ${unit.at}`,
  }))

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
  const acting = { actor: { is: 'service' } } as const
  for (const days of DUE_STAGES) {
    // Not again long after a stage, if the service was down.
    const stage = { days, after: timestamp(now + (days - 1) * DAY_MS), until: timestamp(now + days * DAY_MS) }
    const due = await ctx.units.read(acting, (reader) => dueIn(reader, stage))
    for (const { request_id, workspace_id: workspaceId } of due)
      await ctx.units.write({ ...acting, workspaceId }, 'remind', (unit) =>
        remindOnce(unit, ctx, request_id, stage),
      )
  }
}

/** Requests that are due, and those with an item that is. Not soon after the request itself or the reminder before. */
async function dueIn(reader: Reader, { after, until }: Stage) {
  const dayAgo = reader.after(-DAY_MS)
  const { rows } = await sql<{ request_id: EvidenceRequestId; workspace_id: WorkspaceId }>`
    select request_id, workspace_id from requests where closed_at is null and settled = 0 and request_id in
      (select request_id from requests where closed_at is null and due_at > ${after} and due_at <= ${until}
      union select request_id from request_items where sealed_status is null and due_at > ${after} and due_at <= ${until})
      and created_at < ${dayAgo} and (program_id is not null or reminded_at is null or reminded_at < ${dayAgo})`.execute(
    reader.db,
  )
  return rows
}

async function remindOnce(unit: Unit, ctx: Mailing, id: EvidenceRequestId, stage: Stage): Promise<void> {
  const view = await lockRequest(unit, id)
  const due = view.items.filter(({ status, due_at }) => {
    const at = due_at ?? view.due_at ?? ''
    return UNFINISHED.has(status) && at > stage.after && at <= stage.until
  })
  if (due.length === 0 || !isOpen(view)) return
  if (view.program_id === null) {
    const isRecent = view.reminded_at !== null && view.reminded_at >= unit.after(-DAY_MS)
    return isRecent ? undefined : mailReminder(unit, ctx, view)
  }
  for (const [day, own] of Map.groupBy(due, ({ due_at }) => due_at?.slice(0, 10))) {
    const when = whenText(own[0]?.due_at ?? null, unit.at)
    await mailOwners(
      unit,
      ctx,
      view,
      own,
      when,
      `period ${view.program_id} ${view.period} ${day} ${stage.days}`,
    )
  }
}
