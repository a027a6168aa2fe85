import type { AuditEventsTable } from '../database/schema.ts'

/** What happened in a workspace: an event of its audit log, for other systems. */
export interface WorkspaceEvent {
  /** 1, 2, 3, … without gaps in a workspace. The same as in the audit log. */
  readonly seq: number
  readonly type: string
  readonly timestamp: string
  readonly workspace_id: string
  readonly actor: AuditEventsTable['actor']
  /** ID of what changed. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

export const eventOf = (row: AuditEventsTable): WorkspaceEvent => ({
  seq: Number(row.sequence),
  type: row.action,
  timestamp: row.at,
  workspace_id: row.workspace_id,
  actor: row.actor,
  subject: row.subject,
  data: JSON.parse(row.details) as Record<string, unknown>,
})
