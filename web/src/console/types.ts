// The responses of the console API, as far as the pages use them.
export type Role = 'owner' | 'member' | 'viewer'
export type Permission = 'read' | 'submit' | 'keys' | 'members' | 'settings'

export interface Me {
  readonly member: { readonly member_id: string; readonly email: string; readonly role: Role }
  readonly workspace: Workspace
  readonly session: {
    readonly session_id: string
    readonly created_at: string
    readonly ends_at: string
    readonly idle_minutes: number
    readonly method: SignInMethod
  }
  readonly can: readonly Permission[]
  readonly passkeys: number
  readonly issuer: string
}

export type SignInMethod = 'passkey' | 'link' | 'oidc'

export interface Workspace {
  readonly workspace_id: string
  readonly name: string
  readonly public_kits: boolean
  readonly entitled: boolean
  readonly credits: { readonly available: number; readonly held: number }
  readonly plan: Plan
}

export interface Plan {
  readonly name: string
  readonly upload_limit_bytes: number
  readonly unpacked_limit_bytes: number
  readonly unpacked_files: number
  readonly unpacked_ratio: number
  readonly retention_days: number | null
  readonly rate_per_minute: number
}

export type Status = 'PENDING' | 'RUNNING' | 'PASS' | 'FAIL'
export type Stage = 'draft' | 'queued' | 'running' | 'passed' | 'failed'

export interface Blocker {
  readonly code: string
  readonly path: string | null
  readonly message: string
  readonly remedy: string
}

export interface Submission {
  readonly submission_id: string
  readonly label: string
  readonly status: Status
  readonly job_id: string
  readonly kit_id: string | null
  readonly profile: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly evidence: readonly EvidenceFile[]
  readonly blockers: readonly Blocker[]
  readonly credits_charged: number
  readonly deliverables: Readonly<Record<string, string>>
}

export interface EvidenceFile {
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  readonly media_type: string
}

export interface Summary {
  readonly submission_id: string
  readonly label: string
  readonly status: Status
  readonly stage: Stage
  readonly profile: string | null
  readonly kit_id: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly files: number
  readonly size_bytes: number
  readonly blockers: number
}

export interface SummaryPage {
  readonly submissions: readonly Summary[]
  readonly next_cursor: string | null
}

export interface Step {
  readonly at: string
  readonly action: string
  readonly actor: Actor
  readonly by: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

export type Actor = 'key' | 'member' | 'operator' | 'service'

export interface KeptFile extends EvidenceFile {
  readonly position: number
  readonly good: boolean
  /** Indexes into the submission's blockers. */
  readonly blockers: readonly number[]
}

export interface Detail {
  readonly submission: Submission
  readonly stage: Stage
  readonly timeline: readonly Step[]
  readonly evidence: readonly KeptFile[]
  readonly resubmitted_from: string | null
  readonly resubmitted_as: readonly string[]
}

export type FileKind = 'evidence' | 'report' | 'binder' | 'guide' | 'verifier' | 'bag' | 'envelope'

export interface Kit {
  readonly kit_id: string
  readonly submission_id: string
  readonly label: string
  readonly issued_at: string
  readonly kid: string
  readonly manifest_sha256: string
  readonly manifest_root_hash: string
  readonly canonical_receipt_sha256: string
  readonly size_bytes: number
  readonly files: readonly (KitFile & { readonly kind: FileKind })[]
}

export interface KitFile {
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
}

interface ComparedKit {
  readonly kit_id: string
  readonly submission_id: string
  readonly label: string
  readonly issued_at: string
}

export interface Comparison {
  readonly from: ComparedKit
  readonly to: ComparedKit
  readonly same_scope: boolean
  readonly added: readonly KitFile[]
  readonly removed: readonly KitFile[]
  readonly changed: readonly {
    readonly path: string
    readonly from: Omit<KitFile, 'path'>
    readonly to: Omit<KitFile, 'path'>
  }[]
  readonly moved: readonly {
    readonly from: string
    readonly to: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly unchanged: number
}

export interface ApiKey {
  readonly key_id: string
  readonly label: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
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

export interface Passkey {
  readonly passkey_id: string
  readonly label: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly backed_up: boolean
}

export interface OwnSession {
  readonly session_id: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly ends_at: string
  readonly method: SignInMethod
  readonly browser: string
  readonly current: boolean
}

export interface Month {
  readonly month: string
  readonly granted: number
  readonly used: number
}
