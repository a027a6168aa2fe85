import type { ApiKeyId, FederationId, WorkspaceId } from '../runtime/identifiers.ts'

export interface AccessTables {
  readonly api_keys: ApiKeysTable
  readonly federations: FederationsTable
  readonly exchanged_tokens: ExchangedTokensTable
}

export interface ApiKeysTable {
  readonly key_id: ApiKeyId
  readonly workspace_id: WorkspaceId
  /** SHA-256 of the whole key, hex. The key itself is not stored. */
  readonly sha256: string
  readonly label: string
  /** Separated by spaces. */
  readonly scopes: string
  /** Of a token that was exchanged for the token of a CI system. Null for other keys, and undefined in inserts of those. */
  readonly federation_id?: FederationId | null
  /** JSON: CiClaims of that token. */
  readonly ci_claims?: string | null
  /** The key, member or federation that made or extended it, `operator` or `service`. Null: unknown. */
  readonly created_by: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
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
