import type { CeremonyId, InvitationId, MemberId, SessionId, WorkspaceId } from '../identifiers.ts'

/** The tables of the console: who may sign in, with what, and who is signed in. */
export interface ConsoleTables {
  readonly members: MembersTable
  readonly invitations: InvitationsTable
  readonly passkeys: PasskeysTable
  readonly sessions: SessionsTable
  readonly ceremonies: CeremoniesTable
}

export type MemberRole = 'owner' | 'member' | 'viewer'

export interface MembersTable {
  readonly member_id: MemberId
  readonly workspace_id: WorkspaceId
  /** In lower case. One member of a workspace has it; a member who was removed gives it back. */
  readonly email: string
  readonly role: MemberRole
  readonly created_at: string
  readonly removed_at: string | null
}

export interface InvitationsTable {
  readonly invitation_id: InvitationId
  readonly workspace_id: WorkspaceId
  readonly email: string
  readonly role: MemberRole
  /** Of the token in the link, hex. The token itself is kept nowhere. */
  readonly sha256: string
  readonly invited_by: 'member' | 'operator' | 'service'
  readonly inviting_member: MemberId | null
  readonly created_at: string
  readonly expires_at: string
  readonly accepted_at: string | null
  readonly revoked_at: string | null
}

export interface PasskeysTable {
  /** The credential id, base64url. */
  readonly passkey_id: string
  readonly member_id: MemberId
  /** COSE, base64url. */
  readonly public_key: string
  readonly counter: number
  /** JSON: string[]. */
  readonly transports: string
  readonly backed_up: number
  readonly label: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export type SignInMethod = 'passkey' | 'link' | 'oidc'

export interface SessionsTable {
  readonly session_id: SessionId
  readonly member_id: MemberId
  /** Of the secret in the cookie, hex. */
  readonly sha256: string
  /** Of the secret before it, which is taken until the new one has arrived, and a little longer. */
  readonly previous_sha256: string | null
  /** 1 once the newest secret was sent back. */
  readonly confirmed: number
  readonly rotated_at: string
  readonly method: SignInMethod
  /** In words: "Firefox on Linux". */
  readonly browser: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly ends_at: string
  readonly ended_at: string | null
}

/** A sign-in or registration in hand: what was asked, until it is answered, once. */
export interface CeremoniesTable {
  readonly ceremony_id: CeremonyId
  readonly kind: 'register' | 'sign_in' | 'oidc'
  /** JSON: what the answer is held against. */
  readonly expected: string
  readonly expires_at: string
}
