// docs/decisions/0272
import { condemn, endRemovals, removeCondemned, type SweepContext } from './condemned-objects.ts'
import { referencedAmong } from './referenced-objects.ts'

export interface OrphanSweep extends SweepContext {
  /** Younger objects may be in use: stored, but not yet recorded. */
  readonly graceMs: number
  /** Objects to keep although no record refers to them: the start page of future kits. */
  readonly spare: ReadonlySet<string>
  /** Whether to list the store and condemn new orphans, or only process condemned ones. */
  readonly listing?: boolean
  /** Ends the sweep early. */
  readonly isStopping?: () => boolean
}

export interface SweptOrphans {
  readonly condemned: number
  readonly removed: number
  /** Temp files of interrupted uploads. */
  readonly abandoned: number
}

const BATCH = 500

/** Deletes objects without a record, which a crash between storing and recording leaves behind. */
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
    condemned += await condemnUnreferenced(sweep, batch)
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

async function condemnUnreferenced(sweep: OrphanSweep, batch: readonly string[]): Promise<number> {
  const referenced = await referencedAmong(sweep.db, batch)
  const orphans = batch.filter((sha256) => !referenced.has(sha256))
  await condemn(sweep, orphans)
  return orphans.length
}
