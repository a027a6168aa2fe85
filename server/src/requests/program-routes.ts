import { Type } from 'typebox'
import { BOUNDARY } from '@kitseal/kit/internal'
import { cutPage, type Reader, type Unit } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import { answer, member, pages, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import {
  Boundary,
  Count,
  DateTime,
  described,
  NullableString,
  NullableTime,
  OneOf,
  Nullable,
} from '../http/schema-parts.ts'
import { cursorOf } from '../http/page-query.ts'
import { itemsOfProfile, makerText, sourceProblems } from './create-request.ts'
import { changeProgram, openIfDue } from './open-period.ts'
import { periodsBefore } from './period-dates.ts'
import {
  NewProgram,
  type NewProgramItem,
  periodRows,
  type Program,
  PROGRAM_ITEM,
  ProgramChange,
  programProblems,
  programs,
  storedItems,
} from './program.ts'
import {
  decodeRequests,
  emailsOf,
  isOpen,
  ITEM_STATUSES,
  loadRequests,
  type RequestView,
  UNFINISHED,
} from './request.ts'
import { PeriodSummary, sameAsIn, shownPeriod } from './request-resource.ts'
import { BODY_LIMIT_BYTES, type RequestContext } from './request-routes.ts'

const LISTED = [
  'program_id',
  'name',
  'series',
  'cadence',
  'message',
  'created_at',
  'updated_at',
  'ended_at',
] as const
const DATES = {
  starts_on: Type.String({ format: 'date', description: 'Every period starts on this day of its month.' }),
  next_period_on: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'When the next period opens by itself. Null if none does.',
  }),
}
const Item = Type.Object({
  ...PROGRAM_ITEM,
  owner: NullableString('The email address of the member who supplies it.'),
})
const ownedItems = (description?: string) =>
  member(Type.Array(Item, described(description)), ({ owned }: Shown) => owned)

/** A program with the addresses of the owners of its items. */
async function shown(reader: Reader, program: Program) {
  const emails = await emailsOf(
    reader,
    program.items.map(({ owner_id }) => owner_id),
  )
  return {
    ...program,
    next_period_on: program.next_on,
    skipped_periods: periodsBefore(program, program.created_at.slice(0, 10)),
    owned: program.items.map(({ owner_id, ...item }) => {
      return Object.assign(item, { owner: emails.get(owner_id) ?? null })
    }),
  }
}
type Shown = Awaited<ReturnType<typeof shown>>

const ProgramResource = resource<typeof programs.columns, Shown>(
  'Program',
  'What a workspace shows again and again, item by item. Each period becomes a kit.',
  programs,
  {
    only: LISTED,
    and: {
      ...DATES,
      skipped_periods: Count(
        'Periods since `starts_on` that had ended when the program was created. They were not opened.',
      ),
      items: ownedItems('Those of the next period.'),
    },
  },
)

/** A program in a list, with its newest period. */
function summaryOf(program: Program, newest: RequestView | undefined) {
  const waiting = newest?.items.filter(({ status }) => UNFINISHED.has(status)) ?? []
  const dates = waiting.flatMap(({ due_at }) => due_at ?? [])
  return {
    ...program,
    next_period_on: program.next_on,
    item_count: program.items.length,
    period: newest === undefined ? null : shownPeriod(newest),
    next_due_at: newest !== undefined && isOpen(newest) ? (dates.toSorted()[0] ?? null) : null,
    late: waiting.filter(({ is_late }) => is_late).length,
  }
}

const List = pages(
  'ProgramList',
  'Newest first.',
  'programs',
  resource<typeof programs.columns, ReturnType<typeof summaryOf>>('', '', programs, {
    only: LISTED,
    boundary: 'none',
    and: {
      ...DATES,
      item_count: Count(),
      period: Nullable(PeriodSummary, 'The newest period.'),
      next_due_at: NullableTime('When the next item of that period is due that has nothing to review yet.'),
      late: Count('Items of that period that are late.'),
    },
  }),
)

const ProgramInBoard = resource<typeof programs.columns, Shown>('', '', programs, {
  only: LISTED,
  boundary: 'none',
  and: { ...DATES, items: ownedItems() },
})

interface Board {
  readonly program: Shown
  /** Newest first. */
  readonly periods: readonly RequestView[]
  readonly next: number | null
  readonly loaded: readonly RequestView[]
}
/** Items × periods, without the names of files. */
const BoardAnswer = answer<Board>(
  'ProgramBoard',
  'The items of a program in its periods.',
  {
    program: ProgramInBoard.item,
    periods: Type.Array(PeriodSummary, { description: 'Newest first.' }),
    cells: Type.Array(
      Type.Object({
        period: Type.String(),
        item_id: Type.String(),
        title: Type.String({ description: 'In this period.' }),
        owner: NullableString('Email address.'),
        status: OneOf(ITEM_STATUSES),
        due_at: DateTime(),
        is_late: Type.Boolean(),
        files: Count('How many it has.'),
        same_files: Count('How many of them the period before has, byte for byte.'),
      }),
    ),
    next_cursor: NullableString('Send it as `cursor` to get older periods. Null if there are none.'),
    boundary: Boundary(),
  },
  ({ program, periods, loaded, next }) => ({
    program: ProgramInBoard.showItem(program),
    periods: periods.map(shownPeriod),
    cells: periods.flatMap((view, index) => cellsOf(view, loaded[index + 1])),
    next_cursor: next === null ? null : cursorOf('periods', next),
    boundary: BOUNDARY,
  }),
)

function cellsOf({ period, items }: RequestView, before: RequestView | undefined) {
  const sameAs = sameAsIn(before)
  return items.map(({ item_id, title, owner, status, due_at, is_late, files }) => ({
    period,
    item_id,
    title,
    owner,
    status,
    due_at,
    is_late,
    files: files.length,
    same_files: files.filter((file) => sameAs(file) !== null).length,
  }))
}

/** Creates a program, and opens its first period if that has started. */
async function create(
  unit: Unit,
  ctx: RequestContext,
  { name: asked, cadence, starts_on, message }: NonNullable<(typeof NewProgram)['sends']>,
  items: readonly NewProgramItem[],
): Promise<Shown> {
  const program_id = ctx.identifiers.programId()
  const name = asked.trim()
  const sequence = await unit.record('program.created', program_id, { items: items.length, cadence })
  const program = await unit.insert(programs, {
    program_id,
    sequence,
    name,
    series: await unusedSeries(unit, name),
    cadence,
    starts_on,
    message: message?.trim() || null,
    next_on: starts_on,
    items: await storedItems(unit, items),
    created_by: makerText(unit.acting.actor),
  })
  await openIfDue(unit, ctx, program)
  return shown(unit, await unit.own(programs).find(program_id))
}

/** The name, or the name with a number if another program has that series. Kits of an existing series come before its own. */
async function unusedSeries(unit: Unit, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const series = count === 1 ? name : `${name} ${count}`
    if ((await unit.own(programs).where('series', '=', series).first()) === undefined) return series
  }
}

/** With the newest period of each. */
async function summaries(reader: Reader, rows: readonly Program[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ program_id }) => program_id)
  const newest = await reader.db
    .selectFrom('requests')
    .selectAll()
    .where('program_id', 'in', ids)
    .where('number', '=', (eb) =>
      eb
        .selectFrom('requests as all')
        .select(({ fn }) => fn.max<number>('all.number').as('number'))
        .whereRef('all.program_id', '=', 'requests.program_id'),
    )
    .execute()
  const periods = await loadRequests(reader, decodeRequests(reader, newest))
  return rows.map((row) =>
    summaryOf(
      row,
      periods.find(({ program_id }) => program_id === row.program_id),
    ),
  )
}

const url = '/v1/programs/:program_id'
const read = { scope: 'read', role: 'viewer' } as const
const write = { scope: 'requests', role: 'manager' } as const
const DEFAULT_PERIODS = 12

export const programRoutes = [
  route('createProgram', 'POST /v1/programs', {
    access: write,
    bodyLimit: BODY_LIMIT_BYTES,
    summary: 'Create a program',
    description:
      'A program is what you show again and again, such as the evidence of a quarterly review. Its periods open by themselves, and each becomes a kit of its series. If `starts_on` has passed, the current period opens at once, and those before it are not made: `skipped_periods` says how many.',
    once: 'A retry with the same key within 24 hours returns the first response and creates no second program.',
    body: NewProgram,
    example: {
      name: 'Access review',
      cadence: 'quarterly',
      starts_on: '2026-10-01',
      items: [{ item_id: 'CC6.1', title: 'List of users', due_days: 14 }],
    },
    check: (sent) => [...programProblems(sent), ...sourceProblems(sent)],
    returns: ProgramResource,
    location: url,
    codes: ['mail_off', 'profile_not_found'],
    async prepare({ findProfile }: RequestContext, { body: { items, profile }, caller }) {
      if (items !== undefined) return items
      const found = await itemsOfProfile(findProfile, workspaceOf(caller).workspaceId, profile ?? '')
      return found.map(({ id, title, description = null }) => ({ item_id: id, title, description }))
    },
    handle: (unit, call, ctx: RequestContext, items) => create(unit, ctx, call.body, items),
  }),
  route('listPrograms', 'GET /v1/programs', {
    access: read,
    summary: 'List programs, newest first',
    description: 'With the newest period of each. If `next_cursor` is not null, there are more.',
    returns: List,
    async read(reader, { page }) {
      const { rows, next } = await reader.own(programs).page('sequence', page)
      return { rows: await summaries(reader, rows), next }
    },
  }),
  route('getProgram', `GET ${url}`, {
    access: read,
    summary: 'Get a program',
    description: 'With its items. The board has its periods.',
    returns: ProgramResource,
    read: async (reader, { params }) => shown(reader, await reader.own(programs).find(params.program_id)),
  }),
  route('changeProgram', `PATCH ${url}`, {
    access: write,
    bodyLimit: BODY_LIMIT_BYTES,
    summary: 'Change a program, or end it',
    description:
      'Members that are left out stay as they are. `items` replaces the list for periods that open later. The period that is open gets the items that are new, and the new title, description, owner and due date of internal items. What a supplier was asked for stays as it was asked.',
    body: ProgramChange,
    example: { message: 'As agreed with the auditor.' },
    check: programProblems,
    returns: ProgramResource,
    codes: ['program_ended', 'mail_off', 'profile_not_found'],
    async handle(unit, { params, body: sent }, ctx: RequestContext) {
      const program = await unit.own(programs).lock(params.program_id)
      return shown(unit, await changeProgram(unit, ctx, program, sent))
    },
  }),
  route('getProgramBoard', `GET ${url}/board`, {
    access: read,
    summary: 'Get the board of a program',
    description: 'The status of every item in the newest periods, without the names of files.',
    query: {
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 24, default: DEFAULT_PERIODS, description: 'Periods.' }),
      ),
    },
    returns: { ...BoardAnswer, pages: 'periods' },
    async read(reader, { params, page: { before }, query: { limit = DEFAULT_PERIODS } }) {
      const program = await reader.own(programs).find(params.program_id)
      // One more, which is the one before the oldest.
      const rows = await periodRows(reader, program, { before, limit: limit + 1 })
      const loaded = await loadRequests(reader, rows)
      const { rows: periods, next } = cutPage(loaded, limit, ({ number }) => number)
      return { program: await shown(reader, program), periods, loaded, next }
    },
  }),
]
