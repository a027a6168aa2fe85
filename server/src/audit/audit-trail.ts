import { type Change, inOneRoundTrip } from '../database/statements.ts'
import { hashOf } from '../database/audit-chain.ts'
import type { Foundation } from '../database/unit.ts'
import type { AuditEventsTable, WorkspacesTable, Db } from '../database/schema.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { AuditAction } from './event-types.ts'

export interface NewEvent {
  readonly workspaceId: WorkspaceId
  readonly actor: Actor | Anonymous
  readonly action: AuditAction
  /** ID of what was changed. */
  readonly subject: string
  /** IDs and numbers. Never secrets or evidence. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
  readonly at: string
}

/** Records an event in the transaction of the change, and returns its sequence number. */
export async function recordEvent(trx: Db, event: NewEvent): Promise<number> {
  const last = await countEvents(trx, event.workspaceId, 1)
  await inOneRoundTrip(trx, eventInsertions(trx, [event], last))
  return last.audit_events
}

export const recordInUnit: Foundation['record'] = (unit, event) =>
  recordEvent(unit.db, {
    ...event,
    workspaceId: unit.workspaceId,
    actor: unit.acting.actor,
    at: unit.at,
  })

/** Records events of several workspaces, in their order. One update and one insert for each workspace. */
export async function recordEvents(trx: Db, events: readonly NewEvent[]): Promise<void> {
  // The same order on every node prevents deadlocks.
  const byWorkspace = Object.entries(Object.groupBy(events, ({ workspaceId }) => workspaceId))
  for (const [id, own = []] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const workspaceId = id as WorkspaceId
    const last = await countEvents(trx, workspaceId, own.length)
    for (const each of eventInsertions(trx, own, last)) await each.execute()
  }
}

/** Takes the next sequence numbers, and locks the workspace until the transaction ends. */
export async function countEvents(trx: Db, workspaceId: WorkspaceId, count: number): Promise<LastEvent> {
  const last = await trx
    .updateTable('workspaces')
    .set((eb) => ({ audit_events: eb('audit_events', '+', count) }))
    .where('workspace_id', '=', workspaceId)
    .returning(['audit_events', 'audit_head'])
    .executeTakeFirst()
  if (last === undefined) throw new Error(`there is no workspace ${workspaceId}`)
  return { audit_events: Number(last.audit_events), audit_head: last.audit_head }
}

/** Databases limit the parameters of a statement. */
const MAX_ROWS = 500

/** What incrementing `audit_events` returns: the new number, and the hash of the newest event so far. */
export type LastEvent = Pick<WorkspacesTable, 'audit_events' | 'audit_head'>

/** The changes that record events, for callers that have already incremented `audit_events`. */
export function eventInsertions(trx: Db, events: readonly NewEvent[], last: LastEvent): readonly Change[] {
  const rows = chainedRows(events, last)
  const changes: Change[] = []
  for (let at = 0; at < rows.length; at += MAX_ROWS)
    changes.push(trx.insertInto('audit_events').values(rows.slice(at, at + MAX_ROWS)))
  return changes
}

/** The workspace is locked since `audit_events` was incremented, so nothing comes between the events and their `prev`. */
function chainedRows(events: readonly NewEvent[], { audit_events: last, audit_head }: LastEvent) {
  const first = Number(last) - events.length + 1
  let prev = audit_head
  return events.map((event, index) => {
    const row = chainedRow(event, first + index, prev)
    prev = row.hash
    return row
  })
}

/** What the columns of the table do not hold. */
function moreOf(actor: NewEvent['actor']): { readonly link_id?: string; readonly operator?: string } {
  if (actor.is === 'link') return { link_id: actor.linkId }
  return actor.is === 'operator' && actor.email !== undefined ? { operator: actor.email } : {}
}

function chainedRow(event: NewEvent, sequence: number, prev: string): AuditEventsTable {
  const row = {
    workspace_id: event.workspaceId,
    sequence,
    at: event.at,
    actor: event.actor.is,
    key_id: event.actor.is === 'key' ? event.actor.keyId : null,
    member_id: event.actor.is === 'member' ? event.actor.memberId : null,
    action: event.action,
    subject: event.subject,
    details: JSON.stringify({ ...event.details, ...moreOf(event.actor) }),
  }
  return { ...row, prev, hash: hashOf(row, prev) }
}
