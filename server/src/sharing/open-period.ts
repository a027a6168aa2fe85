import { timestamp } from '../runtime/clock.ts'
import type { PeriodItemsTable, ProgramItemsTable, ProgramsTable } from '../database/program-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { Refusal } from '../refusals.ts'
import type { EvidenceRequestId, ProgramId } from '../runtime/identifiers.ts'
import { type CreateContext, createSubmission } from '../submissions/create-submission.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { createRequest, dueOf, type Requester } from './create-request.ts'
import { addDays, dayOf, later, periodName, startAfter, startAt } from './period-dates.ts'
import { mailOwners } from './program-mail.ts'
import { itemsOfProgram, listPeriods, lockProgram } from './program-queries.ts'
import { mailRequest, type RequestMailContext } from './request-mail.ts'
import { recipientsOf } from './request.ts'

export type OpenContext = RequestMailContext & CreateContext

const NEWEST = { before: Number.MAX_SAFE_INTEGER, limit: 1 }

/** Opens the next period now, also before it starts. The program is locked. */
export async function openNext(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  requester: Requester,
): Promise<string> {
  if (program.ended_at !== null) throw new Refusal('program_ended', 'This program was ended.')
  const today = dayOf(ctx.clock.now())
  const { next_on } = program
  if (next_on === null) return openPeriod(trx, ctx, program, today, requester)
  return openPeriod(trx, ctx, program, next_on > today ? next_on : startAt(program, today), requester)
}

/** Opens the period that has started. After a long pause, those that were missed are skipped. */
export async function openIfDue(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  requester: Requester,
): Promise<string | undefined> {
  const today = dayOf(ctx.clock.now())
  const { next_on, ended_at } = program
  if (ended_at !== null || next_on === null || next_on > today) return undefined
  return openPeriod(trx, ctx, program, startAt(program, today), requester)
}

async function openPeriod(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  wanted: string,
  requester: Requester,
): Promise<string> {
  const { program_id, cadence, series, name } = program
  const at = timestamp(ctx.clock.now())
  const { number, period, from } = await unusedPeriod(trx, program, wanted)
  const next_on = startAfter(program, from)
  const caller = { is: 'workspace', ...requester } as const
  const draft = { label: `${name} ${period}`, profile: 'default', accept: [], series }
  const { view } = await createSubmission(trx, ctx, draft, caller)
  // It stays as long as the period is open.
  await trx.updateTable('submissions').set({ expires_at: null }).where('job_id', '=', view.job_id).execute()
  await trx
    .insertInto('program_periods')
    .values({
      program_id,
      period,
      number,
      from_on: from,
      to_on: cadence === 'none' || next_on === null ? null : addDays(next_on, -1),
      submission_id: view.submission_id,
      failed_submission_id: null,
      sealed_by: null,
      opened_at: at,
    })
    .execute()
  await trx
    .updateTable('programs')
    .set({ next_on, updated_at: at })
    .where('program_id', '=', program_id)
    .execute()
  const details = { period, submission_id: view.submission_id }
  const event = { ...requester, subject: program_id, details, at } as const
  await recordEvent(trx, { ...event, action: 'program.period_opened' })
  const items = await itemsOfProgram(trx, program_id)
  await addItems(trx, ctx, program, { period, from }, items, requester)
  await mailOwners(trx, ctx, program, period)
  return period
}

/** A program that had another cadence can have a period of this name already. */
async function unusedPeriod(
  trx: Db,
  program: ProgramsTable,
  wanted: string,
): Promise<{ readonly number: number; readonly period: string; readonly from: string }> {
  const { program_id, cadence } = program
  const [newest] = await listPeriods(trx, program_id, NEWEST)
  const number = (newest?.number ?? 0) + 1
  for (let from = wanted; ; from = startAfter(program, from) ?? addDays(from, 1)) {
    const period = periodName(cadence, from, number)
    const taken = await trx
      .selectFrom('program_periods')
      .select('number')
      .where('program_id', '=', program_id)
      .where('period', '=', period)
      .executeTakeFirst()
    if (taken === undefined) return { number, period, from }
    if (cadence === 'none') throw new Error(`${program_id} has a period ${period} already`)
  }
}

/** Adds items to a period, which are due from its start, or from today if it has begun, and asks suppliers for theirs: one request for each set of recipients. */
export async function addItems(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  { period, from }: { readonly period: string; readonly from: string },
  items: readonly ProgramItemsTable[],
  requester: Requester,
): Promise<void> {
  if (items.length === 0) return
  const begun = later(from, dayOf(ctx.clock.now()))
  const dueAt = ({ due_days }: ProgramItemsTable): string => dueOf(addDays(begun, due_days)) ?? ''
  const asked = Map.groupBy(
    items.filter(({ source }) => source === 'request'),
    (item) => JSON.stringify(recipientsOf(item).toSorted()),
  )
  const requests = new Map<string, EvidenceRequestId>()
  for (const [recipients, group] of asked) {
    const request = {
      title: `${program.name} ${period}`,
      message: program.message,
      recipients: JSON.parse(recipients) as string[],
      items: group.map((item) => {
        const { item_id: id, title, description } = item
        return { id, title, description, due_at: dueAt(item) }
      }),
    }
    const id = await createRequest(trx, ctx, request, requester)
    await mailRequest(trx, ctx, id)
    for (const { item_id } of group) requests.set(item_id, id)
  }
  const rows = items.map((item): PeriodItemsTable => ({
    program_id: program.program_id,
    period,
    item_id: item.item_id,
    position: item.position,
    title: item.title,
    description: item.description,
    source: item.source,
    owner_id: item.owner_id,
    recipients: item.recipients,
    due_at: dueAt(item),
    review: null,
    reviewed_files: null,
    reviewed_by: null,
    reviewed_at: null,
    reason: null,
    request_id: requests.get(item.item_id) ?? null,
    sealed_status: null,
  }))
  await trx.insertInto('period_items').values(rows).execute()
}

const BATCH = 100

/** Opens the periods that have started. Once, also if several nodes do it at the same time. */
export async function openPeriods(ctx: OpenContext & { readonly db: Db }): Promise<readonly string[]> {
  const due = await ctx.db
    .selectFrom('programs')
    .select('program_id')
    .where('next_on', 'is not', null)
    .where('next_on', '<=', dayOf(ctx.clock.now()))
    .orderBy('next_on')
    .limit(BATCH)
    .execute()
  const opened: string[] = []
  for (const { program_id } of due) {
    const period = await transact(ctx.db, (trx) => openOne(trx, ctx, program_id))
    if (period !== undefined) opened.push(`${program_id} ${period}`)
  }
  return opened
}

async function openOne(trx: Db, ctx: OpenContext, id: ProgramId): Promise<string | undefined> {
  const program = await lockProgram(trx, id)
  const requester = { workspaceId: program.workspace_id, actor: { is: 'service' } } as const
  return openIfDue(trx, ctx, program, requester)
}
