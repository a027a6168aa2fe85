import type { ProgramItemsTable, ProgramPeriodsTable, ProgramsTable } from '../database/program-schema.ts'
import type { Db, SubmissionsTable, JobStatus } from '../database/schema.ts'
import type { MemberId, ProgramId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Page } from '../http/page-query.ts'
import type { PeriodStatus } from './program-schemas.ts'

/** The program of a workspace. One of another workspace is reported as not found. */
export async function findProgram(db: Db, workspaceId: WorkspaceId, id: string): Promise<ProgramsTable> {
  const program = await db
    .selectFrom('programs')
    .selectAll()
    .where('program_id', '=', id as ProgramId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (program === undefined)
    throw new Refusal('program_not_found', 'Program not found in this workspace.', { param: 'program_id' })
  return program
}

/** Locks a program, so that changes to it and its periods come one after the other. */
export const lockProgram = (trx: Db, id: ProgramId): Promise<ProgramsTable> =>
  trx.selectFrom('programs').selectAll().where('program_id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Newest first, only sequences below `before`. */
export const listPrograms = (
  db: Db,
  workspaceId: WorkspaceId,
  { before, limit }: Omit<Page, 'list'>,
): Promise<readonly ProgramsTable[]> =>
  db
    .selectFrom('programs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()

/** An item with the address of its owner. Null if the member has left. */
export type Owned<Row> = Row & { readonly owner: string | null }

export async function itemsOfProgram(db: Db, id: ProgramId): Promise<readonly Owned<ProgramItemsTable>[]> {
  const rows = await db.selectFrom('program_items').selectAll().where('program_id', '=', id).execute()
  return (await withOwners(db, rows)).toSorted((a, b) => a.position - b.position)
}

export async function withOwners<Row extends { readonly owner_id: MemberId | null }>(
  db: Db,
  rows: readonly Row[],
): Promise<Owned<Row>[]> {
  const emails = await emailsOf(
    db,
    rows.map(({ owner_id }) => owner_id),
  )
  return rows.map((row) => Object.assign({ owner: emails.get(row.owner_id ?? '') ?? null }, row))
}

/** Of members who have not left. */
export async function emailsOf(
  db: Db,
  given: readonly (MemberId | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(given.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const members = await db
    .selectFrom('members')
    .select(['member_id', 'email'])
    .where('member_id', 'in', ids)
    .where('removed_at', 'is', null)
    .execute()
  return new Map(members.map(({ member_id, email }) => [member_id, email]))
}

/** A period with the state of its submission. */
export interface PeriodView extends ProgramPeriodsTable {
  readonly job_id: SubmissionsTable['job_id']
  readonly job_status: JobStatus
  readonly kit_id: SubmissionsTable['kit_id']
  readonly sealed_at: string | null
  readonly status: PeriodStatus
}

const STATUSES: Readonly<Record<JobStatus, PeriodStatus>> = {
  DRAFT: 'open',
  SUBMITTED: 'sealing',
  PASS: 'sealing',
  FAIL: 'failed',
  ISSUED: 'sealed',
  EXPIRED: 'sealed',
}

const periods = (db: Db) =>
  db
    .selectFrom('program_periods')
    .innerJoin('submissions', 'submissions.submission_id', 'program_periods.submission_id')
    .leftJoin('kits', 'kits.kit_id', 'submissions.kit_id')
    .selectAll('program_periods')
    .select([
      'submissions.job_id',
      'submissions.status as job_status',
      'submissions.kit_id',
      'kits.issued_at as sealed_at',
    ])

const withStatus = <Row extends Omit<PeriodView, 'status'>>(row: Row): PeriodView => {
  const status = STATUSES[row.job_status]
  return { ...row, status: status === 'open' && row.failed_submission_id !== null ? 'failed' : status }
}

/** Of the column. */
const MAX_NUMBER = 2 ** 31 - 1

/** Newest first, only numbers below `before`. */
export async function listPeriods(
  db: Db,
  id: ProgramId,
  { before, limit }: Omit<Page, 'list'>,
): Promise<readonly PeriodView[]> {
  const rows = await periods(db)
    .where('program_periods.program_id', '=', id)
    .where('program_periods.number', '<', Math.min(before, MAX_NUMBER))
    .orderBy('program_periods.number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withStatus)
}

/** The newest period of each program. */
export async function newestPeriods(
  db: Db,
  ids: readonly ProgramId[],
): Promise<ReadonlyMap<string, PeriodView>> {
  if (ids.length === 0) return new Map()
  const rows = await periods(db)
    .where('program_periods.program_id', 'in', ids)
    .where('program_periods.number', '=', (eb) =>
      eb
        .selectFrom('program_periods as all')
        .select(({ fn }) => fn.max<number>('all.number').as('number'))
        .whereRef('all.program_id', '=', 'program_periods.program_id'),
    )
    .execute()
  return new Map(rows.map((row) => [row.program_id as string, withStatus(row)]))
}

/** The period of a program. */
export async function findPeriod(db: Db, id: ProgramId, period: string): Promise<PeriodView> {
  const row = await periods(db)
    .where('program_periods.program_id', '=', id)
    .where('program_periods.period', '=', period)
    .executeTakeFirst()
  if (row === undefined)
    throw new Refusal('period_not_found', 'The program has no period with this name.', { param: 'period' })
  return withStatus(row)
}

/** The period that a submission belongs to. */
export async function periodOfSubmission(db: Db, id: SubmissionId): Promise<PeriodView | undefined> {
  const row = await periods(db).where('program_periods.submission_id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : withStatus(row)
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
