import { timestamp } from '../runtime/clock.ts'
import type { ProgramItemsTable, ProgramsTable } from '../database/program-schema.ts'
import type { Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { itemRows } from './create-program.ts'
import { dueOf, type Requester } from './create-request.ts'
import { addItems, type OpenContext } from './open-period.ts'
import { addDays, later, startAfter } from './period-dates.ts'
import { isOpen, itemsOfProgram, listPeriods, type PeriodView } from './program-queries.ts'
import type { NewProgramItem, ProgramChange } from './program-schemas.ts'

/** Changes a program, or ends it. The program is locked. */
export async function changeProgram(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  { name, message, cadence, items, ended }: ProgramChange,
  requester: Requester,
): Promise<void> {
  if (program.ended_at !== null) throw new Refusal('program_ended', 'This program was ended.')
  const at = timestamp(ctx.clock.now())
  const [newest] = await listPeriods(trx, program.program_id, { before: Number.MAX_SAFE_INTEGER, limit: 1 })
  const values: Partial<ProgramsTable> = {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(message === undefined ? {} : { message: message?.trim() || null }),
    ...(cadence === undefined ? {} : { cadence }),
    ...(cadence === undefined || newest === undefined
      ? {}
      : { next_on: startAfter({ ...program, cadence }, newest.from_on) }),
    ...(ended === undefined ? {} : { ended_at: at, next_on: null }),
  }
  const changed = { ...program, ...values, updated_at: at }
  const { program_id } = program
  await trx
    .updateTable('programs')
    .set({ ...values, updated_at: at })
    .where('program_id', '=', program_id)
    .execute()
  if (items !== undefined) await replaceItems(trx, ctx, changed, newest, items, requester)
  const what = { name, message, cadence, items }
  const names = Object.entries(what).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  const event = { ...requester, subject: program_id, at } as const
  if (names.length > 0)
    await recordEvent(trx, { ...event, action: 'program.changed', details: { changed: names.join(' ') } })
  if (ended === true) await recordEvent(trx, { ...event, action: 'program.ended' })
}

async function replaceItems(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  newest: PeriodView | undefined,
  items: readonly NewProgramItem[],
  requester: Requester,
): Promise<void> {
  const { program_id, workspace_id } = program
  const before = await itemsOfProgram(trx, program_id)
  const rows = await itemRows(trx, workspace_id, program_id, items)
  await trx.deleteFrom('program_items').where('program_id', '=', program_id).execute()
  await trx.insertInto('program_items').values(rows).execute()
  if (newest !== undefined && isOpen(newest))
    await changeOpen(trx, ctx, program, newest, before, rows, requester)
}

/**
 * The period that is open gets the items that are new, and the new title, description, owner and due date of internal ones.
 * What a supplier was asked for stays as it was asked, and items that are removed stay until the period is sealed.
 */
async function changeOpen(
  trx: Db,
  ctx: OpenContext,
  program: ProgramsTable,
  { period, from_on: from, opened_at }: PeriodView,
  before: readonly ProgramItemsTable[],
  rows: readonly ProgramItemsTable[],
  requester: Requester,
): Promise<void> {
  const { program_id } = program
  const there = await trx
    .selectFrom('period_items')
    .select(['item_id', 'source'])
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .execute()
  const sources = new Map(there.map(({ item_id, source }) => [item_id, source]))
  const added = rows.filter(({ item_id }) => !sources.has(item_id))
  await addItems(trx, ctx, program, { period, from }, added, requester)
  for (const row of rows) {
    const { item_id, title, description, owner_id, due_days } = row
    if (sources.get(item_id) !== 'internal' || row.source !== 'internal') continue
    const former = before.find((item) => item.item_id === item_id)
    const isMoved = former !== undefined && former.due_days !== due_days
    const due = isMoved ? { due_at: dueOf(addDays(later(from, opened_at.slice(0, 10)), due_days)) ?? '' } : {}
    const owner = former?.owner_id === owner_id ? {} : { owner_id }
    await trx
      .updateTable('period_items')
      .set({ title, description, ...owner, ...due })
      .where('program_id', '=', program_id)
      .where('period', '=', period)
      .where('item_id', '=', item_id)
      .execute()
  }
}
