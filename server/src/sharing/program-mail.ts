import type { Message } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { ProgramsTable } from '../database/program-schema.ts'
import { UNFINISHED } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import { phrase } from '../deliveries/mail-templates.ts'
import { readersOf } from '../deliveries/workspace-mail.ts'
import type { ProgramId } from '../runtime/identifiers.ts'
import { fillPeriod, type PeriodItemView } from './period-items.ts'
import { findPeriod, isOpen, lockProgram } from './program-queries.ts'
import { DUE_STAGES, type RequestMailContext, whenText } from './request-mail.ts'

const MAX_LISTED = 20
const DAY_MS = 24 * 60 * 60 * 1000

/** Tells each owner what is theirs in a period that has opened. */
export async function mailOwners(
  trx: Db,
  ctx: RequestMailContext,
  program: ProgramsTable,
  period: string,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const { items } = await fillPeriod(
    trx,
    await findPeriod(trx, program.program_id, period),
    timestamp(ctx.clock.now()),
  )
  await toOwners(
    trx,
    ctx,
    program,
    period,
    items,
    phrase('mail.phrase.open'),
    `period ${program.program_id} ${period}`,
  )
}

/** One mail to each owner, with what is theirs of these items. */
async function toOwners(
  trx: Db,
  ctx: RequestMailContext,
  program: ProgramsTable,
  period: string,
  items: readonly PeriodItemView[],
  when: Message,
  dedupe: string,
): Promise<void> {
  const { workspace } = await readersOf(trx, program.workspace_id)
  for (const [to, own] of Map.groupBy(items, ({ owner }) => owner)) {
    if (to === null) continue
    const inOrder = own.toSorted((a, b) => (a.due_at < b.due_at ? -1 : 1))
    await ctx.mail.send(trx, {
      to,
      workspaceId: program.workspace_id,
      template: 'period',
      data: {
        workspace,
        title: `${program.name} ${period}`,
        when,
        message: program.message ?? '',
        items: listed(inOrder.map(({ item_id, title }) => `${item_id} ${title}`)),
        due: inOrder[0]?.due_at ?? '',
        link: pageOf(program.program_id, period),
      },
      dedupe: `${dedupe} ${to}`,
    })
  }
}

const pageOf = (id: ProgramId, period: string): string =>
  `/console/programs/${id}/${encodeURIComponent(period)}`

function listed(lines: readonly string[]): string | Message {
  const list = lines.slice(0, MAX_LISTED).join(', ')
  const rest = lines.length - MAX_LISTED
  return rest > 0 ? phrase('mail.phrase.more', { list, count: rest }) : list
}

/** Tells the owner of an item that it needs changes. */
export async function mailSentBack(
  trx: Db,
  ctx: RequestMailContext,
  { program_id, workspace_id: workspaceId, name }: ProgramsTable,
  { owner: to, item_id, title, period }: PeriodItemView,
): Promise<void> {
  if (!ctx.mail.isOn || to === null) return
  const { workspace } = await readersOf(trx, workspaceId)
  await ctx.mail.send(trx, {
    to,
    workspaceId,
    template: 'result',
    data: {
      workspace,
      title: `${name} ${period}, ${item_id} ${title}`,
      result: phrase('mail.phrase.needsChanges'),
      advice: phrase('mail.phrase.seePeriod'),
      link: pageOf(program_id, period),
    },
    dedupe: `period review ${program_id} ${period} ${item_id} ${timestamp(ctx.clock.now())} ${to}`,
  })
}

/** Reminds owners 7 days and 1 day before items are due, and when they are late. Once each, on one of the nodes. */
export async function remindOwners(
  ctx: RequestMailContext & { readonly db: Db },
  transaction: (work: (trx: Db) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (!ctx.mail.isOn) return
  const now = ctx.clock.now()
  for (const days of DUE_STAGES) {
    const [after, until] = [timestamp(now + (days - 1) * DAY_MS), timestamp(now + days * DAY_MS)]
    const due = await ctx.db
      .selectFrom('period_items')
      .innerJoin('program_periods', (join) =>
        join
          .onRef('program_periods.program_id', '=', 'period_items.program_id')
          .onRef('program_periods.period', '=', 'period_items.period'),
      )
      .select(['period_items.program_id', 'period_items.period'])
      .distinct()
      .where('sealed_status', 'is', null)
      .where('owner_id', 'is not', null)
      // Not again long after a stage, if the service was down.
      .where('due_at', '>', after)
      .where('due_at', '<=', until)
      // Not soon after the mail of the period itself.
      .where('opened_at', '<', timestamp(now - DAY_MS))
      .execute()
    for (const { program_id, period } of due)
      await transaction((trx) => remindPeriod(trx, ctx, program_id, period, { after, until, days }))
  }
}

/** Other nodes do it at the same time: a mail with the same text for `dedupe` is sent once. */
async function remindPeriod(
  trx: Db,
  ctx: RequestMailContext,
  id: ProgramId,
  period: string,
  { after, until, days }: { readonly after: string; readonly until: string; readonly days: number },
): Promise<void> {
  const program = await lockProgram(trx, id)
  const now = ctx.clock.now()
  const view = await findPeriod(trx, id, period)
  if (!isOpen(view)) return
  const { items } = await fillPeriod(trx, view, timestamp(now))
  const due = items.filter(
    ({ status, due_at, source }) =>
      source === 'internal' && UNFINISHED.has(status) && due_at > after && due_at <= until,
  )
  const byDay = Map.groupBy(due, ({ due_at }) => due_at.slice(0, 10))
  for (const [day, own] of byDay) {
    const when = whenText({ due_at: own[0]?.due_at ?? null }, now)
    await toOwners(trx, ctx, program, period, own, when, `period ${id} ${period} ${day} ${days}`)
  }
}
