import type { LinkId, WorkspaceId } from '../runtime/identifiers.ts'

export interface LinkTables {
  readonly links: LinksTable
}

export type LinkPurpose = 'invitation' | 'share' | 'request' | 'unsubscribe'

/** Links that let someone in without an account. Several links may lead to the same subject. */
export interface LinksTable {
  readonly link_id: LinkId
  readonly workspace_id: WorkspaceId
  readonly purpose: LinkPurpose
  /** ID of the invitation, share or request. For `unsubscribe`, the email address. */
  readonly subject_id: string
  /** Email address of the person that the link was made for. Null if it was made for nobody in particular. */
  readonly recipient: string | null
  /** SHA-256 of the token in the link, hex. The token itself is not stored. */
  readonly sha256: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}
