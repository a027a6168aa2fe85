import { createHash } from 'node:crypto'
import {
  BOUNDARY,
  canonicalJson,
  compareKits,
  type JsonValue,
  parseStrictJson,
  type Receipt,
} from '@kitseal/kit/internal'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, KitEntry, KitsTable, OpenedSubmission } from '../database/schema.ts'
import { type Bounds, cutPage, type PageOf } from '../database/unit.ts'
import { answer, member, pages } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import {
  Boundary,
  Count,
  DateTime,
  NullableInteger,
  NullableString,
  NullableTime,
} from '../http/schema-parts.ts'
import { lockJob } from '../kits/erase-kit.ts'
import { type MadeFile, madeJson, parseEntries } from '../kits/kit-files.ts'
import type { KitCatalog, KitRecord } from '../kits/kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { isKitId, type JobId, type WorkspaceId } from '../runtime/identifiers.ts'
import type { SealedFile } from './seal-evidence.ts'
import type { SubmissionView } from './submission.ts'
import { stillRunning } from './submission-refusals.ts'

/** Series of kits, and the comparison of two kits. */

const Text = (description: string) => Type.String({ description })

const SeriesList = pages('SeriesList', 'The series of a workspace, newest first.', 'series', {
  item: Type.Object({
    series: Text('Its name.'),
    kits: Count('Kits that were issued.'),
    last_at: DateTime('When its newest submission was created.'),
  }),
  showItem: ({ series, kits, last_at }: ListedSeries) => ({ series, kits, last_at }),
})

interface Timeline extends PageOf<SeriesKit> {
  readonly series: string
  readonly next_due_at: string | null
}

const SeriesTimeline = pages(
  'SeriesTimeline',
  'The kits of a series, with gaps.',
  'kits of a series',
  {
    item: Type.Object({
      kit_id: Type.String(),
      submission_id: Type.String(),
      label: Type.String(),
      issued_at: DateTime(),
      previous_kit_id: NullableString('The kit of the series before it. Null for the first one.'),
      gap_days: NullableInteger(
        'Days since the previous kit, if they are many more than usual in this series: one may be missing.',
      ),
    }),
    showItem: ({ kit_id, submission_id, label, issued_at, previous_kit_id, gap_days }: SeriesKit) => {
      return { kit_id, submission_id, label, issued_at, previous_kit_id, gap_days }
    },
  },
  {
    series: member(Text('Its name.'), ({ series }: Timeline) => series),
    next_due_at: member(
      NullableTime(
        'When the next kit is due, if they come as often as usual. Null with fewer than three kits.',
      ),
      ({ next_due_at }: Timeline) => next_due_at,
    ),
  },
  'Newest first. Without re-issued kits, which have the evidence of the kits that they replace.',
)

const Side = () =>
  Type.Object({ kit_id: Type.String(), label: Text('The scope of its receipt.'), issued_at: DateTime() })
const File = () => Type.Object({ path: Type.String(), sha256: Type.String(), size_bytes: Count() })

const KitDifferences = answer(
  'KitDifferences',
  'How the evidence of two kits differs.',
  {
    from: Side(),
    to: Side(),
    added: Type.Array(File()),
    removed: Type.Array(File()),
    changed: Type.Array(Type.Object({ path: Type.String(), from: File(), to: File() })),
    moved: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        sha256: Type.String(),
        size_bytes: Count(),
      }),
      { description: 'The same content at another path.' },
    ),
    unchanged: Count(),
    boundary: Boundary(),
  },
  ({ from, to }: Readonly<Record<'from' | 'to', KitRecord>>) => ({
    from: headingOf(from),
    to: headingOf(to),
    ...compareKits(manifestOf(from), manifestOf(to)),
    boundary: BOUNDARY,
  }),
)

const manifestOf = ({ entries }: KitRecord) => ({ artifacts: entries.map(artifactOf) })

const headingOf = ({ kitId, receipt, issuedAt }: KitRecord) => ({
  kit_id: kitId,
  label: (JSON.parse(receipt) as Receipt).scope,
  issued_at: issuedAt,
})

interface Kits {
  readonly kits: Pick<KitCatalog, 'find'>
}

const access = { scope: 'read', role: 'viewer' } as const

export const seriesRoutes = [
  route('listSeries', 'GET /v1/series', {
    access,
    summary: 'List series, newest first',
    description: 'A series is named by its submissions and requests, such as "Access review".',
    returns: SeriesList,
    async read({ db, workspaceId }, { page }) {
      const rows = await listSeries(db, workspaceId, { ...page, limit: page.limit + 1 })
      return cutPage(rows, page.limit, ({ sequence }) => sequence)
    },
  }),
  route('getSeries', 'GET /v1/series/:series', {
    access,
    summary: 'Get the timeline of a series',
    description: 'The kits of a series, newest first. `gap_days` says where one may be missing.',
    path: { series: Type.String({ description: 'Its name, percent-encoded.' }) },
    returns: SeriesTimeline,
    async read({ db, workspaceId }, { params: { series }, page: { before, limit } }) {
      const all = await readSeries(db, workspaceId, series)
      if (all === undefined) throw new Refusal('series_not_found', 'Series not found in this workspace.')
      const next_due_at = nextAfter(all.map(({ issued_at }) => issued_at)) ?? null
      const rows = all.filter(({ sequence }) => sequence < before)
      return { series, next_due_at, ...cutPage(rows, limit, ({ sequence }) => sequence) }
    },
  }),
  route('compareKits', 'GET /v1/compare', {
    access,
    summary: 'Compare two kits',
    description: 'Which evidence was added, removed, changed or moved between any two kits of the workspace.',
    query: {
      from: Type.String({ description: 'The ID of the older kit.' }),
      to: Type.String({ description: 'The ID of the newer kit.' }),
    },
    codes: ['kit_not_found', 'kit_expired', 'object_unavailable'],
    returns: KitDifferences,
    async run({ kits }: Service & Kits, { query, acting }) {
      const own = async (param: 'from' | 'to'): Promise<KitRecord> => {
        const id = query[param]
        const kit = isKitId(id) ? await kits.find(id) : undefined
        if (kit?.workspaceId !== acting.workspaceId || kit === undefined)
          throw new Refusal('kit_not_found', 'Kit not found in this workspace.', { param })
        return kit
      }
      return { from: await own('from'), to: await own('to') }
    },
  }),
]

interface ListedSeries {
  readonly series: string
  readonly kits: number
  readonly last_at: string
  readonly sequence: number
}

/**
 * The series of a workspace, by their newest submissions. `sequence` is the number of that submission. The index is read
 * once for each series, not for each submission.
 */
async function listSeries(db: Db, workspaceId: WorkspaceId, { before, limit }: Bounds) {
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
  return rows
}

type SeriesKit = NonNullable<Awaited<ReturnType<typeof readSeries>>>[number]

/** More than enough for one kit a day. Older kits are in the list, and not in what is usual. */
const MAX_KITS = 5000

/** Every kit of a series, newest first. Undefined if no submission names it. */
async function readSeries(db: Db, workspaceId: WorkspaceId, series: string) {
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
function nextAfter(times: readonly string[]): string | undefined {
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

/** Adds a submission without a series to one, and its kit if it has one. The kit of a submission that is being processed may be sealed already. */
export async function joinSeries(
  trx: Db,
  { submission_id, job_id }: SubmissionView,
  series: string,
): Promise<void> {
  const status = await lockJob(trx, job_id)
  if (status === 'SUBMITTED' || status === 'PASS') throw stillRunning()
  const { numUpdatedRows } = await trx
    .updateTable('submissions')
    .set({ series })
    .where('submission_id', '=', submission_id)
    .where('series', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n)
    throw new Refusal('series_fixed', 'This submission belongs to another series. A kit stays in its series.')
  await addToSeries(trx, [job_id])
}

/** Kits of a series are found in the order in which they were issued. */
export async function addToSeries(trx: Db, jobs: readonly JobId[]): Promise<void> {
  if (jobs.length === 0) return
  const kits = trx
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .where('submissions.job_id', 'in', jobs)
  await trx
    .insertInto('series_kits')
    .columns(['workspace_id', 'series', 'issued_at', 'sequence', 'kit_id', 'is_reissue'])
    .expression(
      kits
        .select(['submissions.workspace_id', 'submissions.series', 'kits.issued_at', 'submissions.sequence'])
        .$narrowType<{ series: string }>()
        .select('kits.kit_id')
        .select(
          sql<number>`case when submissions.replaces_kit_id is null then 0 else 1 end`.as('is_reissue'),
        ),
    )
    .execute()
  await trx
    .insertInto('series_counts')
    .columns(['workspace_id', 'series', 'kits'])
    .expression(
      kits
        .select(['submissions.workspace_id', 'submissions.series'])
        .$narrowType<{ series: string }>()
        .select(({ fn }) => fn.countAll<number>().as('kits'))
        .groupBy(['submissions.workspace_id', 'submissions.series'])
        // Transactions that wait for each other lock rows in the same order.
        .orderBy('submissions.workspace_id')
        .orderBy('submissions.series'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'series'])
        .doUpdateSet((eb) => ({ kits: eb('series_counts.kits', '+', eb.ref('excluded.kits')) })),
    )
    .execute()
}

const SERIES_REPORT_PATH = 'reports/series.json'

/** reports/series.json of a kit in a series: the kit before it, and what is different. */
export async function seriesReports(
  db: Db,
  submission: Readonly<OpenedSubmission>,
  files: readonly SealedFile[],
): Promise<readonly MadeFile[]> {
  const { series } = submission
  if (series === null) return []
  const before = await previousKit(db, submission, series)
  return [
    madeJson(SERIES_REPORT_PATH, {
      report: 'series',
      series,
      previous: before === undefined ? null : reportedKit(before),
      differences: before === undefined ? null : differences(before, files),
      statement: STATEMENT,
      boundary: BOUNDARY,
    }),
  ]
}

const STATEMENT =
  'The previous kit is the one of this series that was issued before this one. Its receipt has this SHA-256 in canonical JSON, ' +
  'so a kit that is missing between two others shows. Differences are in the files below data/, by path and content.'

type PreviousKit = Pick<KitsTable, 'kit_id' | 'issued_at' | 'receipt' | 'entries'> &
  Pick<OpenedSubmission, 'label'>

/** Re-issued kits have the evidence of the kits that they replace, so they are not part of the sequence. */
function previousKit(
  db: Db,
  { workspace_id, submission_id }: Readonly<OpenedSubmission>,
  series: string,
): Promise<PreviousKit | undefined> {
  return db
    .selectFrom('series_kits')
    .innerJoin('kits', 'kits.kit_id', 'series_kits.kit_id')
    .innerJoin('submissions', 'submissions.job_id', 'kits.job_id')
    .select(['kits.kit_id', 'kits.issued_at', 'kits.receipt', 'kits.entries', 'submissions.label'])
    .where('series_kits.workspace_id', '=', workspace_id)
    .where('series_kits.series', '=', series)
    .where('series_kits.is_reissue', '=', 0)
    .where('submissions.submission_id', '<>', submission_id)
    .orderBy('series_kits.issued_at', 'desc')
    .orderBy('series_kits.sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const reportedKit = ({ kit_id, label, issued_at, receipt }: PreviousKit) => ({
  kit_id,
  label,
  issued_at,
  receipt_sha256: receiptSha256(receipt),
})

/** As in the leaf of the log: of the canonical form, signature included. */
const receiptSha256 = (receipt: string): string =>
  createHash('sha256')
    .update(canonicalJson(parseStrictJson(Buffer.from(receipt))))
    .digest('hex')

function differences({ entries }: PreviousKit, files: readonly SealedFile[]): JsonValue {
  const older = { artifacts: parseEntries(entries).map(artifactOf) }
  const { changed, ...rest } = compareKits(older, { artifacts: files.map(artifactOf) })
  const short = changed.map(({ path, from, to }) => {
    return { path, from_sha256: from.sha256, to_sha256: to.sha256, size_bytes: to.size_bytes }
  })
  return { ...rest, changed: short } as JsonValue
}

const artifactOf = ({ path, sha256, sizeBytes }: Pick<KitEntry, 'path' | 'sha256' | 'sizeBytes'>) => {
  return { path, sha256, size_bytes: sizeBytes }
}
