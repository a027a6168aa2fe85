// docs/decisions/0360
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'

/** One day of the log. */
export interface LogDay {
  /** `2026-03-04`, in UTC. */
  readonly day: string
  /** The leaves that were added. */
  readonly added: number
  /** At the end of the day. */
  readonly size: number
}

const DAY_MS = 86_400_000

/** Records the size of the log for today, in the transaction that extends it. */
export async function recordDay(trx: Kysely<Database>, size: number, clock: Clock): Promise<void> {
  await trx
    .insertInto('log_days')
    .values({ day: dayOf(clock.now()), size })
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ size }))
    .execute()
}

/** How the log grew in the last days, today last. */
export async function logGrowth(
  db: Kysely<Database>,
  clock: Clock,
  count: number,
): Promise<readonly LogDay[]> {
  const days = Array.from({ length: count }, (_, at) => dayOf(clock.now() - (count - 1 - at) * DAY_MS))
  // One row more than days: the size before the first of them.
  const rows = await db
    .selectFrom('log_days')
    .select(['day', 'size'])
    .where('day', '<=', dayOf(clock.now()))
    .orderBy('day', 'desc')
    .limit(count + 1)
    .execute()
  const known = new Map(rows.map(({ day, size }) => [day, size]))
  let before = rows.find(({ day }) => day < (days[0] ?? ''))?.size ?? 0
  return days.map((day) => {
    // After a clock that was wrong, a later day may have the smaller size.
    const size = Math.max(before, known.get(day) ?? before)
    const added = size - before
    before = size
    return { day, added, size }
  })
}

const dayOf = (milliseconds: number): string => timestamp(milliseconds).slice(0, 10)
