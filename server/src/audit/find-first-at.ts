import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

/**
 * The number of the first audit event of a workspace at this time or later, by binary search: the numbers have no gaps, and the
 * times ascend but for the differences between nodes. Undefined if it cannot be told.
 */
export async function findFirstAt(
  db: Db,
  workspaceId: WorkspaceId,
  time: string,
): Promise<number | undefined> {
  const middle = sql`(search.low + search.high) / 2`
  const { rows } = await sql<{ high: number | string }>`
    with recursive search(low, high) as (
      select cast(0 as bigint), audit_events + 1 from workspaces where workspace_id = ${workspaceId}
      union all
      select case when numbered.at < ${time} then ${middle} else search.low end,
        case when numbered.at < ${time} then search.high else ${middle} end
      from search join audit_events as numbered
        on numbered.workspace_id = ${workspaceId} and numbered.sequence = ${middle}
      where search.high - search.low > 1)
    select high from search where high - low = 1`.execute(db)
  const [found] = rows
  return found === undefined ? undefined : Number(found.high)
}
