import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { type Static, type TObject, Type } from 'typebox'
import { isShared } from '../database/dialect.ts'
import type { Database, Db, WordField } from '../database/schema.ts'
import { cutPage, type PageOf } from '../database/unit.ts'
import type { PagedList } from '../http/page-query.ts'
import { DateOrTime, OneOf } from '../http/schema-parts.ts'
import { timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { jobStatuses, SUBMISSION_STATUSES, type SubmissionStatus } from './statuses.ts'
import { currentSubmissions } from './submission-queries.ts'
import { tagKey, termsOf } from './submission-words.ts'

/** A leading minus sign reverses the order. */
export const SORTS = ['-created_at', 'created_at', 'label', '-label', 'size_bytes', '-size_bytes'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = '-created_at'

/** Each order has its own cursors. */
export const listOf = (sort: Sort = DEFAULT_SORT): PagedList =>
  sort === DEFAULT_SORT ? 'submissions' : `submissions by ${sort}`

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** Of the query, beside the page and the order. */
export const FILTERS = {
  status: Type.Optional(OneOf(SUBMISSION_STATUSES)),
  q: Text('Words of label, file names or tags, or the ID of a submission, job or kit.'),
  label: Text(
    'Only labels with these words. The start of a word is enough: `acc rev` finds "Access review".',
  ),
  path: Text(
    'Only submissions with a file of this name, in an archive too. The start of a word is enough: `payroll` finds `hr/2026-Payroll.xlsx`.',
  ),
  series: Text('Only this series.'),
  tag: Text('Only submissions with this tag.'),
  external_id: Text('Only this external ID.'),
  created_after: Type.Optional(DateOrTime('Only submissions created at this time or later.')),
  created_before: Type.Optional(DateOrTime('Only submissions created before this time.')),
}

export type SubmissionFilters = Static<TObject<typeof FILTERS>>

export interface FindSubmissions {
  readonly workspaceId: WorkspaceId
  readonly filters: SubmissionFilters
  readonly sort: Sort
  /** The last sequence of the page before. */
  readonly after: number | undefined
  readonly limit: number
  readonly now: string
}

/** One page of the list. */
export async function findSubmissions(db: Db, find: FindSubmissions): Promise<PageOf<FoundRow>> {
  const page = cutPage(await pageQuery(db, find).execute(), find.limit, ({ sequence }) => sequence)
  const sequences = page.rows.map(({ sequence }) => sequence)
  if (sequences.length === 0) return { rows: [], next: null }
  const rows = await foundRows(db)
    .where('submissions.workspace_id', '=', find.workspaceId)
    .where('submissions.sequence', 'in', sequences)
    .execute()
  const places = new Map(sequences.map((sequence, index) => [sequence, index]))
  const place = ({ sequence }: FoundRow): number => places.get(sequence) ?? 0
  return { rows: rows.toSorted((a, b) => place(a) - place(b)), next: page.next }
}

const COLUMNS = {
  created_at: 'submissions.sequence',
  label: 'submissions.label_key',
  size_bytes: 'submissions.uploaded_bytes',
} as const

/** The sequences of a page, and one more, which shows whether there is a next page. */
export function pageQuery(db: Db, find: FindSubmissions) {
  const { workspaceId, after, sort } = find
  const column = COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS]
  const [direction, past] = sort.startsWith('-') ? (['desc', '<'] as const) : (['asc', '>'] as const)
  const place = sql`(${sql.ref(column)}, submissions.sequence)`
  const last = sql`(select ${sql.ref(column)}, sequence from submissions where workspace_id = ${workspaceId} and sequence = ${after})`
  return db
    .selectFrom('submissions')
    .select('submissions.sequence')
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.sequence', 'is not', null)
    .$narrowType<{ sequence: number }>()
    .where((eb) => eb.and(conditions(eb, db, find)))
    .$if(after !== undefined, (query) => query.where(sql<SqlBool>`${place} ${sql.raw(past)} ${last}`))
    .orderBy(column, direction)
    .$if(column !== COLUMNS.created_at, (query) => query.orderBy('submissions.sequence', direction))
    .limit(find.limit + 1)
}

type Builder = ExpressionBuilder<Pick<Database, 'submissions' | 'submission_words'>, 'submissions'>
type Condition = Expression<SqlBool>

function conditions(
  eb: Builder,
  db: Db,
  { workspaceId, filters, now }: FindSubmissions,
): readonly Condition[] {
  const { q, label, path, tag, status, series, external_id, created_after, created_before } = filters
  const hasWord = (fields: readonly WordField[], from: string, to: string): Condition => {
    const words = eb
      .selectFrom('submission_words')
      .select('submission_words.sequence')
      .where('submission_words.workspace_id', '=', workspaceId)
      .where('submission_words.field', 'in', fields)
      .where('submission_words.word', '>=', from)
      .where('submission_words.word', '<=', to)
    // Without the array, PostgreSQL reads all submissions up to the first that has the word.
    return isShared(db)
      ? sql<SqlBool>`submissions.sequence = any(array(${words}))`
      : eb('submissions.sequence', 'in', words)
  }
  const hasWords = (fields: readonly WordField[], text: string): readonly Condition[] =>
    termsOf(text)?.map((term) => hasWord(fields, term, `${term}\u{10ffff}`)) ?? [NONE]
  return [
    NO_DRAFT_OF_SUPPLIER,
    ...(q === undefined ? [] : (matches(eb, q) ?? hasWords(['label', 'path', 'tag'], q))),
    ...(label === undefined ? [] : hasWords(['label'], label)),
    ...(path === undefined ? [] : hasWords(['path'], path)),
    ...(tag === undefined ? [] : [hasWord(['tag'], tagKey(tag), tagKey(tag))]),
    ...(series === undefined ? [] : [eb('submissions.series', '=', series)]),
    ...(external_id === undefined ? [] : [eb('submissions.external_id', '=', external_id)]),
    ...(created_after === undefined ? [] : since(eb, workspaceId, created_after)),
    ...(created_before === undefined ? [] : until(eb, workspaceId, created_before)),
    ...(status === undefined ? [] : [hasStatus(eb, workspaceId, status, now)]),
  ]
}

const NONE = sql<SqlBool>`1 = 0`

/** What a supplier has not submitted is no submission of the workspace. With `exists`, PostgreSQL reads all rounds of all requests. */
const NO_DRAFT_OF_SUPPLIER = sql<SqlBool>`not (submissions.status in ('DRAFT', 'EXPIRED') and submissions.kit_id is null and coalesce(
  (select requests.program_id is null from request_rounds join requests on requests.request_id = request_rounds.request_id
  where request_rounds.submission_id = submissions.submission_id limit 1), false))`

const ID = /^(sub|job|kit)_[A-Za-z0-9_-]{22,64}$/
const ID_COLUMNS = {
  sub: sql.ref('submissions.submission_id'),
  job: sql.ref('submissions.job_id'),
  kit: sql.ref('submissions.kit_id'),
} as const

/** An ID, or a text without a word, such as `%`, which is looked for in the labels. */
function matches(eb: Builder, text: string): readonly Condition[] | undefined {
  const kind = ID.exec(text)?.[1] as keyof typeof ID_COLUMNS | undefined
  if (kind !== undefined) return [sql<SqlBool>`${ID_COLUMNS[kind]} = ${text}`]
  if (termsOf(text) !== undefined) return undefined
  // SQLite's lower() handles ASCII only, so other letters match case-sensitively.
  const part = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
  const column = eb.ref('submissions.label')
  return [
    sql<SqlBool>`(lower(${column}) like ${part.toLowerCase()} escape '!' or ${column} like ${part} escape '!')`,
  ]
}

/** Nodes differ by less than this. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

const near = (text: string, byMs = 0): string => timestamp(Date.parse(text) + byMs)

/** Lists are ordered by sequence, so that of the first one of that time says where to begin. */
const since = (eb: Builder, workspaceId: WorkspaceId, time: string): readonly Condition[] => [
  eb('submissions.created_at', '>=', near(time)),
  sql<SqlBool>`submissions.sequence >= (select first.sequence from submissions as first where first.workspace_id = ${workspaceId}
    and first.sequence is not null and first.created_at >= ${near(time, -CLOCK_SKEW_MS)} order by first.created_at limit 1)`,
]

const until = (eb: Builder, workspaceId: WorkspaceId, time: string): readonly Condition[] => [
  eb('submissions.created_at', '<', near(time)),
  sql<SqlBool>`submissions.sequence <= (select last.sequence from submissions as last where last.workspace_id = ${workspaceId}
    and last.sequence is not null and last.created_at < ${near(time, CLOCK_SKEW_MS)} order by last.created_at desc limit 1)`,
]

/** `statusOf` as SQL. Most submissions have kits, so only the other statuses use an index. */
function hasStatus(eb: Builder, workspaceId: WorkspaceId, status: SubmissionStatus, now: string): Condition {
  if (status === 'PASS') return eb('submissions.status', '=', 'ISSUED')
  const held = sql<SqlBool>`exists (select 1 from tasks where tasks.kind = 'seal' and tasks.key = submissions.job_id and tasks.held_until > ${now})`
  const jobs = jobStatuses(status)
  const isRight = eb.or([
    eb('submissions.status', '<>', 'SUBMITTED'),
    status === 'RUNNING' ? held : eb.not(held),
  ])
  const sequences = eb
    .selectFrom('submissions as rare')
    .select('rare.sequence')
    .where('rare.sequence', 'is not', null)
    .where('rare.workspace_id', '=', workspaceId)
    .where(sql<SqlBool>`rare.status <> 'ISSUED'`)
    .where('rare.status', 'in', jobs)
  const hasIt = [eb('submissions.sequence', 'in', sequences), eb('submissions.status', 'in', jobs)]
  return eb.and(jobs.includes('SUBMITTED') ? [...hasIt, isRight] : hasIt)
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof foundRows>['execute']>>[number]

const foundRows = (db: Db) =>
  currentSubmissions(db)
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
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('evidence.submission_id', '=', 'submissions.submission_id')
        .as('files'),
    )
    .$narrowType<{ sequence: number }>()
