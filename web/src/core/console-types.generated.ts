// Generated from server/src/site/response-schemas.ts by server/test/write-generated-files.ts.
export type Role = 'viewer' | 'member' | 'manager' | 'owner'

export type SignInMethod = 'passkey' | 'link' | 'oidc'

export interface ServiceKey {
  readonly kid: string
  readonly status: 'active' | 'retired' | 'revoked'
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

/** The limits of the workspace. */
export interface Plan {
  readonly name: string
  readonly upload_limit_bytes: number
  readonly unpacked_limit_bytes: number
  readonly unpacked_files: number
  readonly unpacked_ratio: number
  /** Null if kits are kept indefinitely. */
  readonly retention_days: number | null
  readonly rate_per_minute: number
  /** Of all submissions together. Null if there is no limit. */
  readonly storage_limit_bytes: number | null
  /** Mails to people who are not members. */
  readonly mails_per_day: number
  readonly evidence_policy: 'open' | 'examined_only'
  readonly finding_classes: {
    readonly [name: string]: 'danger' | 'damage' | 'notice'
  }
}

export interface Workspace {
  readonly workspace_id: string
  /** Sealed in kits as the supplier. */
  readonly name: string
  /** Who the name is from. `service`: nobody has named it yet. `operator`: the operator set or confirmed it. */
  readonly named_by: 'service' | 'workspace' | 'operator'
  readonly public_kits: 'receipts' | 'all' | 'none'
  readonly language: 'en' | 'de' | 'fr' | 'es' | 'pt-BR' | 'ja'
  readonly entitled: boolean
  /** The limits of the workspace. */
  readonly plan: Plan
}

export interface Me {
  readonly member: {
    readonly member_id: string
    readonly email: string
    /** Of the person. */
    readonly name: string | null
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
  /** What this session can switch to, and the current one. */
  readonly workspaces: readonly {
    readonly workspace_id: string
    readonly name: string
    readonly role: Role
  }[]
  readonly passkeys: number
  readonly issuer: string
  /** Whether the person looks after the service. */
  readonly is_operator: boolean
  /** False if the service has no mail server. */
  readonly sends_mail: boolean
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
    /** Who the name is from. `service`: nobody has named it yet. `operator`: the operator set or confirmed it. */
    readonly named_by: 'service' | 'workspace' | 'operator'
  }
  readonly role: Role
  readonly expires_at: string
  readonly purpose: 'join' | 'sign_in'
  readonly sso_required: boolean
}

export interface WorkspaceChoices {
  readonly email: string
  readonly choices: readonly {
    readonly workspace_id: string
    readonly name: string
    readonly role: Role
    readonly is: 'member' | 'linked' | 'invited'
  }[]
}

export interface ChosenWorkspace {
  readonly return_to: string
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
  /** Of the person. */
  readonly name: string | null
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

export interface Leaving {
  readonly keys: readonly {
    readonly key_id: string
    readonly label: string
    readonly last_used_at: string | null
  }[]
  readonly federations: readonly {
    readonly federation_id: string
    readonly label: string
  }[]
  readonly invitations: readonly {
    readonly invitation_id: string
    readonly email: string
    readonly role: Role
  }[]
  readonly shares: readonly {
    readonly share_id: string
    readonly label: string
    readonly expires_at: string
  }[]
  readonly requests: readonly {
    readonly evidence_request_id: string
    readonly title: string
  }[]
}

export interface ChangedMember {
  readonly member: {
    readonly member_id: string
    readonly email: string
    /** Of the person. */
    readonly name: string | null
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

export interface ServiceCheck {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  /** A sentence that says what to do. */
  readonly problem: string | null
}

export interface ServiceNode {
  /** Host name and process ID. */
  readonly name: string
  readonly role: 'all' | 'api' | 'worker'
  readonly version: string
  readonly started_at: string
  readonly seen_at: string
  readonly is_running: boolean
}

export interface ServiceStatus {
  readonly at: string
  readonly version: string
  readonly issuer: string | null
  /** Those of /readyz first. */
  readonly checks: readonly ServiceCheck[]
  readonly nodes: readonly ServiceNode[]
  readonly storage: {
    /** Of all workspaces. */
    readonly used_bytes: number
    readonly objects: 'folder' | 's3'
    readonly database: 'sqlite' | 'postgres'
    readonly disks: readonly {
      readonly folder: string
      readonly free_bytes: number
      readonly size_bytes: number
    }[]
  }
  readonly queue: {
    readonly waiting: number
    readonly running: number
    readonly oldest_at: string | null
  }
  readonly mail: {
    readonly is_on: boolean
    readonly waiting: number
    readonly last_sent_at: string | null
    readonly last_failed_at: string | null
    readonly last_problem: string | null
  }
  readonly backup: {
    readonly finished_at: string
    readonly missing: number
  } | null
  readonly scrub: {
    readonly finished_at: string | null
    readonly damaged: number
  }
  readonly signing_keys: readonly {
    readonly kid: string
    readonly state: 'active' | 'retired' | 'revoked'
    readonly created_at: string
  }[]
  readonly log: {
    readonly origin: string
    readonly size: number
    readonly updated_at: string
    readonly waiting: number
    readonly frozen: {
      readonly since: string
      readonly reason: string
    } | null
    readonly witnesses: readonly {
      readonly name: string
      readonly size: number
      readonly cosigned_at: string | null
      readonly problem: string | null
    }[]
  } | null
}

export interface ServicePage {
  readonly status: ServiceStatus
  /** The newest test mail to this operator. */
  readonly test_mail: {
    /** `sent`: the mail server accepted it. `queued`: it is tried again. */
    readonly status: 'queued' | 'sent' | 'failed'
    /** What went wrong last. */
    readonly reason: string | null
  } | null
}

export interface ServiceWorkspace {
  readonly workspace_id: string
  readonly name: string
  readonly named_by: 'service' | 'workspace' | 'operator'
  readonly created_at: string
  readonly members: number
  readonly stored_bytes: number
  /** The limits of the workspace. */
  readonly plan: Plan
}

export interface ServiceMember {
  readonly member_id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly last_seen_at: string | null
  readonly passkeys: number
  /** Whether the person signs in with single sign-on. */
  readonly uses_sso: boolean
}

export interface ServiceWorkspaceList {
  readonly data: readonly ServiceWorkspace[]
  readonly next_cursor: string | null
}

export interface ServiceWorkspacePage {
  readonly workspace: ServiceWorkspace
  readonly members: readonly ServiceMember[]
  readonly invitations: readonly {
    readonly email: string
    readonly role: Role
    readonly expires_at: string
  }[]
}

export interface NewServiceWorkspace {
  readonly workspace: ServiceWorkspace
  readonly owner: string
  /** For the owner, once. Null if it was mailed. */
  readonly link: string | null
}

export interface ServicePlanList {
  readonly plans: readonly Plan[]
}
