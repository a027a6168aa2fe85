import { BOUNDARY } from '@kitseal/kit/internal'
import type { ProgramItemsTable, ProgramsTable } from '../database/program-schema.ts'
import { UNFINISHED } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import type { FilledPeriod, PeriodItemView } from './period-items.ts'
import { emailsOf, type Owned } from './program-queries.ts'
import type {
  Period,
  PeriodItem,
  PeriodSummary,
  Program,
  ProgramBoard,
  ProgramList,
} from './program-schemas.ts'
import { progressOf, recipientsOf } from './request.ts'

type Listed = Omit<Program, 'items' | 'boundary'>

const listed = (program: ProgramsTable): Listed => ({
  program_id: program.program_id,
  workspace_id: program.workspace_id,
  name: program.name,
  series: program.series,
  cadence: program.cadence,
  starts_on: program.starts_on,
  message: program.message,
  next_period_on: program.next_on,
  created_at: program.created_at,
  updated_at: program.updated_at,
  ended_at: program.ended_at,
})

const itemsIn = (items: readonly Owned<ProgramItemsTable>[]): Program['items'] =>
  items.map((item) => ({ ...terms(item), due_days: item.due_days }))

const terms = (
  item: Pick<Owned<ProgramItemsTable>, Exclude<keyof PeriodItemTerms, 'recipients'>> & {
    readonly recipients: string
  },
): PeriodItemTerms => ({
  item_id: item.item_id,
  title: item.title,
  description: item.description,
  owner: item.owner,
  source: item.source,
  recipients: recipientsOf(item),
})

type PeriodItemTerms = Omit<Program['items'][number], 'due_days'>

/** A program as the API returns it. */
export const programRecord = (
  program: ProgramsTable,
  items: readonly Owned<ProgramItemsTable>[],
): Program => ({ ...listed(program), items: itemsIn(items), boundary: BOUNDARY })

/** A program in a list, with its newest period. */
export function programSummary(
  program: ProgramsTable,
  itemCount: number,
  period: FilledPeriod | undefined,
): ProgramList['data'][number] {
  const waiting = period?.items.filter(({ status }) => UNFINISHED.has(status)) ?? []
  const isSealed = period === undefined || period.status === 'sealed' || period.status === 'sealing'
  return {
    ...listed(program),
    item_count: itemCount,
    period: period === undefined ? null : periodSummary(period),
    next_due_at: isSealed ? null : (waiting.map(({ due_at }) => due_at).toSorted()[0] ?? null),
    late: waiting.filter((item) => item.is_late).length,
  }
}

export const periodSummary = (view: FilledPeriod): PeriodSummary => ({
  period: view.period,
  from: view.from_on,
  to: view.to_on,
  status: view.status,
  due_at:
    view.items
      .map(({ due_at }) => due_at)
      .toSorted()
      .at(-1) ?? null,
  submission_id: view.submission_id,
  failed_submission_id: view.failed_submission_id,
  kit_id: view.status === 'sealed' ? view.kit_id : null,
  progress: progressOf(view.items.map(({ status }) => status)),
  opened_at: view.opened_at,
  sealed_at: view.status === 'sealed' ? view.sealed_at : null,
})

/** Items × periods, without the names of files. */
export const boardRecord = (
  program: ProgramsTable,
  items: readonly Owned<ProgramItemsTable>[],
  periods: readonly FilledPeriod[],
  next: string | null,
): ProgramBoard => ({
  program: { ...listed(program), items: itemsIn(items) },
  periods: periods.map(periodSummary),
  cells: periods.flatMap((view) =>
    view.items.map(({ item_id, title, owner, status, due_at, is_late, files }) => ({
      period: view.period,
      item_id,
      title,
      owner,
      status,
      due_at,
      is_late,
      files: files.length,
      same_files: files.filter(({ same_as }) => same_as !== null).length,
    })),
  ),
  next_cursor: next,
  boundary: BOUNDARY,
})

/** A period with its items, as the API returns it. */
export async function periodRecord(db: Db, view: FilledPeriod): Promise<Period> {
  const comments = await commentsOf(db, view)
  return {
    program_id: view.program_id,
    ...periodSummary(view),
    items: view.items.map((item) => ({
      ...terms(item),
      due_at: item.due_at,
      is_late: item.is_late,
      status: item.status,
      not_applicable: item.not_applicable,
      evidence_request_id: item.request_id,
      files: [...item.files],
      comments: comments(item),
    })),
    boundary: BOUNDARY,
  }
}

interface StoredComment {
  readonly item_id: string
  readonly written_by: string
  readonly text: string
  readonly at: string
  readonly request_id?: string
}

/** Of internal items, and of the requests of the others. */
async function commentsOf(
  db: Db,
  { program_id, period, items }: FilledPeriod,
): Promise<(item: PeriodItemView) => PeriodItem['comments']> {
  const columns = ['item_id', 'written_by', 'text', 'at', 'number'] as const
  const own = await db
    .selectFrom('period_comments')
    .select(columns)
    .where('program_id', '=', program_id)
    .where('period', '=', period)
    .orderBy('number')
    .execute()
  const requests = [...new Set(items.flatMap(({ request_id }) => request_id ?? []))]
  const asked =
    requests.length === 0
      ? []
      : await db
          .selectFrom('request_comments')
          .select([...columns, 'request_id'])
          .where('request_id', 'in', requests)
          .execute()
  const all: readonly StoredComment[] = [...own, ...asked.toSorted((a, b) => a.number - b.number)]
  const members = all.flatMap(({ written_by }) => memberIn(written_by) ?? [])
  const emails = await emailsOf(db, members)
  return ({ item_id, request_id }) =>
    all
      .filter((each) => each.item_id === item_id && (each.request_id ?? null) === request_id)
      .map(({ written_by, text, at }) => ({
        by: written_by.startsWith('link:') ? 'supplier' : 'workspace',
        email: emails.get(memberIn(written_by) ?? '') ?? null,
        text,
        created_at: at,
      }))
}

const MEMBER = 'member:'
const memberIn = (text: string): MemberId | undefined =>
  text.startsWith(MEMBER) ? (text.slice(MEMBER.length) as MemberId) : undefined
