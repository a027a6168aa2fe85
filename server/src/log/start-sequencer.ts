import type { EventLog } from '../runtime/logger.ts'
import { LogFrozen } from './freeze-log.ts'
import type { GrowingLog } from './witnessed-log.ts'

const RETRY_MS = 50
/** How often to look for leaves of other nodes. */
const POLL_MS = 1000

export interface RunningSequencer {
  /** There is a new leaf. */
  wake(): void
  /** False if the log could not be extended, or kits could not be issued. */
  healthy(): boolean
  /** Handles the leaves that are waiting, then stops. */
  stop(): Promise<void>
}

/** Puts leaves into the log as they come, in batches. After each batch, `issue` issues the kits in it; it returns how many. */
export function startSequencer(
  log: GrowingLog,
  issue: () => Promise<number>,
  events: EventLog,
): RunningSequencer {
  let running: Promise<void> | undefined
  let gap: NodeJS.Timeout | undefined
  let again = false
  let stopped = false
  let healthy = true
  let isFrozen = false
  let gapMs = 0

  async function run(now?: 'now'): Promise<void> {
    try {
      const extended = await log.extend(now)
      gapMs = log.gapMs(Math.max(extended, await issue()))
      // A batch is limited: there may be more.
      again ||= gapMs > 0
      healthy = true
      if (extended > 0 && isFrozen) events.info({}, 'the log is no longer frozen')
      if (extended > 0) isFrozen = false
    } catch (error) {
      gapMs = RETRY_MS
      if (error instanceof LogFrozen) reportFrozen(error)
      else {
        healthy = false
        events.error({ err: error }, 'the log could not be extended')
      }
    }
  }

  /** Readiness reports it as long as it lasts. */
  function reportFrozen({ reason }: LogFrozen): void {
    healthy = true
    if (isFrozen) return
    isFrozen = true
    events.error(
      { reason },
      'the log is frozen: no kits are issued. Run "kitseal admin log repair": it says what to do',
    )
  }

  function wake(): void {
    if (stopped) return
    if (running !== undefined || gap !== undefined) {
      again = true
      return
    }
    again = false
    running = run().finally(() => {
      running = undefined
      if (stopped) return
      gap = setTimeout(() => {
        gap = undefined
        if (again) wake()
      }, gapMs).unref()
    })
  }

  wake()
  const timer = setInterval(wake, POLL_MS).unref()
  return {
    wake,
    healthy: () => healthy,
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(gap)
      await running
      await run('now')
      await log.stop()
    },
  }
}
