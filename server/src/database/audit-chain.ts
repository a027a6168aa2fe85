// docs/decisions/0368
import {
  auditEventHash,
  auditTag,
  type JsonObject,
  type JsonValue,
  type UnhashedAuditEvent,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { AuditEventsTable, Database } from './schema.ts'

type UnchainedRow = Omit<AuditEventsTable, 'prev' | 'hash'>

/** `prev` of the first event of a workspace. */
export const firstPrev = (workspaceId: WorkspaceId): string => auditTag(workspaceId, nodeHost.digest)

/** A row as an event of the chain. */
export function chainedEvent(row: UnchainedRow, prev: string): UnhashedAuditEvent {
  const { sequence, at, actor, key_id, member_id, action, subject, details } = row
  return {
    seq: Number(sequence),
    prev,
    at,
    actor,
    key_id,
    member_id,
    action,
    subject,
    details: wellFormed(JSON.parse(details) as JsonValue) as JsonObject,
  }
}

export const hashOf = (row: UnchainedRow, prev: string): string =>
  auditEventHash(chainedEvent(row, prev), nodeHost.digest)

/** Unpaired surrogates have no canonical form. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: JsonValue) => wellFormed(each))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member as JsonValue)]),
  )
}

const BATCH = 250

/**
 * Chains events without a hash: those of earlier releases, and of nodes that still run one during an upgrade. The caller holds
 * the lock of the workspace.
 */
export async function chainEvents(trx: Kysely<Database>, workspaceId: WorkspaceId): Promise<void> {
  const events = trx.selectFrom('audit_events').selectAll().where('workspace_id', '=', workspaceId)
  for (;;) {
    const rows = await events.where('hash', 'is', null).orderBy('sequence').limit(BATCH).execute()
    const [first] = rows
    if (first === undefined) return
    const before = await events.where('sequence', '=', first.sequence - 1).executeTakeFirst()
    let prev = before?.hash ?? firstPrev(workspaceId)
    const values = rows.map((row) => {
      const hash = hashOf(row, prev)
      const value = sql`(cast(${row.sequence} as bigint), cast(${prev} as text), cast(${hash} as text))`
      prev = hash
      return value
    })
    await sql`with chained (sequence, prev, hash) as (values ${sql.join(values)})
      update audit_events set prev = chained.prev, hash = chained.hash from chained
      where audit_events.workspace_id = ${workspaceId} and audit_events.sequence = chained.sequence`.execute(
      trx,
    )
    if (rows.length < BATCH) return
  }
}

/** Locks the audit log of a workspace until the transaction ends. */
export async function lockAuditLog(trx: Kysely<Database>, workspaceId: WorkspaceId): Promise<void> {
  await trx
    .selectFrom('workspaces')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .execute()
}
