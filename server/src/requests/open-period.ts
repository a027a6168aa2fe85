import type { Unit } from '../database/unit.ts'
import { phrase } from '../deliveries/render-mail.ts'
import { Refusal } from '../refusals.ts'
import { createSubmission } from '../submissions/create-submission.ts'
import { createRequest, dueOf, insertItems, makerText } from './create-request.ts'
import { addDays, dayOf, later, periodName, startAfter, startAt } from './period-dates.ts'
import {
  periodRows,
  type Program,
  type ProgramChange,
  type ProgramItem,
  programs,
  storedItems,
} from './program.ts'
import {
  isOpen,
  lockRequest,
  type Mailing,
  type MailingUnits,
  requests,
  type RequestRow,
  viewOf,
} from './request.ts'
import { mailOwners } from './request-mail.ts'
import { updateItem } from './review-item.ts'
import { addRound } from './drafts.ts'

const NEWEST = { before: Number.MAX_SAFE_INTEGER, limit: 1 }
const today = ({ at }: Unit): string => at.slice(0, 10)

/** Opens the next period now, also before it starts. The program is locked. */
export async function openNext(unit: Unit, ctx: Mailing, program: Program): Promise<RequestRow> {
  if (program.ended_at !== null) throw new Refusal('program_ended', 'This program was ended.')
  const { next_on } = program
  const wanted = next_on === null ? today(unit) : later(next_on, startAt(program, today(unit)))
  return openPeriod(unit, ctx, program, wanted)
}

/** Opens the period that has started. After a long pause, those that were missed are skipped. */
export async function openIfDue(unit: Unit, ctx: Mailing, program: Program): Promise<void> {
  const { next_on, ended_at } = program
  if (ended_at !== null || next_on === null || next_on > today(unit)) return
  await openPeriod(unit, ctx, program, startAt(program, today(unit)))
}

async function openPeriod(unit: Unit, ctx: Mailing, program: Program, wanted: string): Promise<RequestRow> {
  const { program_id, workspace_id: workspaceId, cadence, series, name, message } = program
  const { actor } = unit.acting
  if (actor.is === 'anonymous') throw new Error('nobody opens a period')
  const { number, period, from } = await unusedPeriod(unit, program, wanted)
  const next_on = startAfter(program, from)
  const title = `${name} ${period}`
  const maker = { is: 'workspace', workspaceId, actor } as const
  const { view } = await createSubmission(unit.db, ctx, { label: title, series }, maker)
  const { submission_id } = view
  const row = await unit.insert(requests, {
    sequence: await unit.record('program.period_opened', program_id, { period, submission_id }),
    program_id,
    period,
    number,
    from_on: from,
    to_on: cadence === 'none' || next_on === null ? null : addDays(next_on, -1),
    title,
    message,
    series,
    recipients: [],
    created_by: makerText(actor),
  })
  await addRound(unit, row, submission_id)
  await unit.update(programs, program_id, { next_on })
  await addItems(unit, ctx, row, program.items, new Set())
  const { items } = await viewOf(unit, row)
  await mailOwners(unit, ctx, row, items, phrase('mail.phrase.open'), `period ${program_id} ${period}`)
  return row
}

/** A program that had another cadence can have a period of this name already. */
async function unusedPeriod(unit: Unit, program: Program, wanted: string) {
  const { program_id, cadence } = program
  const [newest] = await periodRows(unit, program, NEWEST)
  const number = (newest?.number ?? 0) + 1
  for (let from = wanted; ; from = startAfter(program, from) ?? addDays(from, 1)) {
    const period = periodName(cadence, from, number)
    const taken = await unit.rows(requests, { program_id, period }).first()
    if (taken === undefined) return { number, period, from }
    if (cadence === 'none') throw new Error(`${program_id} has a period ${period} already`)
  }
}

/**
 * Adds the items that a period has not, which are due from its start, or from today if it has begun, and asks suppliers for theirs:
 * one request for each set of recipients.
 */
async function addItems(
  unit: Unit,
  ctx: Mailing,
  { request_id, from_on, title, message }: Pick<RequestRow, 'request_id' | 'from_on' | 'title' | 'message'>,
  items: readonly ProgramItem[],
  there: ReadonlySet<string>,
): Promise<void> {
  const begun = later(from_on ?? '', today(unit))
  const added = items
    .map((item, position) => ({ item, position }))
    .filter(({ item }) => !there.has(item.item_id))
  const groups = Map.groupBy(added, ({ item: { source, recipients } }) =>
    source === 'internal' ? source : JSON.stringify(recipients.toSorted()),
  )
  for (const [whom, group] of groups) {
    const rows = group.map(({ item, position }) => {
      const { item_id, title: name, description, owner_id, due_days } = item
      return {
        item_id,
        position,
        title: name,
        description,
        owner_id,
        due_at: dueOf(addDays(begun, due_days)),
      }
    })
    const recipients = group[0]?.item.recipients ?? []
    if (whom === 'internal') await insertItems(unit, request_id, rows)
    else
      await createRequest(unit, ctx, {
        values: { title, message, recipients, part_of: request_id },
        items: rows,
      })
  }
}

/** Changes a program, or ends it. The program is locked. */
export async function changeProgram(
  unit: Unit,
  ctx: Mailing,
  program: Program,
  { name, message, cadence, items, ended }: NonNullable<(typeof ProgramChange)['sends']>,
): Promise<Program> {
  if (program.ended_at !== null) throw new Refusal('program_ended', 'This program was ended.')
  const { program_id } = program
  const [newest] = await periodRows(unit, program, NEWEST)
  const isMoved = cadence !== undefined && newest !== undefined
  const changed = await unit.update(programs, program_id, {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(message === undefined ? {} : { message: message?.trim() || null }),
    ...(cadence === undefined ? {} : { cadence }),
    ...(isMoved ? { next_on: startAfter({ ...program, cadence }, newest.from_on ?? '') } : {}),
    ...(items === undefined ? {} : { items: await storedItems(unit, items) }),
    ...(ended === undefined ? {} : { ended_at: unit.at, next_on: null }),
  })
  if (items !== undefined && newest !== undefined) await changeItems(unit, ctx, program, changed, newest)
  const sent = Object.entries({ name, message, cadence, items }).filter(([, value]) => value !== undefined)
  const names = sent.map(([key]) => key).join(' ')
  if (names !== '') await unit.record('program.changed', program_id, { changed: names })
  if (ended === true) await unit.record('program.ended', program_id)
  return changed
}

/**
 * The period that is open gets the items that are new, and the new title, description, owner and due date of internal ones.
 * What a supplier was asked for stays as it was asked, and items that are removed stay until the period is sealed.
 */
async function changeItems(
  unit: Unit,
  ctx: Mailing,
  before: Program,
  { name, message, items }: Program,
  { request_id }: RequestRow,
): Promise<void> {
  const period = await lockRequest(unit, request_id)
  if (!isOpen(period)) return
  const { from_on, created_at } = period
  const named = { request_id, from_on, title: `${name} ${period.period}`, message }
  await addItems(unit, ctx, named, items, new Set(period.items.map(({ item_id }) => item_id)))
  const begun = later(from_on ?? '', created_at.slice(0, 10))
  for (const { item_id, title, description, owner_id, due_days, source } of items) {
    const item = period.items.find((each) => each.item_id === item_id)
    if (item?.part !== null || source !== 'internal') continue
    const former = before.items.find((each) => each.item_id === item_id)
    const isMoved = former !== undefined && former.due_days !== due_days
    await updateItem(unit, item, {
      title,
      description,
      ...(former?.owner_id === owner_id ? {} : { owner_id }),
      ...(isMoved ? { due_at: dueOf(addDays(begun, due_days)) } : {}),
    })
  }
}

const BATCH = 100

/** Opens the periods that have started. Once, also if several nodes do it at the same time. */
export async function openPeriods(ctx: MailingUnits): Promise<number> {
  const actor = { is: 'service' } as const
  const due = await ctx.units.read({ actor }, ({ db }) =>
    db
      .selectFrom('programs')
      .select(['program_id', 'workspace_id'])
      .where('next_on', 'is not', null)
      .where('next_on', '<=', dayOf(ctx.clock.now()))
      .orderBy('next_on')
      .limit(BATCH)
      .execute(),
  )
  for (const { program_id, workspace_id: workspaceId } of due)
    await ctx.units.write({ workspaceId, actor }, 'open period', async (unit) =>
      openIfDue(unit, ctx, await unit.own(programs).lock(program_id)),
    )
  return due.length
}
