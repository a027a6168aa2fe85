// docs/decisions/0410
import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Database, JobsTable, WordField } from '../database/schema.ts'
import type { WorkspaceId } from '../identifiers.ts'
import { tagKey, termsOf } from './search-words.ts'
import type { SubmissionStatus } from './submission.ts'

export interface SubmissionFilters {
  readonly status?: SubmissionStatus | undefined
  /** Words of the label, or how they start. */
  readonly label?: string | undefined
  /** Words of file names, or how they start. */
  readonly path?: string | undefined
  /** Words of label, file names or tags, or how they start. */
  readonly words?: string | undefined
  readonly series?: string | undefined
  readonly tag?: string | undefined
  readonly external_id?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

export type SubmissionBuilder = ExpressionBuilder<
  Pick<Database, 'submissions' | 'jobs' | 'submission_words'>,
  'submissions' | 'jobs'
>

/** Conditions on submissions joined with jobs. Each can use an index, whatever the others are. */
export function filterConditions(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  filters: SubmissionFilters,
  now: string,
): readonly Expression<SqlBool>[] {
  const { status, series, tag, external_id, created_after, created_before } = filters
  return [
    ...words(eb, workspaceId, ['label'], filters.label),
    ...words(eb, workspaceId, ['path'], filters.path),
    ...words(eb, workspaceId, ['label', 'path', 'tag'], filters.words),
    ...(tag === undefined ? [] : [hasWord(eb, workspaceId, ['tag'], tagKey(tag), tagKey(tag))]),
    ...(series === undefined ? [] : [eb('submissions.series', '=', series)]),
    ...(external_id === undefined ? [] : [eb('submissions.external_id', '=', external_id)]),
    ...(created_after === undefined ? [] : [eb('submissions.created_at', '>=', instant(created_after))]),
    ...(created_before === undefined ? [] : [eb('submissions.created_at', '<', instant(created_before))]),
    ...(status === undefined ? [] : [hasStatus(eb, workspaceId, status, now)]),
  ]
}

/** As stored, in UTC. */
export const instant = (text: string): string => timestamp(Date.parse(text))

function words(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  fields: readonly WordField[],
  text: string | undefined,
): readonly Expression<SqlBool>[] {
  if (text === undefined) return []
  const terms = termsOf(text)
  if (terms === undefined) return [sql<SqlBool>`1 = 0`]
  return terms.map((term) => hasWord(eb, workspaceId, fields, term, `${term}\u{10ffff}`))
}

function hasWord(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  fields: readonly WordField[],
  from: string,
  to: string,
): Expression<SqlBool> {
  return eb(
    'submissions.sequence',
    'in',
    eb
      .selectFrom('submission_words')
      .select('submission_words.sequence')
      .where('submission_words.workspace_id', '=', workspaceId)
      .where('submission_words.field', 'in', fields)
      .where('submission_words.word', '>=', from)
      .where('submission_words.word', '<=', to),
  )
}

/** `statusOf` as SQL. Most submissions have kits, so only the other statuses use an index. */
function hasStatus(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  status: SubmissionStatus,
  now: string,
): Expression<SqlBool> {
  if (status === 'PASS') return eb('jobs.status', '=', 'ISSUED')
  const held = sql<SqlBool>`(jobs.lease_owner is not null and jobs.lease_until is not null and jobs.lease_until > ${now})`
  const statuses = JOB_STATUSES[status]
  const ofStatus = eb.and([
    eb('jobs.workspace_id', '=', workspaceId),
    sql<SqlBool>`jobs.status <> 'ISSUED'`,
    eb('jobs.status', 'in', statuses),
  ])
  if (status === 'PENDING') return eb.and([ofStatus, sql<SqlBool>`(jobs.status = 'DRAFT' or not ${held})`])
  if (status === 'RUNNING') return eb.and([ofStatus, sql<SqlBool>`(jobs.status = 'PASS' or ${held})`])
  return ofStatus
}

const JOB_STATUSES: Readonly<Record<Exclude<SubmissionStatus, 'PASS'>, readonly JobsTable['status'][]>> = {
  PENDING: ['DRAFT', 'SUBMITTED'],
  RUNNING: ['SUBMITTED', 'PASS'],
  FAIL: ['FAIL'],
  EXPIRED: ['EXPIRED'],
}

/** Nodes differ by less than this. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

const near = (text: string, byMs: number): string => timestamp(Date.parse(text) + byMs)

/** The sequences between which the times of creation lie, because lists are ordered by sequence. */
export async function sequenceRange(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  { created_after, created_before }: SubmissionFilters,
): Promise<{ readonly first: number; readonly last: number }> {
  const sequences = db.selectFrom('submissions').select('sequence').where('workspace_id', '=', workspaceId)
  const first =
    created_after === undefined
      ? undefined
      : await sequences
          .where('created_at', '>=', near(created_after, -CLOCK_SKEW_MS))
          .orderBy('created_at')
          .limit(1)
          .executeTakeFirst()
  const last =
    created_before === undefined
      ? undefined
      : await sequences
          .where('created_at', '<', near(created_before, CLOCK_SKEW_MS))
          .orderBy('created_at', 'desc')
          .limit(1)
          .executeTakeFirst()
  return {
    first: created_after === undefined ? 0 : (first?.sequence ?? Number.MAX_SAFE_INTEGER),
    last: created_before === undefined ? Number.MAX_SAFE_INTEGER : (last?.sequence ?? 0),
  }
}
