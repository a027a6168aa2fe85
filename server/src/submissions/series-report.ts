import { createHash } from 'node:crypto'
import { BOUNDARY, canonicalJson, compareKits, type JsonValue, parseStrictJson } from '@kitseal/kit/internal'
import type { Db, KitEntry, KitsTable, OpenedSubmission } from '../database/schema.ts'
import { type MadeFile, madeJson, parseEntries } from '../kits/kit-files.ts'
import type { SealedFile } from './seal-evidence.ts'

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
      previous: before === undefined ? null : headingOf(before),
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

const headingOf = ({ kit_id, label, issued_at, receipt }: PreviousKit) => ({
  kit_id,
  label,
  issued_at,
  receipt_sha256: receiptSha256(receipt),
})

/** As in the leaf of the log: of the canonical form, signature included. */
export const receiptSha256 = (receipt: string): string =>
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
