import type { WorkspaceId } from '../runtime/identifiers.ts'

/** The tables of what leaves the service. */
export interface DeliveryTables {
  readonly deliveries: DeliveriesTable
  readonly unsubscribes: UnsubscribesTable
}

export type DeliveryId = string & { readonly __id: 'delivery' }
export type DeliveryState = 'pending' | 'sent' | 'failed'

/** A message that leaves the service. The table is the queue. */
export interface DeliveriesTable {
  readonly delivery_id: DeliveryId
  readonly channel: string
  /** Unique in its channel: what is enqueued twice is sent once. */
  readonly dedupe: string
  readonly workspace_id: WorkspaceId | null
  /** JSON, for the channel. Null once the delivery has ended, because it may hold a link with a secret. */
  readonly payload: string | null
  readonly state: DeliveryState
  /** How often it was claimed since it last succeeded. */
  readonly attempts: number
  readonly created_at: string
  /** Not before this time. */
  readonly due_at: string
  readonly lease_owner: string | null
  readonly lease_until: string | null
  /** Incremented by every claim (a fencing token): writes of a node that lost its lease change nothing. */
  readonly lease_token: number
  /** When the first of the current row of failures happened. */
  readonly failing_since: string | null
  /** What went wrong last. */
  readonly problem: string | null
  readonly ended_at: string | null
}

/** Addresses that want no more reminders from a workspace. */
export interface UnsubscribesTable {
  readonly workspace_id: WorkspaceId
  /** Lower case. */
  readonly email: string
  readonly unsubscribed_at: string
}
