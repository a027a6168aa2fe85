// docs/decisions/0272
import { condemn, endRemovals, removeCondemned, type SweepContext } from './condemned-objects.ts'
import { namedAmong } from './named-objects.ts'

export interface OrphanSweep extends SweepContext {
  /** What is younger may be in hand: stored, and not yet named. */
  readonly graceMs: number
  /** What is wanted though no record names it: the page that the next kit takes along. */
  readonly spare: ReadonlySet<string>
  /** Whether the store is listed; otherwise only what is condemned already goes on its way. */
  readonly listing?: boolean
  /** Asked between batches; the sweep ends early where it is true. */
  readonly isStopping?: () => boolean
}

export interface SweptOrphans {
  readonly condemned: number
  readonly removed: number
  /** Uploads that were cut off and never ended. */
  readonly abandoned: number
}

const BATCH = 500

/** Removes objects that no record names: a process that dies between storing and recording leaves them. */
export async function sweepOrphans(sweep: OrphanSweep): Promise<SweptOrphans> {
  await endRemovals(sweep)
  const removed = await removeCondemned(sweep)
  const condemned = sweep.listing === false ? 0 : await condemnOrphans(sweep)
  return { condemned, removed, abandoned: await sweep.objects.sweepTemp() }
}

async function condemnOrphans(sweep: OrphanSweep): Promise<number> {
  let condemned = 0
  let batch: string[] = []
  const endBatch = async (): Promise<void> => {
    condemned += await condemnUnnamed(sweep, batch)
    batch = []
  }
  const youngest = sweep.clock.now() - sweep.graceMs
  for await (const { sha256, keptAtMs } of sweep.objects.list()) {
    if (keptAtMs > youngest || sweep.spare.has(sha256)) continue
    batch.push(sha256)
    if (batch.length === BATCH) await endBatch()
    if (sweep.isStopping?.() === true) break
  }
  await endBatch()
  return condemned
}

async function condemnUnnamed(sweep: OrphanSweep, batch: readonly string[]): Promise<number> {
  const named = await namedAmong(sweep.db, batch)
  const orphans = batch.filter((sha256) => !named.has(sha256))
  await condemn(sweep, orphans)
  return orphans.length
}
