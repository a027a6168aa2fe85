import { timestamp } from '../runtime/clock.ts'
import type { Outcome } from '../tasks/run-tasks.ts'
import type { MaintenanceContext } from './maintenance-context.ts'
import { scrubObjects } from './scrub-objects.ts'
import { stoppableRateLimit } from './limit-rate.ts'
import { progressOf } from './task-progress.ts'

/** A restart resumes there. */
const SAVE_EVERY_MS = 10 * 1000
const EMPTY_RETRY_MS = 60 * 1000

/** Reads everything that is stored, once, as slowly as the settings say. */
export async function scrub(
  ctx: Pick<MaintenanceContext, 'db' | 'objects' | 'config' | 'log' | 'clock'>,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { db, objects, config, log } = ctx
  const progress = await progressOf(ctx, 'scrub')
  let { cursor = '', total = 0, found = 0, foundLast = 0, foundAt } = progress.state
  let isEmpty = cursor === ''
  let savedAt = performance.now()
  const wait = stoppableRateLimit(config.scrubBytesPerSecond, () => stopping.aborted)
  const save = () => progress.save({ cursor, total, found, foundLast, foundAt }, false)
  const onBytes = async (bytes: number): Promise<void> => {
    await wait(bytes)
    stopping.throwIfAborted()
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    await save()
  }
  try {
    for await (const scrubbed of scrubObjects({ db, objects, onBytes, most: 1 }, cursor)) {
      const { object, finding } = scrubbed
      ;[cursor, total] = [object, total + 1]
      isEmpty &&= scrubbed.submissionId === null
      if (finding === undefined) continue
      ;[found, foundAt] = [found + 1, timestamp(ctx.clock.now())]
      const some = { kits: finding.kits.slice(0, 20), evidence: finding.evidence.slice(0, 20) }
      log.error({ ...finding, ...some }, 'an object is missing or damaged')
    }
  } catch (error) {
    await save()
    // An object that was not read to its end is read again next time.
    if (stopping.aborted) return { is: 'again', fault: 'none', delayMs: 0 }
    throw error
  }
  // Nothing of anybody was found to be intact in a store that has only the program's own page.
  await progress.save({ cursor: '', total, found: 0, foundLast: found, foundAt }, !isEmpty)
  return isEmpty ? { is: 'again', fault: 'none', delayMs: EMPTY_RETRY_MS } : { is: 'done' }
}
