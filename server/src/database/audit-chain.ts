import {
  type AuditEvent,
  auditEventHash,
  type JsonObject,
  type JsonValue,
  type UnhashedAuditEvent,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { AuditEventsTable } from './schema.ts'

type UnchainedRow = Omit<AuditEventsTable, 'prev' | 'hash'>

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

/** A row as it is exported. */
export const exportedEvent = (row: AuditEventsTable): AuditEvent => ({
  ...chainedEvent(row, row.prev),
  hash: row.hash,
})

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
