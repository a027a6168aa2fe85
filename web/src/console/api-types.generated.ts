// Generated from server/src/site/response-schemas.ts by server/test/write-generated-files.ts.
import type { Submission } from '@kitseal/client'

export type Role = 'viewer' | 'member' | 'owner'

export type Permission = 'read' | 'submit' | 'shares' | 'webhooks' | 'keys' | 'members' | 'settings' | 'reissue' | 'custody' | 'requests' | 'profiles'

export type SignInMethod = 'passkey' | 'link' | 'oidc'

export type Status = 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL' | 'EXPIRED'

export type Stage = 'draft' | 'queued' | 'running' | 'passed' | 'failed' | 'expired'

export type Actor = 'key' | 'member' | 'operator' | 'service' | 'link' | 'anonymous'

export type FileKind = 'evidence' | 'report' | 'binder' | 'guide' | 'verifier' | 'bag' | 'envelope'

export interface ServiceKey {
  readonly kid: string
  readonly state: 'active' | 'retired' | 'revoked'
  readonly since: string
  readonly until: string | null
}

export interface ServiceInfo {
  readonly issuer: string
  readonly receipt_version: string
  readonly keys: readonly ServiceKey[]
  readonly open_intake: boolean
  readonly profiles: readonly string[]
  readonly console: {
    readonly url: string
    readonly passkeys: boolean
    readonly oidc: {
      readonly name: string
    } | null
  }
  readonly boundary: string
  readonly long_boundary: string
}

export interface Plan {
  readonly name: string
  readonly upload_limit_bytes: number
  readonly unpacked_limit_bytes: number
  readonly unpacked_files: number
  readonly unpacked_ratio: number
  readonly retention_days: number | null
  readonly rate_per_minute: number
  readonly evidence_policy: 'open' | 'examined_only'
  readonly finding_classes: {
    readonly [name: string]: 'danger' | 'damage' | 'notice'
  }
}

export interface Workspace {
  readonly workspace_id: string
  /** Sealed in kits as the supplier. Set by the operator. */
  readonly name: string
  /** Waits for the operator. */
  readonly proposed_name: string | null
  readonly public_kits: 'receipts' | 'all' | 'none'
  readonly entitled: boolean
  readonly credits: {
    readonly available: number
    readonly held: number
  }
  readonly plan: Plan
}

export interface Me {
  readonly member: {
    readonly member_id: string
    readonly email: string
    readonly role: Role
  }
  readonly workspace: Workspace
  readonly session: {
    readonly session_id: string
    readonly created_at: string
    readonly ends_at: string
    readonly idle_minutes: number
    readonly method: SignInMethod
  }
  readonly can: readonly Permission[]
  /** What this session can switch to, and the current one. */
  readonly workspaces: readonly {
    readonly workspace_id: string
    readonly name: string
    readonly role: Role
  }[]
  readonly passkeys: number
  readonly issuer: string
  readonly boundary: string
  /** Why no kits are issued at the moment. */
  readonly log_frozen: {
    readonly since: string
    readonly reason: string
  } | null
}

export interface OpenInvitation {
  readonly email: string
  readonly workspace: {
    readonly workspace_id: string
    readonly name: string
  }
  readonly role: Role
  readonly expires_at: string
  readonly purpose: 'join' | 'sign_in'
}

export interface MemberSession {
  readonly session_id: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly ends_at: string
  readonly method: SignInMethod
  readonly browser: string
  readonly current: boolean
}

export interface SessionList {
  readonly sessions: readonly MemberSession[]
}

export interface Passkey {
  readonly passkey_id: string
  readonly label: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly backed_up: boolean
}

export interface PasskeyList {
  readonly passkeys: readonly Passkey[]
}

export interface OnePasskey {
  readonly passkey: Passkey
}

export interface Member {
  readonly member_id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly last_seen_at: string | null
  readonly passkeys: number
  readonly you: boolean
}

export interface Invitation {
  readonly invitation_id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
  readonly invited_by: string
}

export interface MemberList {
  readonly members: readonly Member[]
  readonly invitations: readonly Invitation[]
}

export interface ChangedMember {
  readonly member: {
    readonly member_id: string
    readonly email: string
    readonly role: Role
    readonly created_at: string
    readonly you: boolean
  }
}

export interface NewInvitation {
  readonly invitation: {
    readonly invitation_id: string
    readonly email: string
    readonly role: Role
    readonly expires_at: string
    readonly invited_by: string
  }
  readonly link: string
}

export interface SubmissionSummary {
  readonly submission_id: string
  readonly label: string
  readonly status: Status
  readonly stage: Stage
  readonly profile: string
  /** The series, if it belongs to one. */
  readonly series: string | null
  /** Your own ID. */
  readonly external_id: string | null
  readonly tags: readonly string[]
  readonly metadata: {
    readonly [name: string]: string
  }
  /** The email address of the member, or the label of the API key. */
  readonly created_by: string | null
  readonly job_id: string
  readonly kit_id: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly files: number
  readonly size_bytes: number
  readonly blockers: number
  readonly key_revoked_at: string | null
  readonly replaced_by: string | null
}

export interface SubmissionSummaries {
  readonly submissions: readonly SubmissionSummary[]
  readonly next_cursor: string | null
}

export interface Revocation {
  readonly kid: string
  readonly revoked_at: string
  readonly compromised_since: string | null
  /** Kits that are not re-issued yet. */
  readonly kits: number
  /** Their submissions, oldest first, at most 500. */
  readonly submissions: readonly string[]
}

export interface Revocations {
  readonly keys: readonly Revocation[]
}

export interface TimelineEvent {
  readonly at: string
  readonly action: string
  readonly actor: Actor
  /** The label of the key, or the email address of the member. */
  readonly by: string | null
  readonly details: {
    readonly [name: string]: unknown
  }
}

export interface NamedEvent {
  readonly seq: number
  readonly at: string
  readonly action: string
  readonly actor: Actor
  /** The label of the key, or the email address of the member. */
  readonly by: string | null
  readonly subject: string
  readonly subject_name: string | null
  readonly submission: {
    readonly submission_id: string
    readonly label: string
  } | null
  readonly details: {
    readonly [name: string]: unknown
  }
}

export interface AuditPage {
  readonly events: readonly NamedEvent[]
  readonly next_cursor: string | null
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly is: 'member' | 'key'
}

export interface People {
  readonly people: readonly Person[]
}

export interface CheckedFile {
  readonly position: number
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  readonly media_type: string
  readonly good: boolean
  /** Indexes into the submission's blockers. */
  readonly blockers: readonly number[]
}

export interface SubmissionDetail {
  readonly submission: Submission
  readonly stage: Stage
  readonly timeline: readonly TimelineEvent[]
  readonly evidence: readonly CheckedFile[]
  readonly resubmitted_from: string | null
  readonly resubmitted_as: readonly string[]
}

export interface KitFile {
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
}

export interface KitHeading {
  readonly kit_id: string
  readonly submission_id: string
  readonly label: string
  readonly issued_at: string
}

/** The place of the receipt in the log. Null if the log is not available. */
export interface KitLog {
  readonly origin: string
  /** From 0. */
  readonly index: number
  /** Of the log, in the newest proof. */
  readonly size: number
  /** The witnesses in the newest proof, as they name themselves. */
  readonly cosigned: readonly {
    readonly name: string
    readonly at: string
  }[]
}

export interface KitDetail {
  readonly kit_id: string
  readonly submission_id: string
  readonly label: string
  readonly issued_at: string
  readonly kid: string
  /** As sealed in the kit. Null if it names none, or its evidence was deleted. */
  readonly supplier: {
    readonly workspace_id: string
    readonly name: string
  } | null
  readonly requested_by?: {
    readonly workspace_id: string
    readonly name: string
  }
  readonly manifest_sha256: string
  readonly manifest_root_hash: string
  readonly canonical_receipt_sha256: string
  readonly size_bytes: number
  readonly sha256: string
  readonly files: readonly {
    readonly path: string
    readonly sha256: string
    readonly size_bytes: number
    readonly kind: FileKind
  }[]
  readonly log: KitLog | null
  readonly boundary: string
}

export interface Comparison {
  readonly from: KitHeading
  readonly to: KitHeading
  readonly same_scope: boolean
  readonly added: readonly KitFile[]
  readonly removed: readonly KitFile[]
  readonly changed: readonly {
    readonly path: string
    readonly from: KitFile
    readonly to: KitFile
  }[]
  readonly moved: readonly {
    readonly from: string
    readonly to: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly unchanged: number
}

export interface LogDay {
  /** `2026-11-30`, in UTC. */
  readonly day: string
  readonly added: number
  readonly size: number
}

export interface LogInfo {
  readonly updated_at: string
  readonly frozen_at: string | null
  /** Today last. */
  readonly days: readonly LogDay[]
}

export interface CreditMonth {
  /** `2026-11`, in UTC. */
  readonly month: string
  readonly granted: number
  readonly used: number
  readonly held: number
  readonly released: number
}

export interface CreditMonths {
  readonly months: readonly CreditMonth[]
}

export interface OverviewMonth {
  /** `2026-11`, in UTC. */
  readonly month: string
  readonly kits: number
  readonly submissions: number
  /** Of evidence that was uploaded for submissions created in this month. */
  readonly bytes: number
}

export interface Overview {
  /** The workspace has no submissions yet. */
  readonly is_empty: boolean
  /** Failed within 30 days and not resubmitted, newest first. Each list has at most 5 entries. */
  readonly failed: readonly {
    readonly submission_id: string
    readonly label: string
    readonly at: string
  }[]
  /** Open requests that are overdue or due within 7 days. */
  readonly requests: readonly {
    readonly request_id: string
    readonly title: string
    readonly due_at: string
  }[]
  /** Shares that expire within 7 days. */
  readonly shares: readonly {
    readonly share_id: string
    readonly label: string
    readonly expires_at: string
  }[]
  /** API keys that expire within 7 days, for members who manage keys. */
  readonly keys: readonly {
    readonly key_id: string
    readonly label: string
    readonly expires_at: string
  }[]
  /** Kits whose evidence is deleted within 30 days by the retention rule. */
  readonly evidence: {
    readonly kits: number
    readonly first_at: string
  } | null
  readonly months: readonly OverviewMonth[]
}
