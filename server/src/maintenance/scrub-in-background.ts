import { timestamp } from '../runtime/clock.ts'
import type { MaintenanceContext } from './maintenance-context.ts'
import { scrubObjects } from './scrub-objects.ts'
import { stoppableRateLimit } from './limit-rate.ts'
import type { TaskLease } from './task-leases.ts'

/** Saving progress lets a restart resume, and renews the lease during a large object. */
const SAVE_EVERY_MS = 10 * 1000

export async function scrub(
  ctx: Pick<MaintenanceContext, 'db' | 'objects' | 'config' | 'log' | 'clock'>,
  lease: TaskLease,
  isStopping: () => boolean,
): Promise<void> {
  const { db, objects, config, log } = ctx
  let { cursor = '', total = 0, found = 0, foundLast = 0, foundAt } = lease.state
  let [savedAt, isMine] = [performance.now(), true]
  const isOver = (): boolean => isStopping() || !isMine
  const wait = stoppableRateLimit(config.scrubBytesPerSecond, isOver)
  const onBytes = async (bytes: number): Promise<void> => {
    await wait(bytes)
    if (isOver()) throw new ScrubStopped()
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    isMine = await lease.save({ cursor, total, found, foundLast, foundAt }, false)
  }
  try {
    for await (const { sha256, finding } of scrubObjects({ db, objects, onBytes, most: 1 }, cursor)) {
      ;[cursor, total] = [sha256, total + 1]
      if (finding === undefined) continue
      ;[found, foundAt] = [found + 1, timestamp(ctx.clock.now())]
      const some = { kits: finding.kits.slice(0, 20), evidence: finding.evidence.slice(0, 20) }
      log.error({ ...finding, ...some }, 'an object is missing or damaged')
    }
    // An empty store has nothing that was found to be intact.
    const finished = cursor === '' ? 'never' : true
    await lease.save({ cursor: '', total, found: 0, foundLast: found, foundAt }, finished)
  } catch (error) {
    if (isMine) await lease.save({ cursor, total, found, foundLast, foundAt }, false)
    if (!(error instanceof ScrubStopped)) throw error
  }
}

/** Stopped in the middle of an object, which is read again next time. */
class ScrubStopped extends Error {
  override readonly name = 'ScrubStopped'
}
