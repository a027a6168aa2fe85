import type { WorkspaceId } from '../runtime/identifiers.ts'

/** The tables of what leaves the service. */
export interface DeliveryTables {
  readonly unsubscribes: UnsubscribesTable
}

/** Addresses that want no more reminders from a workspace. */
export interface UnsubscribesTable {
  readonly workspace_id: WorkspaceId
  /** Lower case. */
  readonly email: string
  readonly unsubscribed_at: string
}
