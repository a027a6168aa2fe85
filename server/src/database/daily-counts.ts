import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from './schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Counts one more today, or so many. Returns false, and counts nothing, if that would be more than may be. */
export async function countToday(
  db: Db,
  clock: Clock,
  name: string,
  limit: number,
  by = 1,
): Promise<boolean> {
  const counted = await db
    .insertInto('daily_counts')
    .values({ day: timestamp(clock.now()).slice(0, 10), name, count: by })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'name'])
        .doUpdateSet((eb) => ({ count: eb('daily_counts.count', '+', by) }))
        .where('daily_counts.count', '<=', limit - by),
    )
    .returning('count')
    .executeTakeFirst()
  return counted !== undefined
}

/** Until the next day begins, when nothing is counted yet. */
export const secondsUntilTomorrow = (clock: Clock): number =>
  Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1000)

/** Removes the counts of earlier days. */
export async function forgetCounts(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('daily_counts')
    .where('day', '<', timestamp(clock.now() - DAY_MS).slice(0, 10))
    .execute()
}
