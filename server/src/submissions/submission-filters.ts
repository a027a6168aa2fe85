import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import { isShared } from '../database/dialect.ts'
import type { Database, Db, WordField } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { tagKey, termsOf } from './submission-words.ts'
import { jobStatuses, type SubmissionStatus } from './statuses.ts'

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
  Pick<Database, 'submissions' | 'submission_words'>,
  'submissions'
>

/**
 * Conditions on submissions. A rare one finds submissions by its own index. A common one is looked up for
 * each submission of the list, of which a page has enough soon.
 */
export function filterConditions(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  filters: SubmissionFilters,
  now: string,
  common: Common = NONE_COMMON,
): readonly Expression<SqlBool>[] {
  const { status, series, external_id, created_after, created_before } = filters
  return [
    NO_DRAFT_OF_SUPPLIER,
    ...termsIn(filters).map((terms) => hasWord(eb, workspaceId, terms, common)),
    ...(hasNoTerm(filters) ? [sql<SqlBool>`1 = 0`] : []),
    ...(series === undefined ? [] : [eb('submissions.series', '=', series)]),
    ...(external_id === undefined ? [] : [eb('submissions.external_id', '=', external_id)]),
    ...(created_after === undefined ? [] : [eb('submissions.created_at', '>=', instant(created_after))]),
    ...(created_before === undefined ? [] : [eb('submissions.created_at', '<', instant(created_before))]),
    ...(status === undefined ? [] : [hasStatus(eb, workspaceId, status, now, common.status)]),
  ]
}

/** What a supplier has not submitted is no submission of the workspace. */
const NO_DRAFT_OF_SUPPLIER = sql<SqlBool>`not (submissions.status in ('DRAFT', 'EXPIRED') and submissions.kit_id is null and exists
  (select 1 from request_rounds join requests on requests.request_id = request_rounds.request_id
  where request_rounds.submission_id = submissions.submission_id and requests.program_id is null))`

/** As stored, in UTC. */
export const instant = (text: string): string => timestamp(Date.parse(text))

/** Words from one text to another, in some fields. */
interface Term {
  readonly fields: readonly WordField[]
  readonly from: string
  readonly to: string
}

const keyOf = ({ fields, from, to }: Term): string => JSON.stringify([fields, from, to])

const TEXTS = [
  ['label', ['label']],
  ['path', ['path']],
  ['words', ['label', 'path', 'tag']],
] as const

function termsIn(filters: SubmissionFilters): readonly Term[] {
  const { tag } = filters
  const ofTexts = TEXTS.flatMap(([name, fields]) => {
    const text = filters[name]
    const terms = text === undefined ? [] : (termsOf(text) ?? [])
    return terms.map((term): Term => ({ fields, from: term, to: `${term}\u{10ffff}` }))
  })
  return tag === undefined ? ofTexts : [...ofTexts, { fields: ['tag'], from: tagKey(tag), to: tagKey(tag) }]
}

/** A text without a term finds nothing. */
const hasNoTerm = (filters: SubmissionFilters): boolean =>
  TEXTS.some(([name]) => filters[name] !== undefined && termsOf(filters[name] ?? '') === undefined)

/** The filters that many submissions match. */
export interface Common {
  readonly terms: ReadonlySet<string>
  readonly status: boolean
  /** Whether no filter has an index that finds its submissions. */
  readonly isScan: boolean
  /** Whether the database has arrays. */
  readonly hasArrays: boolean
}

const NONE_COMMON: Common = { terms: new Set(), status: false, isScan: false, hasArrays: false }
/** At most this many rows are read to tell, and sorted if the filter is rare. */
const RARE_ROWS = 20_000

export async function commonFilters(
  db: Db,
  workspaceId: WorkspaceId,
  filters: SubmissionFilters,
): Promise<Common> {
  const terms = new Set<string>()
  for (const term of termsIn(filters)) {
    const found = db
      .selectFrom('submission_words')
      .select('submission_words.sequence')
      .where('submission_words.workspace_id', '=', workspaceId)
      .where('submission_words.field', 'in', term.fields)
      .where('submission_words.word', '>=', term.from)
      .where('submission_words.word', '<=', term.to)
    if (await hasMany(db, found)) terms.add(keyOf(term))
  }
  const status = await isCommonStatus(db, workspaceId, filters.status)
  const isFound =
    [filters.series, filters.external_id].some((value) => value !== undefined) ||
    termsIn(filters).length > terms.size ||
    (filters.status !== undefined && filters.status !== 'PASS' && !status)
  const isScan = !isFound && (terms.size > 0 || filters.status !== undefined)
  return { terms, status, isScan, hasArrays: isShared(db) }
}

async function isCommonStatus(
  db: Db,
  workspaceId: WorkspaceId,
  status: SubmissionStatus | undefined,
): Promise<boolean> {
  if (status === undefined || status === 'PASS') return status === 'PASS'
  const ofStatus = db
    .selectFrom('submissions')
    .select('submissions.sequence')
    .where('submissions.workspace_id', '=', workspaceId)
    .where(sql<SqlBool>`submissions.status <> 'ISSUED'`)
    .where('submissions.status', 'in', jobStatuses(status))
  return hasMany(db, ofStatus)
}

async function hasMany(db: Db, rows: SelectQueryBuilder<Database, never, object>): Promise<boolean> {
  const { count } = await db
    .selectFrom(rows.limit(RARE_ROWS + 1).as('some'))
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) > RARE_ROWS
}

function hasWord(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  term: Term,
  { terms, hasArrays }: Common,
): Expression<SqlBool> {
  const { fields, from, to } = term
  const words = eb
    .selectFrom('submission_words')
    .select('submission_words.sequence')
    .where('submission_words.workspace_id', '=', workspaceId)
    .where('submission_words.field', 'in', fields)
    .where('submission_words.word', '>=', from)
    .where('submission_words.word', '<=', to)
  if (!terms.has(keyOf(term)))
    // Without the array, PostgreSQL reads all submissions up to the first that has the word.
    return hasArrays
      ? sql<SqlBool>`submissions.sequence = any(array(${words.limit(RARE_ROWS)}))`
      : eb('submissions.sequence', 'in', words)
  // The offset keeps PostgreSQL from reading all words for a join.
  return eb.exists(
    words.whereRef('submission_words.sequence', '=', 'submissions.sequence').limit(1).offset(0),
  )
}

/** `statusOf` as SQL. Most submissions have kits, so only the other statuses use an index. */
function hasStatus(
  eb: SubmissionBuilder,
  workspaceId: WorkspaceId,
  status: SubmissionStatus,
  now: string,
  isCommon: boolean,
): Expression<SqlBool> {
  if (status === 'PASS') return eb('submissions.status', '=', 'ISSUED')
  const held = sql<SqlBool>`exists (select 1 from tasks where tasks.kind = 'seal' and tasks.key = submissions.job_id and tasks.held_until > ${now})`
  const jobs = jobStatuses(status)
  const isRight = eb.or([
    eb('submissions.status', '<>', 'SUBMITTED'),
    status === 'RUNNING' ? held : eb.not(held),
  ])
  return eb.and([
    // The list is read in its own order, and for a rare status at these sequences only.
    ...(isCommon ? [] : [eb('submissions.sequence', 'in', sequencesOf(eb, workspaceId, status))]),
    eb('submissions.status', 'in', jobs),
    ...(jobs.includes('SUBMITTED') ? [isRight] : []),
  ])
}

/** By the index of submissions that have no kit. */
const sequencesOf = (eb: SubmissionBuilder, workspaceId: WorkspaceId, status: SubmissionStatus) =>
  eb
    .selectFrom('submissions as rare')
    .select('rare.sequence')
    .where('rare.sequence', 'is not', null)
    .where('rare.workspace_id', '=', workspaceId)
    .where(sql<SqlBool>`rare.status <> 'ISSUED'`)
    .where('rare.status', 'in', jobStatuses(status))

/** Nodes differ by less than this. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

const near = (text: string, byMs: number): string => timestamp(Date.parse(text) + byMs)

/** The sequences between which the times of creation lie, because lists are ordered by sequence. */
export async function sequenceRange(
  db: Db,
  workspaceId: WorkspaceId,
  { created_after, created_before }: SubmissionFilters,
): Promise<{ readonly first: number; readonly last: number }> {
  const sequences = db
    .selectFrom('submissions')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('sequence', 'is not', null)
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
