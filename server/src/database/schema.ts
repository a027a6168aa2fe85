import type { Language } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import type { ApiKeyId, JobId, KitId, MemberId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import type { ConsoleTables } from './console-schema.ts'
import type { DeliveryTables } from './delivery-schema.ts'
import type { AccessTables } from './access-schema.ts'
import type { LinkTables } from './link-schema.ts'
import type { LogTables } from './log-schema.ts'
import type { MaintenanceTables } from './maintenance-schema.ts'
import type { SeriesTables } from './series-schema.ts'
import type { TaskTables } from './task-schema.ts'
import type { ResumableUploadsTable } from './upload-schema.ts'

/** The database, or a transaction. */
export type Db = Kysely<Database>

/**
 * The tables, for Kysely. Timestamps are RFC 3339 text of fixed width (so text order is time order), JSON is text, and
 * booleans are 0 or 1, so that the same queries work in every dialect.
 */
export interface Database
  extends
    ConsoleTables,
    DeliveryTables,
    AccessTables,
    LinkTables,
    LogTables,
    MaintenanceTables,
    SeriesTables,
    TaskTables {
  readonly kits: KitsTable
  readonly signing_keys: SigningKeysTable
  readonly private_keys: PrivateKeysTable
  readonly idempotency: IdempotencyTable
  readonly plans: PlansTable
  readonly workspaces: WorkspacesTable
  readonly submissions: SubmissionsTable
  readonly profiles: ProfilesTable
  readonly submission_words: SubmissionWordsTable
  readonly evidence: EvidenceTable
  readonly resumable_uploads: ResumableUploadsTable
  readonly credit_ledger: CreditLedgerTable
  readonly audit_events: AuditEventsTable
  readonly audit_heads: AuditHeadsTable
}

export type JobStatus = 'DRAFT' | 'SUBMITTED' | 'PASS' | 'FAIL' | 'ISSUED' | 'EXPIRED'

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
  /** Of kit.zip. Null until the kit is issued. */
  readonly zip_sha256: string | null
  /** proofs/log.tlog-proof. Null until the kit is issued. */
  readonly log_proof: string | null
  /** proofs/time.tsr in base64. Null until the kit is issued, and if its checkpoint has no time-stamp. */
  readonly time_stamp: string | null
}

/** One file of a kit: `sizeBytes` bytes from `offset` of the stored object `object`. */
export interface KitEntry {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
  readonly object: string
  readonly offset: number
  /** What the output of a known tool says about itself, in one line. */
  readonly summary?: string | undefined
}

export type SigningKeyState = 'active' | 'retired' | 'revoked'

export interface SigningKeysTable {
  readonly kid: string
  readonly x: string
  /** `imported`: only the public half is known. */
  readonly provider: 'file' | 'pkcs11' | 'database' | 'imported'
  /** Where the provider finds the private key: a file name, a token's object ID, or a row of private_keys. */
  readonly reference: string
  readonly state: SigningKeyState
  readonly created_at: string
  readonly retired_at: string | null
  readonly revoked_at: string | null
  /** Kits that are shown to be older stay valid. */
  readonly compromised_since: string | null
}

export interface PrivateKeysTable {
  readonly reference: string
  /** As in a key file: encrypted with the passphrase, or PKCS#8 in PEM if there is none. */
  readonly content: string
}

export interface IdempotencyTable {
  /** The caller and the operation. */
  readonly scope: string
  readonly key: string
  readonly request_hash: string
  readonly status: number
  readonly body: string
  readonly created_at: string
}

/** `examined_only`: files that are not examined block a submission, unless they are acknowledged. */
export type EvidencePolicy = 'open' | 'examined_only'

export interface PlansTable {
  readonly plan: string
  readonly api_access: number
  /** Total of all uploads of a submission. */
  readonly upload_limit_bytes: number
  readonly unpacked_limit_bytes: number
  readonly unpacked_files: number
  /** Most unpacked bytes per packed byte. */
  readonly unpacked_ratio: number
  /** Null: kits are kept indefinitely. */
  readonly retention_days: number | null
  readonly rate_per_minute: number
  /** Of all submissions of a workspace. Null: no limit. */
  readonly storage_limit_bytes: number | null
  /** To people who are not members of the workspace. */
  readonly mails_per_day: number
  readonly evidence_policy: EvidencePolicy
  /** JSON: stricter classes of findings by their codes. Null if there are none. */
  readonly finding_classes: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** What the public API shows to anyone who knows an ID: jobs and receipts, manifests and kits too, or nothing. */
export type PublicKits = 'receipts' | 'all' | 'none'

export interface WorkspacesTable {
  readonly workspace_id: WorkspaceId
  /** Sealed in kits as the supplier. */
  readonly name: string
  /** `service`: nobody has named it yet. `operator`: the operator set or confirmed the name. */
  readonly named_by: 'service' | 'workspace' | 'operator'
  readonly plan: string
  /** `public_kits` in the API and on the command line. */
  readonly visibility: PublicKits
  /** Of binders, and of mails. */
  readonly language: Language
  /** Sums of the ledger, so that a condition in one statement prevents overspending. */
  readonly credits_available: number
  readonly credits_held: number
  /** 1 unless the operator gave it a number of credits. Then only holds are counted. */
  readonly credits_unlimited: number
  /** Uploaded and reserved bytes of submissions that have not expired. Kept by triggers. */
  readonly stored_bytes: number
  /** Number of rows in the ledger and the audit log, which is the last sequence number. */
  readonly ledger_entries: number
  readonly audit_events: number
  /** Hash of the newest event, set by the database. Before the first event the audit tag, which is its `prev`. */
  readonly audit_head: string
  /** Keeps the audit tag in the transparency log from naming the workspace. Null if its tag has none (v1). */
  readonly audit_secret: string | null
  /** JSON: the keys that it pins for other issuers, as in a trust store. Null if there are none. */
  readonly pins: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A submission is its job: `/v1/submissions` and `/v1/intake/jobs` show the same row. */
export interface SubmissionsTable {
  /** Known to callers once it is opened. */
  readonly submission_id: SubmissionId
  readonly job_id: JobId
  /** Null for anonymous jobs. */
  readonly workspace_id: WorkspaceId | null
  readonly tenant_id: string
  readonly scope_label: string
  readonly status: JobStatus
  readonly job_created_at: string
  /** When its status changed, or evidence arrived. */
  readonly job_updated_at: string
  /** When a draft expires; null for every other status. */
  readonly expires_at: string | null
  readonly kit_id: KitId | null
  /** 1 if the caller sent a valid API key. */
  readonly authenticated: number
  /** The process that sealed its kit, which is the first to issue it. Null until it has passed. */
  readonly sealed_by: string | null
  /** JSON: Blocker[], if it failed. */
  readonly blockers: string | null
  /** JSON: FindingRecord[] of the evidence. Null until it was examined. */
  readonly findings: string | null
  /** Creation order in the workspace; used as the list cursor. Null for an intake job that was not opened as a submission. */
  readonly sequence: number | null
  readonly label: string
  readonly profile: string
  /** When it was opened. */
  readonly created_at: string
  readonly updated_at: string
  /** Number of accepted uploads. Detects concurrent uploads. */
  readonly uploads: number
  readonly uploaded_bytes: number
  /** Resumable uploads that are not finished, and the sum of their sizes. */
  readonly open_uploads: number
  readonly reserved_bytes: number
  /** The kit that this one replaces, because its signing key was revoked. */
  readonly replaces_kit_id: KitId | null
  /** JSON: the codes of findings that the supplier acknowledges. Null for none. */
  readonly accept: string | null
  /** JSON: files that a person says are for an item of the profile. */
  readonly confirmed: string | null
  /** JSON: what the supplier states about where the evidence came from (SubmissionProvenance). */
  readonly provenance: string | null
  /** Null if the profile ships with the service. */
  readonly profile_version: number | null
  readonly series: string | null
  /** The caller's own ID. */
  readonly external_id: string | null
  /** JSON: string[]. Null for none. */
  readonly tags: string | null
  /** JSON: { name: text }. Null for none. */
  readonly metadata: string | null
  /** The label in lower case, to sort by. */
  readonly label_key: string
}

/** A row that was opened as a submission. */
export type OpenedSubmission = SubmissionsTable & {
  readonly workspace_id: WorkspaceId
  readonly sequence: number
}

/** Versions of the profiles of workspaces. One of each is current. */
export interface ProfilesTable {
  readonly workspace_id: WorkspaceId
  readonly profile: string
  readonly version: number
  /** JSON, as spec/schemas/profile.json. */
  readonly document: string
  readonly created_at: string
  /** When another version replaced it, or it was deleted. Null for the current one. */
  readonly ended_at: string | null
}

export type WordField = 'label' | 'path' | 'tag'

/** Words that submissions are found by. Tags are whole. */
export interface SubmissionWordsTable {
  readonly workspace_id: WorkspaceId
  readonly field: WordField
  readonly word: string
  /** Of the submission. */
  readonly sequence: number
}

export interface EvidenceTable {
  readonly submission_id: SubmissionId
  readonly position: number
  /** As sent by the client. */
  readonly name: string
  readonly sha256: string
  readonly size_bytes: number
  readonly crc32: number
  /** Where its bytes are. */
  readonly object: string
  readonly offset_bytes: number
  readonly media_type: string
  /** `key:ID` or `member:ID`. Null for evidence that was copied. */
  readonly received_by: string | null
  /** JSON: how it was received, as provenance entries without paths. Null for files of earlier versions. */
  readonly received: string | null
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
  /**
   * An API key, a member in the console, the operator's command line, the service itself, someone with a link of
   * `links`, or anyone with a public link.
   */
  readonly actor: 'key' | 'member' | 'operator' | 'service' | 'link' | 'anonymous'
  readonly key_id: ApiKeyId | null
  readonly member_id: MemberId | null
  readonly action: string
  /** ID of what changed. */
  readonly subject: string
  /** JSON. Never contains secrets or evidence. */
  readonly details: string
  /** Hash of the event before. */
  readonly prev: string
  readonly hash: string
}

/** States of audit logs that are in the transparency log. */
export interface AuditHeadsTable {
  readonly workspace_id: WorkspaceId
  /** Sequence number of the newest event. */
  readonly count: number
  /** Its hash. */
  readonly head: string
  /** Null only within the transaction that adds it. */
  readonly leaf_id: number | null
  readonly logged_at: string
}
