import { type Expression, sql, type SqlBool } from 'kysely'
import type { Db, OpenedSubmission } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { DEFAULT_SORT, type FindSubmissions, findSubmissions } from './find-submissions.ts'
import { termsOf } from './submission-words.ts'
import type { SubmissionBuilder, SubmissionFilters } from './submission-filters.ts'
import { type Confirmation, statusOf, type WaitingJob, waitingOf } from './statuses.ts'
import { attributesOf, link, type SubmissionView } from './submission.ts'
import { currentSubmissions } from './submission-queries.ts'
import type { FindingRecord } from './submission-schemas.ts'
import type { SubmissionSummary } from './summary-schemas.ts'

export interface Search extends Pick<FindSubmissions, 'sort' | 'after' | 'limit'> {
  /** Words of label, file names or tags, or the ID of a submission, job or kit. */
  readonly text: string | undefined
  readonly filters: SubmissionFilters
}

export interface FoundSummaries {
  readonly rows: readonly FoundRow[]
  /** Sequence to continue after. Undefined on the last page. */
  readonly next: number | undefined
}

type FoundRow = Pick<
  OpenedSubmission,
  | 'submission_id'
  | 'sequence'
  | 'label'
  | 'profile'
  | 'job_id'
  | 'created_at'
  | 'updated_at'
  | 'uploaded_bytes'
  | 'series'
  | 'external_id'
  | 'tags'
  | 'metadata'
> &
  WaitingJob &
  Pick<SubmissionView, 'kit_id' | 'blockers'> & {
    readonly findings: string | null
    readonly files: number | string | null
    readonly member_email: string | null
    readonly key_label: string | null
    readonly key_revoked_at: string | null
    readonly replaced_by_submission_id: SubmissionView['replaced_by_submission_id']
    readonly replaced_by_kit_id: SubmissionView['replaced_by_kit_id']
  }

/** One page of the list. A text without a word, such as `%`, is looked for in the labels of the next 5,000 submissions. */
export async function searchSubmissions(
  db: Db,
  workspaceId: WorkspaceId,
  { text, filters, sort, after, limit }: Search,
  now: string,
): Promise<FoundSummaries> {
  const isId = text !== undefined && ID.test(text)
  const words = text !== undefined && !isId && termsOf(text) !== undefined
  const isScan = text !== undefined && !isId && !words
  const found = await findSubmissions(db, {
    workspaceId,
    filters: { ...filters, ...(words ? { words: text } : {}) },
    also: isScan ? (eb) => labelContains(eb, text) : undefined,
    exact: (eb) => (isId ? [hasId(eb, text)] : []),
    sort: isScan ? DEFAULT_SORT : sort,
    after,
    limit,
    now,
  })
  if (found.sequences.length === 0) return { rows: [], next: found.next }
  const rows: readonly FoundRow[] = await currentSubmissions(db)
    // A submission has the number of the event that records its creation.
    .leftJoin('audit_events', (join) =>
      join
        .onRef('audit_events.workspace_id', '=', 'submissions.workspace_id')
        .onRef('audit_events.sequence', '=', 'submissions.sequence'),
    )
    .leftJoin('members', 'members.member_id', 'audit_events.member_id')
    .leftJoin('api_keys', 'api_keys.key_id', 'audit_events.key_id')
    .select(['members.email as member_email', 'api_keys.label as key_label'])
    .select(['submissions.submission_id', 'submissions.sequence', 'submissions.label', 'submissions.profile'])
    .select(['submissions.job_id', 'submissions.created_at', 'submissions.updated_at'])
    .select(['submissions.series', 'submissions.external_id', 'submissions.tags', 'submissions.metadata'])
    .select(['submissions.uploaded_bytes', 'submissions.status', 'submissions.job_updated_at'])
    .select(['submissions.kit_id', 'submissions.blockers'])
    // Without `accept`, nothing is acknowledged, and the findings need not be read.
    .select((eb) =>
      eb
        .case()
        .when('submissions.accept', 'is not', null)
        .then(eb.ref('submissions.findings'))
        .end()
        .as('findings'),
    )
    .select((eb) =>
      eb
        .selectFrom('evidence')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('evidence.submission_id', '=', 'submissions.submission_id')
        .as('files'),
    )
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.sequence', 'in', found.sequences)
    .$narrowType<{ sequence: number }>()
    .execute()
  const order = new Map(found.sequences.map((sequence, index) => [sequence, index]))
  const place = ({ sequence }: FoundRow): number => order.get(sequence) ?? 0
  return { rows: rows.toSorted((a, b) => place(a) - place(b)), next: found.next }
}

const ID = /^(sub|job|kit)_[A-Za-z0-9_-]{22,64}$/
const COLUMN = {
  sub: 'submissions.submission_id',
  job: 'submissions.job_id',
  kit: 'submissions.kit_id',
} as const

function hasId(eb: SubmissionBuilder, text: string): Expression<SqlBool> {
  const kind = ID.exec(text)?.[1] as keyof typeof COLUMN
  return eb(eb.ref(COLUMN[kind]), '=', text as never)
}

function labelContains(eb: SubmissionBuilder, text: string): Expression<SqlBool> {
  // SQLite's lower() handles ASCII only, so other letters match case-sensitively.
  const part = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
  const column = eb.ref('submissions.label')
  return sql<SqlBool>`(lower(${column}) like ${part.toLowerCase()} escape '!' or ${column} like ${part} escape '!')`
}

function acceptedIn(findings: string | null): SubmissionSummary['accepted'] {
  const all = findings === null ? [] : (JSON.parse(findings) as readonly FindingRecord[])
  const accepted = all.filter(({ acknowledged }) => acknowledged)
  const secrets = accepted.filter((finding) => finding.class === 'secret').length
  return { secrets, problems: accepted.length - secrets }
}

/** An entry of the submission list. */
export function summary(row: FoundRow, now: string, proof: Confirmation): SubmissionSummary {
  return {
    submission_id: row.submission_id,
    label: row.label,
    status: statusOf(row, now),
    waiting: waitingOf(row, now, proof),
    profile: row.profile,
    ...attributesOf(row),
    created_by: row.member_email ?? row.key_label,
    job_id: row.job_id,
    kit_id: row.kit_id,
    created_at: row.created_at,
    updated_at: row.updated_at > row.job_updated_at ? row.updated_at : row.job_updated_at,
    file_count: Number(row.files ?? 0),
    size_bytes: Number(row.uploaded_bytes),
    blocker_count: row.blockers === null ? 0 : (JSON.parse(row.blockers) as readonly unknown[]).length,
    accepted: acceptedIn(row.findings),
    key_revoked_at: row.key_revoked_at,
    replaced_by: link(row.replaced_by_submission_id, row.replaced_by_kit_id),
  }
}
