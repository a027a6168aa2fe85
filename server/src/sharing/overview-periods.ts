import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { MemberId, ProgramId, WorkspaceId } from '../runtime/identifiers.ts'
import type { Overview } from '../submissions/summary-schemas.ts'
import { fillPeriods } from './period-items.ts'
import { findPeriod } from './program-queries.ts'

type Waiting = Overview['waiting'][number]

/** The most items that are looked at. */
const MAX_ITEMS = 200

/** The open items of a member, the next due first, and the periods of the workspace that were not sealed because of their files. */
export function periodQueries(db: Db, workspaceId: WorkspaceId, memberId: MemberId | undefined) {
  return {
    items:
      memberId === undefined
        ? undefined
        : db
            .selectFrom('period_items')
            .innerJoin('programs', 'programs.program_id', 'period_items.program_id')
            .select(['period_items.program_id', 'period_items.period', 'programs.name'])
            .where('owner_id', '=', memberId)
            .where('sealed_status', 'is', null)
            .orderBy('due_at')
            .limit(MAX_ITEMS),
    failedPeriods: db
      .selectFrom('programs')
      .innerJoin('program_periods', 'program_periods.program_id', 'programs.program_id')
      .innerJoin('submissions', 'submissions.submission_id', 'program_periods.failed_submission_id')
      .select([
        'programs.program_id',
        'programs.name',
        'program_periods.period',
        'submissions.job_updated_at as at',
      ])
      .where('programs.workspace_id', '=', workspaceId)
      .where('failed_submission_id', 'is not', null),
  }
}

export async function periodRows(
  db: Db,
  nowMs: number,
  workspaceId: WorkspaceId,
  memberId: MemberId | undefined,
): Promise<readonly Waiting[]> {
  const queries = periodQueries(db, workspaceId, memberId)
  const failed = (await queries.failedPeriods.execute()).map(({ program_id: id, name, period, at }) =>
    row('period_failed', { id, title: `${name} ${period}`, at, period, item_id: null }),
  )
  const owned = (await queries.items?.execute()) ?? []
  const periods = new Map(owned.map((each) => [`${each.program_id} ${each.period}`, each]))
  const items: Waiting[] = []
  for (const { program_id, period, name } of periods.values())
    items.push(...(await itemRows(db, nowMs, { program_id, period, name }, memberId)))
  return [...failed, ...items.toSorted((a, b) => (a.at < b.at ? -1 : 1))]
}

async function itemRows(
  db: Db,
  nowMs: number,
  of: { readonly program_id: ProgramId; readonly period: string; readonly name: string },
  memberId: MemberId | undefined,
): Promise<readonly Waiting[]> {
  const view = await findPeriod(db, of.program_id, of.period)
  const [filled] = await fillPeriods(db, of.program_id, [view], timestamp(nowMs))
  const own = filled?.items.filter(
    ({ owner_id, status }) => owner_id === memberId && (status === 'missing' || status === 'needs_changes'),
  )
  return (own ?? []).map(({ item_id, title, status, due_at: at, is_late }) => {
    const what = status === 'needs_changes' ? 'item_sent_back' : is_late ? 'item_late' : 'item'
    const text = `${of.name} ${of.period}: ${item_id} ${title}`
    return row(what, { id: of.program_id, title: text, at, period: of.period, item_id })
  })
}

const row = (
  what: Waiting['what'],
  of: Pick<Waiting, 'id' | 'title' | 'at' | 'period' | 'item_id'>,
): Waiting => ({ what, submission_id: null, count: null, reason: null, ...of })
