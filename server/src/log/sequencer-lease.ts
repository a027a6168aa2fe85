import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Database } from '../database/schema.ts'

/** One node at a time extends the log and asks witnesses, so that they see its sizes in order. Nothing depends on it for safety. */
export interface SequencerLease {
  /** Takes or renews the lease. */
  take(): Promise<boolean>
  release(): Promise<void>
}

export interface SequencerLeaseOptions {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly owner: string
  /** Whether the process that has the lease has ended. */
  readonly isGone: (owner: string) => boolean
  readonly leaseMs: number
}

const TASK = 'sequencer'

export function sequencerLease({ db, clock, owner, isGone, leaseMs }: SequencerLeaseOptions): SequencerLease {
  async function replace(from: string | null): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('upkeep')
      .set({ owner, until: timestamp(clock.now() + leaseMs) })
      .where('task', '=', TASK)
      .where('owner', 'is not distinct from', from)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  return {
    async take() {
      const row = await db
        .selectFrom('upkeep')
        .select(['owner', 'until'])
        .where('task', '=', TASK)
        .executeTakeFirst()
      if (row === undefined) {
        await db
          .insertInto('upkeep')
          .values({ task: TASK, owner: null, until: null, finished_at: null, state: '{}' })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return replace(null)
      }
      const until = row.until === null ? 0 : Date.parse(row.until)
      if (row.owner === owner && until > clock.now() + leaseMs / 2) return true
      const isFree = row.owner === null || row.owner === owner || until <= clock.now() || isGone(row.owner)
      return isFree && (await replace(row.owner))
    },

    async release() {
      await db
        .updateTable('upkeep')
        .set({ owner: null, until: null })
        .where('task', '=', TASK)
        .where('owner', '=', owner)
        .execute()
    },
  }
}
