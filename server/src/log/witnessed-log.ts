import type { SignedHead } from './ask-witness.ts'
import type { Cosigning } from './cosign-checkpoints.ts'
import { type Frozen, LogFrozen } from './freeze-log.ts'
import type { SequencerLease } from './sequencer-lease.ts'
import type { TransparencyLog } from './transparency-log.ts'

/** A log that grows, as the sequencer sees it. */
export interface GrowingLog {
  /** Puts a batch of waiting leaves into the tree, and publishes its checkpoint; returns how many. `now`: also if it is not time yet. */
  extend(now?: 'now'): Promise<number>
  /** The pause after a batch of this size, or after kits were issued. 0: until there is something to do. */
  gapMs(count: number): number
  stop(): Promise<void>
}

/** The pause after a batch of several leaves, so that under load many share one. */
const BATCH_GAP_MS = 50
/** How often to look for kits that can be issued, until the next checkpoint. */
const ISSUE_GAP_MS = 1000

/** A log whose checkpoints only the service signs. */
export function unwitnessedLog(log: Pick<TransparencyLog, 'isWaiting' | 'sequence'>): GrowingLog {
  return {
    extend: async () => ((await log.isWaiting()) ? log.sequence() : 0),
    gapMs: (count) => (count > 1 ? BATCH_GAP_MS : 0),
    stop: async () => {},
  }
}

/**
 * A log whose checkpoints are cosigned before kits refer to them. Other nodes wait for the one that has the lease. Witnesses and
 * authorities are asked once in `intervalMs`, which is shorter than the lease.
 */
export function witnessedLog(
  log: Pick<TransparencyLog, 'isWaiting' | 'sequence' | 'signedHead' | 'check'>,
  cosigning: Cosigning,
  lease: SequencerLease,
  intervalMs: number,
): GrowingLog {
  /** By the monotonic clock. */
  let nextAt = 0
  /** False again after the log was frozen, so that a log that is resumed is checked before it grows. */
  let isChecked = false

  function ask(how: 'check' | 'cosign', head: SignedHead): Promise<void> {
    nextAt = performance.now() + intervalMs
    return cosigning[how](head)
  }

  async function extend(now?: 'now'): Promise<number> {
    const head = await log.signedHead()
    throwIf(head.frozen)
    const isWaiting = await log.isWaiting()
    if (!isWaiting && !cosigning.isDue(head)) return 0
    if (now === undefined && performance.now() < nextAt) return 0
    if (!(await lease.take())) return 0
    if (!isChecked && head.size > 0) {
      await ask('check', head)
      throwIf(await log.check())
    }
    isChecked = true
    const count = isWaiting ? await log.sequence() : 0
    await ask('cosign', count === 0 ? head : await log.signedHead())
    return count
  }

  return {
    async extend(now) {
      try {
        return await extend(now)
      } catch (error) {
        if (error instanceof LogFrozen) isChecked = false
        throw error
      }
    },
    gapMs: (count) =>
      count > 0 ? BATCH_GAP_MS : Math.min(ISSUE_GAP_MS, Math.max(0, nextAt - performance.now())),
    async stop() {
      await cosigning.stop()
      await lease.release()
    },
  }
}

function throwIf(frozen: Frozen | undefined): void {
  if (frozen !== undefined) throw new LogFrozen(frozen.reason)
}
