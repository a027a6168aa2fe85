import { type Clock, timestamp } from '../runtime/clock.ts'
import type { EventLog } from '../runtime/logger.ts'

/** When each of many was last used. Written in batches, so that requests need no write. */
export type LastUse<Id extends string> = ReturnType<typeof watchLastUse<Id>>

/** `write` gets them in order: the same on every node prevents deadlocks. */
export function watchLastUse<Id extends string>(
  clock: Clock,
  log: EventLog,
  { what, everyMs }: { readonly what: string; readonly everyMs: number },
  write: (uses: readonly (readonly [id: Id, at: string])[]) => Promise<void>,
) {
  const seen = new Map<Id, number>()

  const flush = async (): Promise<void> => {
    const batch = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (batch.length === 0) return
    try {
      await write(batch.map(([id, at]) => [id, timestamp(at)]))
      for (const [id, at] of batch) if (seen.get(id) === at) seen.delete(id)
    } catch (error) {
      log.error({ err: error }, `last use of ${what} not recorded`)
    }
  }

  const timer = setInterval(() => void flush(), everyMs).unref()
  return {
    used: (id: Id): void => void seen.set(id, clock.now()),
    /** The last use that is not written yet. */
    unwritten: (id: Id): number | undefined => seen.get(id),
    flush,
    /** Flushes and stops. */
    stop: (): Promise<void> => {
      clearInterval(timer)
      return flush()
    },
  }
}
