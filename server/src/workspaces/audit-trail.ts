// docs/decisions/0246
import type { Kysely } from 'kysely'
import type { AuditEventsTable, Database } from '../database/schema.ts'
import type { CallerActor } from '../http/caller.ts'
import type { WorkspaceId } from '../identifiers.ts'

export type Actor =
  | CallerActor
  /** On the command line of the server. */
  | { readonly is: 'operator' }
  | { readonly is: 'service' }

/** Someone with a public link, without a key or a session. */
export interface Anonymous {
  readonly is: 'anonymous'
}

export const AUDIT_ACTIONS = [
  'workspace.created',
  'workspace.changed',
  'workspace.name_proposed',
  'workspace.name_withdrawn',
  'workspace.name_approved',
  'workspace.name_declined',
  'plan.changed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'credits.granted',
  'job.created',
  'job.issued',
  'job.failed',
  'job.expired',
  'submission.created',
  'evidence.received',
  'submission.sealed',
  'submission.passed',
  'submission.failed',
  'deliverable.downloaded',
  'kit.expired',
  'submission.resubmitted',
  'submission.reissued',
  'signing_key.revoked',
  'member.invited',
  'member.joined',
  'member.changed',
  'member.removed',
  'invitation.revoked',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'session.started',
  'session.ended',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

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
export async function recordEvent(trx: Kysely<Database>, event: NewEvent): Promise<number> {
  const { audit_events: sequence } = await trx
    .updateTable('workspaces')
    .set((eb) => ({ audit_events: eb('audit_events', '+', 1) }))
    .where('workspace_id', '=', event.workspaceId)
    .returning('audit_events')
    .executeTakeFirstOrThrow()
  await insertEvent(trx, event, sequence)
  return sequence
}

/** Records events of several workspaces, in their order. One update and one insert for each workspace. */
export async function recordEvents(trx: Kysely<Database>, events: readonly NewEvent[]): Promise<void> {
  // The same order on every node prevents deadlocks.
  const byWorkspace = Object.entries(Object.groupBy(events, ({ workspaceId }) => workspaceId))
  for (const [workspaceId, own = []] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { audit_events: last } = await trx
      .updateTable('workspaces')
      .set((eb) => ({ audit_events: eb('audit_events', '+', own.length) }))
      .where('workspace_id', '=', workspaceId as WorkspaceId)
      .returning('audit_events')
      .executeTakeFirstOrThrow()
    const first = Number(last) - own.length + 1
    const rows = own.map((event, index) => eventRow(event, first + index))
    for (let at = 0; at < rows.length; at += MAX_ROWS)
      await trx
        .insertInto('audit_events')
        .values(rows.slice(at, at + MAX_ROWS))
        .execute()
  }
}

/** Databases limit the parameters of a statement. */
const MAX_ROWS = 500

/** For callers that have already incremented `audit_events`. */
export async function insertEvent(trx: Kysely<Database>, event: NewEvent, sequence: number): Promise<void> {
  await trx.insertInto('audit_events').values(eventRow(event, sequence)).execute()
}

const eventRow = (event: NewEvent, sequence: number): AuditEventsTable => ({
  workspace_id: event.workspaceId,
  sequence,
  at: event.at,
  actor: event.actor.is,
  key_id: event.actor.is === 'key' ? event.actor.keyId : null,
  member_id: event.actor.is === 'member' ? event.actor.memberId : null,
  action: event.action,
  subject: event.subject,
  details: JSON.stringify(event.details ?? {}),
})
