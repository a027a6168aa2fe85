import { condemn, endRemovals, removeCondemned, type SweepContext } from './condemned-objects.ts'
import { referencedAmong } from './referenced-objects.ts'

export interface OrphanSweep extends SweepContext {
  /** Younger objects may be in use: stored, but not yet recorded. */
  readonly graceMs: number
  /** Objects to keep although no record refers to them: the start page of future kits. */
  readonly spare: ReadonlySet<string>
  /** Whether to list the store and condemn new orphans, or only process condemned ones. */
  readonly listing?: boolean
  /** Where an earlier pass over the store ended. */
  readonly after?: string
  /** Objects that are listed before the place is saved. */
  readonly sliceSize?: number
  /** Called after each slice with the place to resume, or an empty one at the end of the store. Returns false to stop. */
  readonly onSlice?: (cursor: string) => Promise<boolean>
}

export interface SweptOrphans {
  readonly condemned: number
  readonly removed: number
  /** Temp files of interrupted uploads. */
  readonly abandoned: number
}

/** Deletes objects without a record, which a crash between storing and recording leaves behind. */
export async function sweepOrphans(sweep: OrphanSweep): Promise<SweptOrphans> {
  await endRemovals(sweep)
  const removed = await removeCondemned(sweep)
  const condemned = sweep.listing === false ? 0 : await condemnOrphans(sweep)
  return { condemned, removed, abandoned: await sweep.objects.sweepTemp() }
}

/** Ten requests to S3, and twenty statements. */
const SLICE_SIZE = 10_000

/** Lists the store slice by slice. Each takes the same time and memory, however large the store is. */
async function condemnOrphans(sweep: OrphanSweep): Promise<number> {
  const { after = '', onSlice = async () => true } = sweep
  let condemned = 0
  for (let cursor = after; ;) {
    const slice = await condemnSlice(sweep, cursor)
    condemned += slice.condemned
    cursor = slice.cursor
    if (!(await onSlice(cursor)) || cursor === '') return condemned
    if (sweep.isStopping?.() === true) return condemned
  }
}

const BATCH = 500

interface Slice {
  readonly condemned: number
  /** The last name of the slice; empty at the end of the store. */
  readonly cursor: string
}

async function condemnSlice(sweep: OrphanSweep, after: string): Promise<Slice> {
  const { sliceSize = SLICE_SIZE } = sweep
  let [condemned, listed] = [0, 0]
  let batch: string[] = []
  const endBatch = async (): Promise<void> => {
    condemned += await condemnUnreferenced(sweep, batch)
    batch = []
  }
  const youngest = sweep.clock.now() - sweep.graceMs
  for await (const { sha256, keptAtMs } of sweep.objects.list(after)) {
    listed += 1
    if (keptAtMs <= youngest && !sweep.spare.has(sha256)) batch.push(sha256)
    if (batch.length === BATCH) await endBatch()
    if (listed < sliceSize && sweep.isStopping?.() !== true) continue
    await endBatch()
    return { condemned, cursor: sha256 }
  }
  await endBatch()
  return { condemned, cursor: '' }
}

async function condemnUnreferenced(sweep: OrphanSweep, batch: readonly string[]): Promise<number> {
  const referenced = await referencedAmong(sweep.db, batch)
  const orphans = batch.filter((sha256) => !referenced.has(sha256))
  await condemn(sweep, orphans)
  return orphans.length
}
