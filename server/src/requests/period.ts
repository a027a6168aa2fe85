import type { Bounds, Reader } from '../database/unit.ts'
import { Refusal } from '../refusals.ts'
import { type Program, programs } from './program.ts'
import {
  byFolder,
  decodeRequests,
  emailsOf,
  type ItemRow,
  type ItemStatus,
  type ItemView,
  loadRequests,
  requests,
  type RequestFile,
  type RequestRow,
  type RequestView,
  UNFINISHED,
} from './request.ts'

export const PERIOD_STATUSES = ['open', 'sealing', 'sealed', 'failed'] as const
type PeriodStatus = (typeof PERIOD_STATUSES)[number]

interface PeriodFile extends RequestFile {
  /** The file of the period before with the same bytes. */
  same_as: { readonly period: string; readonly name: string } | null
}

export interface PeriodItem extends ItemRow {
  readonly status: ItemStatus
  readonly is_late: boolean
  readonly due: string
  readonly source: 'internal' | 'request'
  /** The address of the colleague. Null if they have left. */
  readonly owner: string | null
  /** To the supplier. */
  readonly request: RequestView | null
  readonly reason_given: string | null
  readonly files: readonly PeriodFile[]
}

/** A period as its program shows it: with the items of its suppliers. */
export interface PeriodView extends Omit<RequestView, 'status' | 'items' | 'files'> {
  readonly program_id: NonNullable<RequestRow['program_id']>
  readonly period: string
  readonly status: PeriodStatus
  readonly newest: NonNullable<RequestView['newest']>
  /** Without the items of suppliers. */
  readonly own: RequestView
  /** What suppliers are asked for. */
  readonly parts: readonly RequestView[]
  readonly items: readonly PeriodItem[]
}

export const programOf = (reader: Reader, { program_id }: RequestRow): Promise<Program> =>
  reader.own(programs).find(program_id ?? '')

/** The newest periods of a program, only those with a number below `before`. */
export const periodRows = (
  reader: Reader,
  { program_id }: Pick<Program, 'program_id'>,
  { before, limit }: Bounds,
): Promise<readonly RequestRow[]> =>
  reader.rows(requests, { program_id }).where('number', '<', before).orderBy('number', 'desc').all(limit)

export async function findPeriod(
  reader: Reader,
  { program_id }: Pick<Program, 'program_id'>,
  period: string,
): Promise<RequestRow> {
  const row = await reader.rows(requests, { program_id, period }).first()
  if (row === undefined)
    throw new Refusal('period_not_found', 'The program has no period with this name.', { param: 'period' })
  return row
}

/** With what the period before had. */
export async function loadPeriod(reader: Reader, row: RequestRow): Promise<PeriodView> {
  const of = { program_id: row.program_id! }
  const before = await periodRows(reader, of, { before: row.number ?? 0, limit: 1 })
  const [view] = await loadPeriods(reader, [row, ...before])
  return view!
}

/** Each with what the period before had, if that is among the rows. */
export async function loadPeriods(reader: Reader, rows: readonly RequestRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ request_id }) => request_id)
  const parts = decodeRequests(
    reader,
    await reader.db.selectFrom('requests').selectAll().where('part_of', 'in', ids).execute(),
  )
  // The kit of a sealed period has what suppliers sent.
  const open = new Set<string>(
    rows.filter((row) => row.closed_at === null).map(({ request_id }) => request_id),
  )
  const views = await loadRequests(
    reader,
    [...rows, ...parts],
    ({ part_of }) => part_of === null || open.has(part_of),
  )
  const asked = Map.groupBy(views.slice(rows.length), ({ part_of }) => part_of)
  const emails = await emailsOf(
    reader,
    views.flatMap(({ items }) => items.map(({ owner_id }) => owner_id)),
  )
  const periods = views
    .slice(0, rows.length)
    .map((own) => withParts(own, asked.get(own.request_id) ?? [], emails, reader.at))
  for (const period of periods) {
    const { program_id, number } = period
    const sameAs = sameFiles(
      periods.find((each) => each.program_id === program_id && each.number === (number ?? 0) - 1),
    )
    for (const file of period.items.flatMap(({ files }) => files)) file.same_as = sameAs(file)
  }
  return periods
}

function withParts(
  own: RequestView,
  parts: readonly RequestView[],
  emails: Awaited<ReturnType<typeof emailsOf>>,
  at: string,
): PeriodView {
  const { program_id, period, newest, items: _, files, ...row } = own
  if (program_id === null || period === null || newest === undefined) throw new Error('this is no period')
  const status = statusOf(own)
  const canChange = isOpen({ status })
  const sealed = byFolder(files.handed)
  const shown = (item: ItemView, request: RequestView | null): PeriodItem => {
    const itsStatus = item.sealed_status ?? item.status
    const its = canChange && request !== null ? item.files : (sealed.get(item.item_id) ?? [])
    const due = item.due_at ?? ''
    return {
      ...item,
      status: itsStatus,
      due,
      is_late: canChange && due < at && UNFINISHED.has(itsStatus),
      source: request === null ? 'internal' : 'request',
      owner: emails.get(item.owner_id) ?? null,
      request,
      reason_given: itsStatus === 'not_applicable' ? (item.reason ?? item.not_applicable) : null,
      files: its.map((file) => Object.assign({ same_as: null }, file)),
    }
  }
  const items = [
    ...own.items.map((item) => shown(item, null)),
    ...parts.flatMap((part) => part.items.map((item) => shown(item, part))),
  ].toSorted((a, b) => a.position - b.position)
  return { ...row, program_id, period, newest, own, parts, status, items }
}

function statusOf({ newest, rounds }: RequestView): PeriodStatus {
  if (newest?.status === 'DRAFT') return rounds.length > 1 ? 'failed' : 'open'
  if (newest?.status === 'FAIL') return 'failed'
  return newest?.status === 'SUBMITTED' || newest?.status === 'PASS' ? 'sealing' : 'sealed'
}

/** A file of the same name first, and else one with the same bytes. */
function sameFiles(before: PeriodView | undefined): (file: RequestFile) => PeriodFile['same_as'] {
  if (before === undefined) return () => null
  const { period } = before
  const earlier = before.items.flatMap(({ files }) => files)
  const names = new Set(earlier.map(({ name, sha256 }) => `${sha256} ${name}`))
  const bySha256 = new Map(earlier.map(({ name, sha256 }) => [sha256, name]))
  return ({ name, sha256 }) => {
    const same = names.has(`${sha256} ${name}`) ? name : bySha256.get(sha256)
    return same === undefined ? null : { period, name: same }
  }
}

export const isOpen = ({ status }: Pick<PeriodView, 'status'>): boolean =>
  status === 'open' || status === 'failed'

/** For changes of a period. */
export function rejectSealed(view: PeriodView): void {
  if (!isOpen(view))
    throw new Refusal(
      'period_sealed',
      view.status === 'sealing' ? 'This period is being sealed.' : 'This period is sealed.',
    )
}

/** Requests to suppliers that sealing the period closes. */
export const openParts = ({ parts }: PeriodView): readonly RequestView[] =>
  parts.filter(({ status }) => status === 'open' || status === 'submitted')
