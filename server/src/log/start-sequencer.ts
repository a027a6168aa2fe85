import type { EventLog } from '../logger.ts'
import type { TransparencyLog } from './transparency-log.ts'

/** The least time between two batches, so that many leaves share one. */
const BATCH_GAP_MS = 50
/** How often to look for leaves of other nodes. */
const POLL_MS = 1000

export interface RunningSequencer {
  /** There is a new leaf. */
  wake(): void
  stop(): Promise<void>
}

/** Puts leaves into the log as they come, in batches. */
export function startSequencer(log: TransparencyLog, events: EventLog): RunningSequencer {
  let running: Promise<void> | undefined
  let gap: NodeJS.Timeout | undefined
  let again = false
  let stopped = false

  async function run(): Promise<void> {
    try {
      while (await log.isWaiting()) {
        await log.sequence()
      }
    } catch (error) {
      events.error({ err: error }, 'the log could not be extended')
    }
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
      gap = setTimeout(() => {
        gap = undefined
        if (again) wake()
      }, BATCH_GAP_MS).unref()
    })
  }

  wake()
  const timer = setInterval(wake, POLL_MS).unref()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(gap)
      await running
    },
  }
}
