import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'

/** Which of these objects a record refers to. Expired submissions have no references. */
export async function referencedAmong(
  db: Kysely<Database>,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  const rows = await referencingEvidence(db)
    .where('evidence.sha256', 'in', objects)
    .union(
      db.selectFrom('kit_objects').select('kit_objects.sha256').where('kit_objects.sha256', 'in', objects),
    )
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Referenced objects in name order, after `after`. */
export async function referencedAfter(
  db: Kysely<Database>,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const evidence = referencingEvidence(db)
    .where('evidence.sha256', '>', after)
    .groupBy('evidence.sha256')
    .orderBy('evidence.sha256')
    .limit(limit)
  const kits = db
    .selectFrom('kit_objects')
    .select('kit_objects.sha256')
    .where('kit_objects.sha256', '>', after)
    .groupBy('kit_objects.sha256')
    .orderBy('kit_objects.sha256')
    .limit(limit)
  const [ofEvidence, ofKits] = [await evidence.execute(), await kits.execute()]
  const names = new Set([...ofEvidence, ...ofKits].map(({ sha256 }) => sha256))
  return [...names].toSorted().slice(0, limit)
}

function referencingEvidence(db: Kysely<Database>) {
  return db
    .selectFrom('evidence')
    .innerJoin('submissions', 'submissions.submission_id', 'evidence.submission_id')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .select('evidence.sha256')
    .where('jobs.status', '<>', 'EXPIRED')
}
