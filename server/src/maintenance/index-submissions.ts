import { type Kysely, sql } from 'kysely'
import type { Database, SubmissionsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { indexLabel, indexNames } from '../submissions/index-words.ts'
import { attributesOf } from '../submissions/submission.ts'
import { parseEntries } from '../kits/kit-entries.ts'

export interface IndexContext {
  readonly db: Kysely<Database>
  readonly isStopping: () => boolean
}

const BATCH = 50
// A literal, so that the partial index is used.
const NOT_INDEXED = sql.lit(0)
const DATA_FOLDER = 'data/'

type NotIndexed = SubmissionsTable & { readonly entries: string | null }

/** Lets submissions of earlier releases be found by label and file names. Returns how many it indexed. */
export async function indexSubmissions({ db, isStopping }: IndexContext): Promise<number> {
  for (let indexed = 0; ;) {
    const rows: readonly NotIndexed[] = await db
      .selectFrom('submissions')
      .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
      .leftJoin('kits', 'kits.kit_id', 'jobs.kit_id')
      .selectAll('submissions')
      .select('kits.entries')
      .where('submissions.indexed', '=', NOT_INDEXED)
      .limit(BATCH)
      .execute()
    for (const row of rows) {
      if (isStopping()) return indexed
      await transact(db, (trx) => index(trx, row))
      indexed += 1
    }
    if (rows.length < BATCH) return indexed
  }
}

async function index(trx: Kysely<Database>, row: NotIndexed): Promise<void> {
  const { submission_id, label } = row
  const evidence = await trx
    .selectFrom('evidence')
    .select('name')
    .where('submission_id', '=', submission_id)
    .execute()
  const entries = row.entries === null ? [] : parseEntries(row.entries)
  const inKit = entries.flatMap(({ path }) =>
    path.startsWith(DATA_FOLDER) ? [path.slice(DATA_FOLDER.length)] : [],
  )
  await indexLabel(trx, row, label, attributesOf(row).tags)
  await indexNames(trx, row, [...evidence.map(({ name }) => name), ...inKit])
  await trx
    .updateTable('submissions')
    .set({ indexed: 1, label_key: label.toLowerCase() })
    .where('submission_id', '=', submission_id)
    .execute()
}
