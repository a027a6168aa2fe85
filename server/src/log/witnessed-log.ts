import type { Cosigning } from './cosign-checkpoints.ts'
import { type Frozen, LogFrozen } from './freeze-log.ts'
import type { SequencerLease } from './sequencer-lease.ts'
import type { TransparencyLog } from './transparency-log.ts'

/** A log that grows, as the sequencer sees it. */
export interface GrowingLog {
  /** Puts a batch of waiting leaves into the tree, and publishes its checkpoint; returns how many. */
  extend(): Promise<number>
  /** The pause after a batch of this size. */
  gapMs(leaves: number): number
  stop(): Promise<void>
}

/** The pause after a batch of several leaves, so that under load many share one. */
const BATCH_GAP_MS = 50
/** Public witnesses are made for about one request per second and log. */
const WITNESSED_GAP_MS = 1000

/** A log whose checkpoints only the service signs. */
export function unwitnessedLog(log: Pick<TransparencyLog, 'isWaiting' | 'sequence'>): GrowingLog {
  return {
    extend: async () => ((await log.isWaiting()) ? log.sequence() : 0),
    gapMs: (leaves) => (leaves > 1 ? BATCH_GAP_MS : 0),
    stop: async () => {},
  }
}

/** A log whose checkpoints are cosigned before kits refer to them. Other nodes wait for the one that has the lease. */
export function witnessedLog(
  log: Pick<TransparencyLog, 'isWaiting' | 'sequence' | 'signedHead' | 'check'>,
  cosigning: Cosigning,
  lease: SequencerLease,
): GrowingLog {
  /** False again after the log was frozen, so that a log that is resumed is checked before it grows. */
  let isChecked = false

  async function extend(): Promise<number> {
    const head = await log.signedHead()
    throwIf(head.frozen)
    const isWaiting = await log.isWaiting()
    if (!isWaiting && !cosigning.isDue(head)) return 0
    if (!(await lease.take())) return 0
    if (!isChecked && head.size > 0) {
      await cosigning.check(head)
      throwIf(await log.check())
    }
    isChecked = true
    const count = isWaiting ? await log.sequence() : 0
    await cosigning.cosign(count === 0 ? head : await log.signedHead())
    return count
  }

  return {
    async extend() {
      try {
        return await extend()
      } catch (error) {
        if (error instanceof LogFrozen) isChecked = false
        throw error
      }
    },
    gapMs: (leaves) => (leaves > 0 ? WITNESSED_GAP_MS : 0),
    async stop() {
      await cosigning.stop()
      await lease.release()
    },
  }
}

function throwIf(frozen: Frozen | undefined): void {
  if (frozen !== undefined) throw new LogFrozen(frozen.reason)
}
