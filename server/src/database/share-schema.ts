import type { KitId, LinkId, ShareId, WorkspaceId } from '../runtime/identifiers.ts'

export interface ShareTables {
  readonly shares: SharesTable
  readonly share_accesses: ShareAccessesTable
}

/** A kit, or some of its files, for someone without an account. Its token is in `links`. */
export interface SharesTable {
  readonly share_id: ShareId
  readonly workspace_id: WorkspaceId
  /** The number of the audit event of its creation, so that shares of a workspace have an order. */
  readonly sequence: number
  readonly kit_id: KitId
  /** JSON: string[], sorted. Null for the whole kit. */
  readonly paths: string | null
  readonly note: string | null
  /** See share-password.ts. */
  readonly password: string | null
  readonly max_downloads: number | null
  readonly downloads: number
  /** Rows in `share_accesses`. */
  readonly accesses: number
  readonly last_access_at: string | null
  /** ID of the API key or the member. */
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

export type AccessKind = 'opened' | 'viewed' | 'downloaded' | 'password_refused'

export interface ShareAccessesTable {
  readonly share_id: ShareId
  readonly sequence: number
  readonly at: string
  readonly kind: AccessKind
  /** `kit.zip` or the path of a file. */
  readonly name: string | null
  /** Truncated: 203.0.113.0/24. */
  readonly address: string
  /** The link that was used. */
  readonly link_id: LinkId
  /** SHA-256 of the visit, if this access was counted as one. */
  readonly visit: string | null
}
