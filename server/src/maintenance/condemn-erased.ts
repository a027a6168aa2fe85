import { type Kysely } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'
import type { JobId, KitId } from '../runtime/identifiers.ts'
import { condemn } from './condemned-objects.ts'
import { referencedAmong } from './referenced-objects.ts'
import { parseEntries } from '../kits/kit-entries.ts'

const PAGE = 100
const BATCH = 500

/** Condemns the objects of kits and submissions that were erased since a time, without waiting for the store to be listed. */
export async function condemnErased(
  ctx: { readonly db: Kysely<Database>; readonly clock: Clock },
  since: string,
  spare: ReadonlySet<string>,
): Promise<void> {
  for await (const objects of erasedSince(ctx.db, since)) {
    const names = [...new Set(objects)].filter((sha256) => !spare.has(sha256))
    for (let at = 0; at < names.length; at += BATCH) {
      const batch = names.slice(at, at + BATCH)
      const referenced = await referencedAmong(ctx.db, batch)
      await condemn(
        ctx,
        batch.filter((sha256) => !referenced.has(sha256)),
      )
    }
  }
}

/** The objects of one kit or submission at a time. */
async function* erasedSince(db: Kysely<Database>, since: string): AsyncGenerator<readonly string[]> {
  yield* pages(since, (after) => erasedKits(db, after))
  yield* pages(since, (after) => erasedSubmissions(db, after))
}

interface Erased {
  readonly at: string
  readonly id: string
  readonly objects: readonly string[]
}

async function* pages(
  since: string,
  read: (after: Pick<Erased, 'at' | 'id'>) => Promise<readonly Erased[]>,
): AsyncGenerator<readonly string[]> {
  for (let after: Pick<Erased, 'at' | 'id'> = { at: since, id: '' }; ;) {
    const page = await read(after)
    for (const { objects } of page) yield objects
    after = page.at(-1) ?? after
    if (page.length < PAGE) return
  }
}

async function erasedKits(
  db: Kysely<Database>,
  after: Pick<Erased, 'at' | 'id'>,
): Promise<readonly Erased[]> {
  const rows = await db
    .selectFrom('expired_kits')
    .innerJoin('kits', 'kits.kit_id', 'expired_kits.kit_id')
    .select(['kits.kit_id', 'kits.entries', 'expired_kits.expired_at'])
    .where('expired_kits.expired_at', '>=', after.at)
    .where((eb) =>
      eb.or([
        eb('expired_kits.expired_at', '>', after.at),
        eb('expired_kits.kit_id', '>', after.id as KitId),
      ]),
    )
    .orderBy('expired_kits.expired_at')
    .orderBy('expired_kits.kit_id')
    .limit(PAGE)
    .execute()
  return rows.map(({ kit_id, entries, expired_at }) => ({
    at: expired_at,
    id: kit_id,
    objects: parseEntries(entries).map(({ object }) => object),
  }))
}

async function erasedSubmissions(
  db: Kysely<Database>,
  after: Pick<Erased, 'at' | 'id'>,
): Promise<readonly Erased[]> {
  const jobs = await db
    .selectFrom('submissions')
    .select(['job_id', 'job_updated_at'])
    // A literal, so that the partial index is used.
    .where('status', '=', 'EXPIRED')
    .where('job_updated_at', '>=', after.at)
    .where((eb) => eb.or([eb('job_updated_at', '>', after.at), eb('job_id', '>', after.id as JobId)]))
    .orderBy('job_updated_at')
    .orderBy('job_id')
    .limit(PAGE)
    .execute()
  if (jobs.length === 0) return []
  const evidence = await db
    .selectFrom('submissions')
    .innerJoin('evidence', 'evidence.submission_id', 'submissions.submission_id')
    .select(['submissions.job_id', 'evidence.sha256'])
    .where(
      'submissions.job_id',
      'in',
      jobs.map(({ job_id }) => job_id),
    )
    .execute()
  const byJob = Map.groupBy(evidence, ({ job_id }) => job_id)
  return jobs.map(({ job_id, job_updated_at }) => ({
    at: job_updated_at,
    id: job_id,
    objects: (byJob.get(job_id) ?? []).map(({ sha256 }) => sha256),
  }))
}
