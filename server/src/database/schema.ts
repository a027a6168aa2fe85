import type { JobId, KitId } from '../identifiers.ts'

/**
 * The tables, as Kysely sees them. Times are RFC 3339 text of fixed width (text order is time order), JSON is
 * text and 0/1 stands for false/true, so that one set of queries serves every dialect.
 */
export interface Database {
  readonly jobs: JobsTable
  readonly kits: KitsTable
  readonly signing_keys: SigningKeysTable
  readonly idempotency: IdempotencyTable
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
  readonly provider: 'file' | 'pkcs11'
  /** Where the provider finds the private half: a file name in the key folder, or a token's object label. */
  readonly reference: string
  readonly state: SigningKeyState
  readonly created_at: string
  readonly retired_at: string | null
  readonly revoked_at: string | null
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
