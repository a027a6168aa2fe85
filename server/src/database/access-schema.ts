import type { FederationId, WorkspaceId } from '../runtime/identifiers.ts'

export interface AccessTables {
  readonly federations: FederationsTable
  readonly exchanged_tokens: ExchangedTokensTable
}

/** An issuer whose tokens a workspace accepts. */
export interface FederationsTable {
  readonly federation_id: FederationId
  readonly workspace_id: WorkspaceId
  readonly label: string
  /** URL of the OpenID Connect issuer, as in the claim `iss`. */
  readonly issuer: string
  readonly audience: string
  /** JSON: ClaimRule[]. */
  readonly claims: string
  /** Separated by spaces. */
  readonly scopes: string
  /** As of a key. */
  readonly created_by: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at: string | null
}

/** Tokens that were exchanged once, until they expire. */
export interface ExchangedTokensTable {
  /** Of issuer and `jti`, or of the signed part of the token. */
  readonly sha256: string
  readonly expires_at: string
}
