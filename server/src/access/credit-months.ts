import { sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { CreditMove, Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { findFirstAt } from '../audit/find-first-at.ts'
import type { CreditMonthList } from './access-schemas.ts'

const MONTHS = 12
/** Moves of other nodes, whose clocks differ a little. */
const NEAR = 1000

/** Credit moves in each of the last twelve months, oldest first, including months without moves. */
export async function creditMonths(
  db: Db,
  clock: Clock,
  workspaceId: WorkspaceId,
): Promise<CreditMonthList['data']> {
  const months = lastMonths(clock.now())
  const month = sql<string>`substr(${sql.ref('at')}, 1, 7)`
  // There is no index of times.
  const first = await findFirstAt(db, 'credit_ledger', workspaceId, months[0] ?? '')
  const rows = await db
    .selectFrom('credit_ledger')
    .select([month.as('month'), 'kind'])
    .select(({ fn }) =>
      fn
        .sum<number | string>(
          sql`abs(available_change + held_change * (case when kind = 'capture' then 1 else 0 end))`,
        )
        .as('amount'),
    )
    .where('workspace_id', '=', workspaceId)
    .$if(first !== undefined, (query) => query.where('sequence', '>=', (first ?? 0) - NEAR))
    .where('at', '>=', months[0] ?? '')
    .groupBy([month, 'kind'])
    .execute()
  const amount = (name: string, kind: CreditMove): number =>
    Number(rows.find((row) => row.month === name && row.kind === kind)?.amount ?? 0)
  return months.map((name) => ({
    month: name,
    granted: amount(name, 'grant'),
    used: amount(name, 'capture'),
    held: amount(name, 'hold'),
    released: amount(name, 'release'),
  }))
}

/** `2026-11`, oldest first. */
export function lastMonths(now: number): readonly string[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, index) =>
    timestamp(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index), 1)).slice(0, 7),
  )
}
