import type { ApiKeyId, JobId, KitId, MemberId, SubmissionId, WorkspaceId } from '../identifiers.ts'
import type { ConsoleTables } from './console-schema.ts'
import type { UpkeepTables } from './maintenance-schema.ts'

/**
 * The tables, as Kysely sees them. Times are RFC 3339 text of fixed width (text order is time order), JSON is
 * text and 0/1 stands for false/true, so that one set of queries serves every dialect.
 */
export interface Database extends ConsoleTables, UpkeepTables {
  readonly jobs: JobsTable
  readonly kits: KitsTable
  readonly signing_keys: SigningKeysTable
  readonly private_keys: PrivateKeysTable
  readonly idempotency: IdempotencyTable
  readonly plans: PlansTable
  readonly workspaces: WorkspacesTable
  readonly api_keys: ApiKeysTable
  readonly submissions: SubmissionsTable
  readonly evidence: EvidenceTable
  readonly credit_ledger: CreditLedgerTable
  readonly audit_events: AuditEventsTable
}

export type JobStatus = 'DRAFT' | 'SUBMITTED' | 'PASS' | 'FAIL' | 'ISSUED' | 'EXPIRED'

export interface JobsTable {
  readonly job_id: JobId
  readonly tenant_id: string
  readonly scope_label: string
  readonly status: JobStatus
  readonly created_at: string
  readonly updated_at: string
  /** When an unbound draft expires; null for every other job. */
  readonly expires_at: string | null
  readonly kit_id: KitId | null
  /** 1 where the caller showed a valid key. */
  readonly authenticated: number
  /** How often a worker has claimed the job. */
  readonly attempts: number
  readonly lease_owner: string | null
  readonly lease_until: string | null
  /** Grows with every claim: a worker that lost its lease writes with an old token, and nothing is changed. */
  readonly lease_token: number
  /** JSON: Blocker[] of a job that is FAIL. */
  readonly blockers: string | null
  /** Whose key created the job, or took it over for a submission; null for nobody's. */
  readonly workspace_id: WorkspaceId | null
}

export interface KitsTable {
  readonly kit_id: KitId
  readonly job_id: JobId
  readonly issued_at: string
  readonly receipt_version: string
  readonly manifest_sha256: string
  readonly public_key_kid: string
  /** JSON: { name: reference }. */
  readonly downloads: string
  /** JSON: the receipt, as served. */
  readonly receipt: string
  /** JSON: KitEntry[], every file of the kit in zip order. */
  readonly entries: string
}

/** One file of a kit: its bytes are `sizeBytes` bytes from `offset` of the stored object `object` (SHA-256, hex). */
export interface KitEntry {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
  readonly object: string
  readonly offset: number
}

export type SigningKeyState = 'active' | 'retired' | 'revoked'

export interface SigningKeysTable {
  readonly kid: string
  readonly x: string
  readonly provider: 'file' | 'pkcs11' | 'database'
  /** Where the provider finds the private half: a file name, a token's object label, a row of private_keys. */
  readonly reference: string
  readonly state: SigningKeyState
  readonly created_at: string
  readonly retired_at: string | null
  readonly revoked_at: string | null
}

export interface PrivateKeysTable {
  readonly reference: string
  /** As in a key file: sealed by the passphrase, or PKCS#8 in PEM where there is none. */
  readonly content: string
}

export interface IdempotencyTable {
  /** Who sent the key, and to which operation. */
  readonly scope: string
  readonly key: string
  readonly request_hash: string
  readonly status: number
  readonly body: string
  readonly created_at: string
}

export interface PlansTable {
  readonly plan: string
  readonly api_access: number
  /** Of all uploads of one submission together. */
  readonly upload_limit_bytes: number
  readonly unpacked_limit_bytes: number
  readonly unpacked_files: number
  /** Unpacked bytes for each packed one. */
  readonly unpacked_ratio: number
  /** Null where kits are kept for good. */
  readonly retention_days: number | null
  readonly rate_per_minute: number
  readonly created_at: string
  readonly updated_at: string
}

export interface WorkspacesTable {
  readonly workspace_id: WorkspaceId
  readonly name: string
  readonly plan: string
  readonly public_kits: number
  /** Sums of the ledger, kept here so that a condition in one statement prevents overspending. */
  readonly credits_available: number
  readonly credits_held: number
  /** How many rows the ledger and the trail have: the next one's sequence is one more. */
  readonly ledger_entries: number
  readonly audit_events: number
  readonly created_at: string
  readonly updated_at: string
}

export interface ApiKeysTable {
  readonly key_id: ApiKeyId
  readonly workspace_id: WorkspaceId
  /** Of the whole key, hex. The key itself is kept nowhere. */
  readonly sha256: string
  readonly label: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

export interface SubmissionsTable {
  readonly submission_id: SubmissionId
  readonly workspace_id: WorkspaceId
  /** In the workspace, by creation: the cursor of the list. */
  readonly sequence: number
  readonly job_id: JobId
  readonly label: string
  readonly profile: string
  readonly created_at: string
  readonly updated_at: string
  /** How many uploads were accepted: an upload that began before another one ended is told by it. */
  readonly uploads: number
  readonly uploaded_bytes: number
}

export interface EvidenceTable {
  readonly submission_id: SubmissionId
  readonly position: number
  /** As the client wrote it. */
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  readonly crc32: number
  readonly media_type: string
}

export type CreditMove = 'grant' | 'hold' | 'capture' | 'release'

export interface CreditLedgerTable {
  readonly workspace_id: WorkspaceId
  readonly sequence: number
  readonly kind: CreditMove
  readonly available_change: number
  readonly held_change: number
  readonly available_after: number
  readonly submission_id: SubmissionId | null
  readonly note: string | null
  readonly at: string
}

export interface AuditEventsTable {
  readonly workspace_id: WorkspaceId
  readonly sequence: number
  readonly at: string
  /** A caller with a key, somebody in the console, the command line, or what happens by itself. */
  readonly actor: 'key' | 'member' | 'operator' | 'service'
  readonly key_id: ApiKeyId | null
  readonly member_id: MemberId | null
  readonly action: string
  /** The id of what was changed. */
  readonly subject: string
  /** JSON: what else is worth knowing; never a secret, never evidence. */
  readonly details: string
}
