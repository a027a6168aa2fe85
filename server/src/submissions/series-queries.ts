import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { Page } from '../http/page-query.ts'

interface ListedSeries {
  readonly series: string
  readonly kits: number | string
  readonly last_at: string
  readonly sequence: number | string
}

/**
 * The series of a workspace, by their newest submissions. `sequence` is the number of that submission. The index is read
 * once for each series, not for each submission.
 */
export async function listSeries(db: Db, workspaceId: WorkspaceId, { before, limit }: Omit<Page, 'list'>) {
  const { rows } = await sql<ListedSeries>`
    with recursive names(series) as (
      select min(series) from submissions where workspace_id = ${workspaceId} and series is not null
      union all
      select (select min(series) from submissions
        where workspace_id = ${workspaceId} and series is not null and series > names.series)
      from names where names.series is not null),
    newest as (
      select series, (select max(sequence) from submissions where workspace_id = ${workspaceId}
        and submissions.series is not null and submissions.series = names.series) as sequence
      from names where series is not null),
    page as (
      select series, sequence from newest where sequence < ${before} order by sequence desc limit ${limit})
    select page.series, page.sequence, submissions.created_at as last_at,
      coalesce((select kits from series_counts
        where series_counts.workspace_id = ${workspaceId} and series_counts.series = page.series), 0) as kits
    from page join submissions
      on submissions.workspace_id = ${workspaceId} and submissions.sequence = page.sequence
    order by page.sequence desc`.execute(db)
  return rows.map(({ series, kits, last_at, sequence }) => {
    return { series, kits: Number(kits), last_at, sequence: Number(sequence) }
  })
}

export interface SeriesKit {
  readonly kit_id: string
  readonly submission_id: string
  readonly label: string
  readonly issued_at: string
  readonly previous_kit_id: string | null
  readonly gap_days: number | null
  readonly sequence: number
}

/** More than enough for one kit a day. Older kits are in the list, and not in what is usual. */
const MAX_KITS = 5000

/** Every kit of a series, newest first. Undefined if no submission names it. */
export async function readSeries(
  db: Db,
  workspaceId: WorkspaceId,
  series: string,
): Promise<readonly SeriesKit[] | undefined> {
  const rows = await db
    .selectFrom('submissions')
    .leftJoin('kits', 'kits.kit_id', 'submissions.kit_id')
    .select(['kits.kit_id', 'kits.issued_at', 'submissions.submission_id', 'submissions.label'])
    .select('submissions.sequence')
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.series', '=', series)
    .where('submissions.replaces_kit_id', 'is', null)
    .orderBy('submissions.sequence', 'desc')
    .limit(MAX_KITS)
    .execute()
  if (rows.length === 0) return undefined
  const kits = rows.flatMap(({ kit_id, issued_at, ...row }) =>
    kit_id === null || issued_at === null ? [] : [{ ...row, kit_id, issued_at }],
  )
  const gaps = gapsIn(kits.map(({ issued_at }) => issued_at))
  return kits.map(({ kit_id, submission_id, label, issued_at, sequence }, index) => ({
    kit_id,
    submission_id,
    label,
    issued_at,
    sequence: Number(sequence),
    previous_kit_id: kits[index + 1]?.kit_id ?? null,
    gap_days: gaps[index] ?? null,
  }))
}

const DAY_MS = 86_400_000
/** A longer pause than this many times the usual one is a gap. */
const TOLERANCE = 1.6
const MIN_GAP_DAYS = 2

/**
 * For each time, newest first: the number of days before it without another, if they are many. With fewer than three, nothing
 * is usual.
 */
export function gapsIn(times: readonly string[]): readonly (number | undefined)[] {
  const pauses = pausesOf(times)
  const usual = usualOf(pauses)
  if (usual === undefined) return times.map(() => undefined)
  return times.map((_, index) => {
    const pause = pauses[index] ?? 0
    const days = Math.round(pause / DAY_MS)
    return days >= MIN_GAP_DAYS && pause > usual * TOLERANCE ? days : undefined
  })
}

/** When the next one is due, if they come as often as usual. Undefined if nothing is usual. */
export function nextAfter(times: readonly string[]): string | undefined {
  const usual = usualOf(pausesOf(times))
  const isRegular = usual !== undefined && usual >= MIN_GAP_DAYS * DAY_MS
  return isRegular ? new Date(Date.parse(times[0] ?? '') + usual).toISOString() : undefined
}

const pausesOf = (times: readonly string[]): readonly number[] =>
  times.slice(0, -1).map((time, index) => Date.parse(time) - Date.parse(times[index + 1] ?? time))

/** The median. */
function usualOf(pauses: readonly number[]): number | undefined {
  if (pauses.length < 2) return undefined
  return pauses.toSorted((a, b) => a - b)[Math.floor((pauses.length - 1) / 2)]
}
