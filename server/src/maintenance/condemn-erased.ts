import { type Kysely, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database, JobStatus, KitEntry } from '../database/schema.ts'
import { condemn } from './condemned-objects.ts'
import { referencedAmong } from './referenced-objects.ts'

const BATCH = 500

/** Condemns the objects of kits and submissions that were erased since a time, without waiting for the store to be listed. */
export async function condemnErased(
  ctx: { readonly db: Kysely<Database>; readonly clock: Clock },
  since: string,
  spare: ReadonlySet<string>,
): Promise<void> {
  const erased = [...(await objectsOfKits(ctx.db, since)), ...(await evidenceOf(ctx.db, since))]
  const objects = [...new Set(erased)].filter((sha256) => !spare.has(sha256))
  for (let at = 0; at < objects.length; at += BATCH) {
    const batch = objects.slice(at, at + BATCH)
    const referenced = await referencedAmong(ctx.db, batch)
    await condemn(
      ctx,
      batch.filter((sha256) => !referenced.has(sha256)),
    )
  }
}

async function objectsOfKits(db: Kysely<Database>, since: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('expired_kits')
    .innerJoin('kits', 'kits.kit_id', 'expired_kits.kit_id')
    .select('kits.entries')
    .where('expired_kits.expired_at', '>=', since)
    .execute()
  return rows.flatMap(({ entries }) =>
    (JSON.parse(entries) as readonly KitEntry[]).map(({ object }) => object),
  )
}

async function evidenceOf(db: Kysely<Database>, since: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('evidence')
    .innerJoin('submissions', 'submissions.submission_id', 'evidence.submission_id')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .select('evidence.sha256')
    // A literal, so that the partial index is used.
    .where('jobs.status', '=', sql.lit<JobStatus>('EXPIRED'))
    .where('jobs.updated_at', '>=', since)
    .execute()
  return rows.map(({ sha256 }) => sha256)
}
