import { type Expression, sql, type SqlBool } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { PagedList } from '../http/page-query.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import {
  type Common,
  commonFilters,
  filterConditions,
  sequenceRange,
  type SubmissionBuilder,
  type SubmissionFilters,
} from './submission-filters.ts'

/** A leading minus sign reverses the order. */
export const SORTS = ['-created_at', 'created_at', 'label', '-label', 'size_bytes', '-size_bytes'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = '-created_at'

/** Each order has its own cursors. */
export const listOf = (sort: Sort = DEFAULT_SORT): PagedList =>
  sort === DEFAULT_SORT ? 'submissions' : `submissions by ${sort}`

export interface FindSubmissions {
  readonly workspaceId: WorkspaceId
  readonly filters: SubmissionFilters
  /** Conditions on columns with an index. */
  readonly exact?: (eb: SubmissionBuilder) => readonly Expression<SqlBool>[]
  /** A condition without an index: at most `ROWS_PER_SCAN` rows are read. */
  readonly also?: ((eb: SubmissionBuilder) => Expression<SqlBool>) | undefined
  readonly sort: Sort
  /** The last sequence of the page before. */
  readonly after: number | undefined
  readonly limit: number
  readonly now: string
}

export interface FoundPage {
  /** In order. */
  readonly sequences: readonly number[]
  /** Where the next page begins, if there is one. */
  readonly next: number | undefined
}

/** The most rows that one request looks through, however few match. */
export const ROWS_PER_SCAN = 5000

const COLUMNS = { created_at: undefined, label: 'label_key', size_bytes: 'uploaded_bytes' } as const

/** One page of a list, as sequence numbers. */
export async function findSubmissions(db: Db, find: FindSubmissions): Promise<FoundPage> {
  const { workspaceId, filters, after, limit, sort } = find
  const column = columnOf(sort)
  const range = await sequenceRange(db, workspaceId, filters)
  const common = await commonFilters(db, workspaceId, filters)
  const isScan = find.also !== undefined || (column === undefined && common.isScan)
  const end = isScan ? await scanEnd(db, find) : undefined
  const value =
    column === undefined || after === undefined ? undefined : await valueOf(db, workspaceId, column, after)
  if (column !== undefined && after !== undefined && value === undefined)
    return { sequences: [], next: undefined }
  const rows = await pageQuery(db, find, { ...range, end, value, common }).execute()
  const sequences = rows.slice(0, limit).map(({ sequence }) => sequence)
  return { sequences, next: rows.length > limit ? sequences.at(-1) : end }
}

export interface PageBounds {
  readonly first: number
  readonly last: number
  /** Where an unindexed scan ends. */
  readonly end?: number | undefined
  /** What the last row of the page before is sorted by, if not by its sequence. */
  readonly value?: string | number | undefined
  readonly common?: Common
}

/** One row more than the page has, which shows whether there is a next page. */
export function pageQuery(db: Db, find: FindSubmissions, bounds: PageBounds) {
  const { workspaceId, filters, after, also, exact } = find
  const { first, last, end, value } = bounds
  const column = columnOf(find.sort)
  const [direction, past] = isDescending(find) ? (['desc', '<'] as const) : (['asc', '>'] as const)
  const ofPage = db
    .selectFrom('submissions')
    .select('submissions.sequence')
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.sequence', 'is not', null)
    .$narrowType<{ sequence: number }>()
    .where((eb) => eb.and(filterConditions(eb, workspaceId, filters, find.now, bounds.common)))
    .$if(exact !== undefined, (query) => query.where((eb) => eb.and(exact?.(eb) ?? [])))
    .$if(also !== undefined, (query) => query.where((eb) => also?.(eb) ?? eb.and([])))
    .$if(first > 0, (query) => query.where('submissions.sequence', '>=', first))
    .$if(last < Number.MAX_SAFE_INTEGER, (query) => query.where('submissions.sequence', '<=', last))
    .$if(end !== undefined, (query) =>
      query.where('submissions.sequence', isDescending(find) ? '>=' : '<=', end ?? 0),
    )
    .limit(find.limit + 1)
  if (column === undefined)
    return ofPage
      .$if(after !== undefined, (query) => query.where('submissions.sequence', past, after ?? 0))
      .orderBy('submissions.sequence', direction)
  const [at, place] = [sql.ref(`submissions.${column}`), sql.ref('submissions.sequence')]
  return ofPage
    .$if(value !== undefined, (query) =>
      query.where(sql<SqlBool>`(${at}, ${place}) ${sql.raw(past)} (${value}, ${after})`),
    )
    .where(`submissions.${column}`, 'is not', null)
    .orderBy(`submissions.${column}`, direction)
    .orderBy('submissions.sequence', direction)
}

const isDescending = ({ sort }: FindSubmissions): boolean => sort.startsWith('-')
const columnOf = (sort: Sort) => COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS]

/** What the last row of the page before was sorted by. */
async function valueOf(
  db: Db,
  workspaceId: WorkspaceId,
  column: 'label_key' | 'uploaded_bytes',
  sequence: number,
): Promise<string | number | undefined> {
  const row = await db
    .selectFrom('submissions')
    .select(column)
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row?.[column] ?? undefined
}

/** The last sequence that this request may scan. Undefined if fewer rows are left. */
async function scanEnd(db: Db, find: FindSubmissions): Promise<number | undefined> {
  const { workspaceId, after } = find
  const [direction, past] = isDescending(find) ? (['desc', '<'] as const) : (['asc', '>'] as const)
  const row = await db
    .selectFrom('submissions')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('sequence', 'is not', null)
    .$if(after !== undefined, (query) => query.where('sequence', past, after ?? 0))
    .orderBy('sequence', direction)
    .limit(1)
    .offset(ROWS_PER_SCAN)
    .executeTakeFirst()
  return row?.sequence ?? undefined
}
