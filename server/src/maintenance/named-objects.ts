import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'

/** Which of these objects a record names. A submission whose kit was let go names nothing any more. */
export async function namedAmong(
  db: Kysely<Database>,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  const rows = await namingEvidence(db)
    .where('evidence.sha256', 'in', objects)
    .union(
      db.selectFrom('kit_objects').select('kit_objects.sha256').where('kit_objects.sha256', 'in', objects),
    )
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** The objects that records name, in the order of their names. */
export async function namedAfter(
  db: Kysely<Database>,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const evidence = namingEvidence(db)
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

function namingEvidence(db: Kysely<Database>) {
  return db
    .selectFrom('evidence')
    .innerJoin('submissions', 'submissions.submission_id', 'evidence.submission_id')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .select('evidence.sha256')
    .where('jobs.status', '<>', 'EXPIRED')
}
