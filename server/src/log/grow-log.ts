import type { Db } from '../database/schema.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { EventLog } from '../runtime/logger.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { ensureTask } from '../tasks/tasks.ts'
import type { Cosigning } from './cosign-checkpoints.ts'
import { type Frozen, LogFrozen } from './freeze-log.ts'
import type { TransparencyLog } from './transparency-log.ts'

/** The kind of task that extends a log whose checkpoints witnesses or authorities sign. */
export const LOG = 'log'

export interface GrowingOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: TransparencyLog
  /** Undefined if only the service signs its log. */
  readonly cosigning: Cosigning | undefined
  /** Witnesses and authorities are asked once in this time. */
  readonly intervalMs: number
  /** Issues a batch of kits that are in the tree; returns how many. */
  readonly issue: () => Promise<number>
  readonly events: EventLog
}

/** How long a witness or authority that failed is left alone. */
const RETRY_MS = 1000

/**
 * Puts leaves into the tree, and issues the kits in it. Any node does so at once: the row of the log orders them, and its size is
 * compared in the same transaction. If others sign its checkpoints, it is a task, so that they see its sizes in order.
 */
export function growingLog({ db, clock, log, cosigning, intervalMs, issue, events }: GrowingOptions) {
  const cosigned = cosigning && witnessedLog(log, cosigning)
  let isFrozen = false

  async function step(): Promise<number> {
    if (cosigned === undefined) {
      const issued = await issue()
      if (issued > 0 || !(await log.isWaiting())) return issued
      return Math.max(await log.sequence(), await issue())
    }
    if (await cosigned.isDue()) await queue()
    return issue()
  }

  /** Not before the interval is over. */
  async function queue(): Promise<void> {
    const newest = await db
      .selectFrom('log_checkpoints')
      .select('created_at')
      .orderBy('size', 'desc')
      .limit(1)
      .executeTakeFirst()
    const next = newest === undefined ? 0 : Date.parse(newest.created_at) + intervalMs
    const dueAt = timestamp(Math.max(clock.now(), next))
    await ensureTask(db, { kind: LOG, key: '', workspaceId: null, dueAt })
  }

  /** Readiness reports a frozen log as long as it is. */
  async function unlessFrozen<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (isFrozen) events.info({}, 'the log is no longer frozen')
      isFrozen = false
      return result
    } catch (error) {
      if (!(error instanceof LogFrozen)) throw error
      if (!isFrozen)
        events.error(
          { reason: error.reason },
          'the log is frozen: no kits are issued. Run "kitseal admin log repair": it says what to do',
        )
      isFrozen = true
      return undefined
    }
  }

  async function find(): Promise<void> {
    // A batch is limited: there may be more.
    while (((await unlessFrozen(step)) ?? 0) > 1) continue
  }

  async function run(): Promise<Outcome> {
    const isComplete = await unlessFrozen(async () => {
      await cosigned?.extend()
      await issue()
      return (await cosigned?.isDue()) !== true
    })
    return isComplete === false
      ? { is: 'again', fault: 'none', delayMs: Math.max(RETRY_MS, intervalMs) }
      : { is: 'done' }
  }

  return {
    kind: { name: LOG, concurrency: 1, isVital: true, find, run } satisfies Kind,
    /** What passed last, when the node stops. */
    async stop(): Promise<void> {
      try {
        await (cosigned === undefined ? find() : run())
      } catch (error) {
        events.error({ err: error }, 'the log could not be extended')
      }
      await cosigning?.stop()
    },
  }
}

/** A log whose checkpoints are cosigned before kits refer to them. */
export function witnessedLog(
  log: Pick<TransparencyLog, 'isWaiting' | 'sequence' | 'signedHead' | 'check'>,
  cosigning: Cosigning,
) {
  /** False again after the log was frozen, so that a log that is resumed is checked before it grows. */
  let isChecked = false

  async function extend(): Promise<number> {
    const head = await log.signedHead()
    throwIf(head.frozen)
    if (!isChecked && head.size > 0) {
      await cosigning.check(head)
      throwIf(await log.check())
    }
    isChecked = true
    const count = await log.sequence()
    await cosigning.cosign(count === 0 ? head : await log.signedHead())
    return count
  }

  return {
    /** Whether leaves wait, or the newest checkpoint lacks a cosignature or time-stamp. */
    async isDue(): Promise<boolean> {
      const head = await log.signedHead()
      throwIf(head.frozen)
      return (await log.isWaiting()) || (await cosigning.isDue(head))
    },
    /** Puts a batch of waiting leaves into the tree, and publishes its checkpoint; returns how many. */
    async extend(): Promise<number> {
      try {
        return await extend()
      } catch (error) {
        if (error instanceof LogFrozen) isChecked = false
        throw error
      }
    },
  }
}

function throwIf(frozen: Frozen | undefined): void {
  if (frozen !== undefined) throw new LogFrozen(frozen.reason)
}
