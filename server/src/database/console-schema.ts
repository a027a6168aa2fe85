import type { CeremonyId, InvitationId, MemberId, SessionId, WorkspaceId } from '../runtime/identifiers.ts'

/** The tables of the console: who may sign in, with what, and who is signed in. */
export interface ConsoleTables {
  readonly members: MembersTable
  readonly invitations: InvitationsTable
  readonly passkeys: PasskeysTable
  readonly sessions: SessionsTable
  readonly ceremonies: CeremoniesTable
  readonly operators: OperatorsTable
}

export type MemberRole = 'owner' | 'manager' | 'member' | 'viewer'

export interface MembersTable {
  readonly member_id: MemberId
  readonly workspace_id: WorkspaceId
  /** Lower case. Unique among the current members of a workspace. */
  readonly email: string
  /** Of the person. */
  readonly name: string | null
  readonly role: MemberRole
  readonly created_at: string
  readonly removed_at: string | null
  /** When single sign-on last opened the membership. Null: it has not proved the address. */
  readonly sso_at: string | null
  /** When a link of the operator proved the address. Null: it has not. */
  readonly confirmed_at: string | null
}

export interface InvitationsTable {
  readonly invitation_id: InvitationId
  readonly workspace_id: WorkspaceId
  readonly email: string
  readonly role: MemberRole
  /** Of the member, or of the member that the invited person will be: what is given to them before they join is theirs. */
  readonly member_id: MemberId
  readonly invited_by: 'member' | 'operator' | 'service'
  readonly inviting_member: MemberId | null
  readonly created_at: string
  readonly expires_at: string
  readonly accepted_at: string | null
  readonly revoked_at: string | null
}

/** People who may look after the service in the console. */
export interface OperatorsTable {
  /** Lower case. */
  readonly email: string
  readonly added_at: string
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
  /** SHA-256 of the secret in the cookie, hex. */
  readonly sha256: string
  /** The previous secret is accepted until the new one was used, and for a short time after. */
  readonly previous_sha256: string | null
  /** 1 once the browser has sent the newest secret. */
  readonly confirmed: number
  readonly rotated_at: string
  readonly method: SignInMethod
  /** For display: "Firefox on Linux". */
  readonly browser: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly ends_at: string
  readonly ended_at: string | null
  readonly ended_as: 'stolen' | null
}

/** A pending sign-in or passkey registration. Can be completed once. */
export interface CeremoniesTable {
  readonly ceremony_id: CeremonyId
  readonly kind: 'register' | 'sign_in' | 'oidc' | 'choice'
  /** JSON: what the response must match. */
  readonly expected: string
  readonly expires_at: string
}
