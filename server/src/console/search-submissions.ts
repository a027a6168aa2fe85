import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { Database, JobsTable, SubmissionsTable } from '../database/schema.ts'
import type { WorkspaceId } from '../identifiers.ts'
import type { Page } from '../http/page-query.ts'
import { type SubmissionStatus, type SubmissionView, statusOf } from '../submissions/submission.ts'
import { replacements } from '../submissions/submission-queries.ts'
import type { ConsoleResponse } from './response-schemas.ts'
import { stageOf } from './submission-stage.ts'

export interface Search {
  /** Part of a label, or the ID of a submission, job or kit. */
  readonly text: string | undefined
  readonly label: string | undefined
  readonly status: SubmissionStatus | undefined
}

export interface FoundPage {
  readonly rows: readonly FoundRow[]
  /** Sequence to continue below. Undefined on the last page. */
  readonly before: number | undefined
}

type FoundRow = Pick<
  SubmissionsTable,
  | 'submission_id'
  | 'sequence'
  | 'label'
  | 'profile'
  | 'job_id'
  | 'created_at'
  | 'updated_at'
  | 'uploaded_bytes'
> &
  Pick<
    SubmissionView,
    'job_status' | 'job_updated_at' | 'kit_id' | 'blockers' | 'lease_owner' | 'lease_until'
  > & {
    readonly files: number | string | null
    readonly key_revoked_at: string | null
    readonly replaced_by: string | null
  }

/** The most rows that one request scans, however few match. */
export const ROWS_PER_SEARCH = 5000

/** Newest first. A search continues where the previous page stopped scanning. */
export async function searchSubmissions(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  search: Search,
  page: Page,
  now: string,
): Promise<FoundPage> {
  const floor = await scanLimit(db, workspaceId, page.before)
  const rows: readonly FoundRow[] = await db
    .selectFrom('submissions')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .leftJoin('kits', 'kits.kit_id', 'jobs.kit_id')
    .leftJoin('signing_keys', (join) =>
      join.onRef('signing_keys.kid', '=', 'kits.public_key_kid').on('signing_keys.state', '=', 'revoked'),
    )
    .select('signing_keys.revoked_at as key_revoked_at')
    .select((eb) => replacements(eb).select('successor.submission_id').as('replaced_by'))
    .select(['submissions.submission_id', 'submissions.sequence', 'submissions.label', 'submissions.profile'])
    .select(['submissions.job_id', 'submissions.created_at', 'submissions.updated_at'])
    .select(['submissions.uploaded_bytes', 'jobs.status as job_status', 'jobs.updated_at as job_updated_at'])
    .select(['jobs.kit_id', 'jobs.blockers', 'jobs.lease_owner', 'jobs.lease_until'])
    .select((eb) =>
      eb
        .selectFrom('evidence')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('evidence.submission_id', '=', 'submissions.submission_id')
        .as('files'),
    )
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.sequence', '<', page.before)
    .where('submissions.sequence', '>=', floor ?? 0)
    .where((eb) => eb.and(conditions(eb, search, now)))
    .orderBy('submissions.sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  if (rows.length > page.limit) {
    const shown = rows.slice(0, page.limit)
    return { rows: shown, before: shown.at(-1)?.sequence }
  }
  return { rows, before: floor }
}

/** The lowest sequence that this request may scan. Undefined if fewer rows are left. */
async function scanLimit(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  before: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('submissions')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(1)
    .offset(ROWS_PER_SEARCH)
    .executeTakeFirst()
  return row?.sequence
}

type Builder = ExpressionBuilder<{ submissions: SubmissionsTable; jobs: JobsTable }, 'submissions' | 'jobs'>

const ID = /^(sub|job|kit)_[A-Za-z0-9_-]{22,64}$/
const COLUMN = { sub: 'submissions.submission_id', job: 'jobs.job_id', kit: 'jobs.kit_id' } as const

function conditions(eb: Builder, { text, label, status }: Search, now: string): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  const kind = ID.exec(text ?? '')?.[1] as keyof typeof COLUMN | undefined
  if (text !== undefined && kind !== undefined) all.push(eb(eb.ref(COLUMN[kind]), '=', text as never))
  else if (text !== undefined) {
    // SQLite's lower() handles ASCII only, so other letters match case-sensitively.
    const part = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
    const column = eb.ref('submissions.label')
    all.push(
      sql<SqlBool>`(lower(${column}) like ${part.toLowerCase()} escape '!' or ${column} like ${part} escape '!')`,
    )
  }
  if (label !== undefined) all.push(eb('submissions.label', '=', label))
  if (status !== undefined) all.push(isStatus(eb, status, now))
  return all
}

/** `statusOf` as SQL. */
function isStatus(eb: Builder, status: SubmissionStatus, now: string): Expression<SqlBool> {
  const held = eb.and([eb('jobs.lease_owner', 'is not', null), eb('jobs.lease_until', '>', now)])
  const waiting = eb.or([
    eb('jobs.lease_owner', 'is', null),
    eb('jobs.lease_until', 'is', null),
    eb('jobs.lease_until', '<=', now),
  ])
  switch (status) {
    case 'PENDING':
      return eb.or([eb('jobs.status', '=', 'DRAFT'), eb.and([eb('jobs.status', '=', 'SUBMITTED'), waiting])])
    case 'RUNNING':
      return eb.or([eb('jobs.status', '=', 'PASS'), eb.and([eb('jobs.status', '=', 'SUBMITTED'), held])])
    case 'PASS':
      return eb('jobs.status', '=', 'ISSUED')
    case 'FAIL':
    case 'EXPIRED':
      return eb('jobs.status', '=', status)
  }
}

/** An entry of the submission list. */
export function summary(row: FoundRow, now: string): ConsoleResponse<'SubmissionSummary'> {
  const status = statusOf(row as unknown as SubmissionView, now)
  return {
    submission_id: row.submission_id,
    label: row.label,
    status,
    stage: stageOf(row, status),
    profile: row.profile,
    job_id: row.job_id,
    kit_id: row.kit_id,
    created_at: row.created_at,
    updated_at: row.updated_at > row.job_updated_at ? row.updated_at : row.job_updated_at,
    files: Number(row.files ?? 0),
    size_bytes: Number(row.uploaded_bytes),
    blockers: row.blockers === null ? 0 : (JSON.parse(row.blockers) as readonly unknown[]).length,
    key_revoked_at: row.key_revoked_at,
    replaced_by: row.replaced_by,
  }
}
