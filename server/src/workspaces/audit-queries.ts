import type { Kysely } from 'kysely'
import { chainEvents, lockAuditLog } from '../database/audit-chain.ts'
import type { AuditEventsTable, Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { ApiKeyId, MemberId, WorkspaceId } from '../identifiers.ts'

export interface AuditFilter {
  /** An action such as `key.created`, or the first part of one, such as `key`. */
  readonly action?: string | undefined
  /** ID of a member or an API key, or `operator`, `service`, `link` or `anonymous`. */
  readonly by?: string | undefined
  /** ID of what was changed. */
  readonly subject?: string | undefined
  /** From this time on, and before that. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export interface AuditRange extends AuditFilter {
  readonly after?: number
  readonly before?: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

export type ChainedRow = AuditEventsTable & { readonly prev: string; readonly hash: string }

/** Events of a workspace, all with their hash. */
export async function readEvents(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  range: AuditRange,
): Promise<readonly ChainedRow[]> {
  const rows = await eventsIn(db, workspaceId, range).execute()
  if (rows.every(isChained)) return rows
  await transact(db, async (trx) => {
    await lockAuditLog(trx, workspaceId)
    await chainEvents(trx, workspaceId)
  })
  return (await eventsIn(db, workspaceId, range).execute()).filter(isChained)
}

const isChained = (row: AuditEventsTable): row is ChainedRow => row.hash !== null && row.prev !== null

/** Timestamps are stored as text of fixed width. */
const asStored = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString()

function eventsIn(
  db: Kysely<Database>,
  workspaceId: WorkspaceId,
  { after, before, order, limit, ...filter }: AuditRange,
) {
  let events = db.selectFrom('audit_events').selectAll().where('workspace_id', '=', workspaceId)
  if (after !== undefined) events = events.where('sequence', '>', after)
  if (before !== undefined) events = events.where('sequence', '<', before)
  const { action, by, subject } = filter
  const [since, until] = [filter.since, filter.until].map(asStored)
  if (action !== undefined)
    events = action.includes('.')
      ? events.where('action', '=', action)
      : // '/' is the character after '.'.
        events.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
  if (by !== undefined)
    events = /^(operator|service|link|anonymous)$/.test(by)
      ? events.where('actor', '=', by as AuditEventsTable['actor'])
      : events.where((eb) => eb.or([eb('member_id', '=', by as MemberId), eb('key_id', '=', by as ApiKeyId)]))
  if (subject !== undefined) events = events.where('subject', '=', subject)
  if (since !== undefined) events = events.where('at', '>=', since)
  if (until !== undefined) events = events.where('at', '<', until)
  return events.orderBy('sequence', order).limit(limit)
}
