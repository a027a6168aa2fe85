import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { LogDaysTable } from '../database/log-schema.ts'
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

/** Records the size of the log at the end of a day, in the transaction that extends it next. */
export async function recordDay(trx: Kysely<Database>, day: string, size: number): Promise<void> {
  await trx
    .insertInto('log_days')
    .values({ day, size })
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
  const newest = await newestDay(db)
  if (newest !== undefined && newest.day <= dayOf(clock.now())) rows.unshift(newest)
  const known = new Map<string, number>()
  for (const { day, size } of rows) known.set(day, Math.max(size, known.get(day) ?? 0))
  let before = Math.max(0, ...rows.filter(({ day }) => day < (days[0] ?? '')).map(({ size }) => size))
  return days.map((day) => {
    // After a clock that was wrong, a later day may have the smaller size.
    const size = Math.max(before, known.get(day) ?? before)
    const added = size - before
    before = size
    return { day, added, size }
  })
}

async function newestDay(db: Kysely<Database>): Promise<LogDaysTable | undefined> {
  const log = await db.selectFrom('log').select(['size', 'updated_at']).executeTakeFirst()
  return log && { day: log.updated_at.slice(0, 10), size: log.size }
}

export const dayOf = (milliseconds: number): string => timestamp(milliseconds).slice(0, 10)
