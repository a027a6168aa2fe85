export interface AccessTables {
  readonly exchanged_tokens: ExchangedTokensTable
}

/** Tokens that were exchanged once, until they expire. */
export interface ExchangedTokensTable {
  /** Of issuer and `jti`, or of the signed part of the token. */
  readonly sha256: string
  readonly expires_at: string
}
