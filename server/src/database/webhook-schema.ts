import type { WebhookId, WorkspaceId } from '../runtime/identifiers.ts'

/** The tables of webhooks. */
export interface WebhookTables {
  readonly webhooks: WebhooksTable
  readonly webhook_attempts: WebhookAttemptsTable
  readonly webhook_keys: WebhookKeysTable
}

export interface WebhooksTable {
  readonly webhook_id: WebhookId
  readonly workspace_id: WorkspaceId
  readonly url: string
  readonly description: string
  /** JSON: the types of events that are sent. Null for all. */
  readonly types: string | null
  /** `whsec_…`. Not hashed, because it signs. */
  readonly secret: string
  /** Signs too, until `previous_until`. */
  readonly previous_secret: string | null
  readonly previous_until: string | null
  /** The newest event that was delivered or left out by `types`. */
  readonly delivered_seq: number
  /** Attempts so far, which is the number of the newest. */
  readonly attempts: number
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface WebhookAttemptsTable {
  readonly webhook_id: WebhookId
  readonly number: number
  /** 0 for a test. */
  readonly seq: number
  readonly type: string
  readonly at: string
  /** The status of the response; null if there was none. */
  readonly status: number | null
  readonly duration_ms: number
  /** Null if it was delivered. */
  readonly problem: string | null
}

/** The Ed25519 key that signs webhooks. It signs no kits. */
export interface WebhookKeysTable {
  readonly kid: string
  readonly x: string
  readonly reference: string
  readonly provider: 'file' | 'pkcs11' | 'database'
  readonly created_at: string
}
