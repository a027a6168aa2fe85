import type { KitId, SubmissionId } from '../runtime/identifiers.ts'

/** The tables of background maintenance. */
export interface MaintenanceTables {
  readonly holds: HoldsTable
  readonly kit_objects: KitObjectsTable
  readonly condemned_objects: CondemnedObjectsTable
  readonly unused_objects: UnusedObjectsTable
  readonly expired_kits: ExpiredKitsTable
  readonly upkeep: MaintenanceTable
  readonly daily_counts: DailyCountsTable
}

/**
 * The objects that hold the files of a kit, except the evidence of its submission: `evidence` refers to that until the job
 * has expired. Removed when the kit's retention ends.
 */
export interface KitObjectsTable {
  readonly sha256: string
  readonly kit_id: KitId
}

/** What was removed from a draft, or stored by an upload that was then refused, until its bytes are gone. */
export interface UnusedObjectsTable {
  readonly submission_id: SubmissionId
  readonly sha256: string
  readonly size_bytes: number
  readonly unused_since: string
}

/** Orphans about to be deleted. While an object is listed here, no new record can refer to it. */
export interface CondemnedObjectsTable {
  readonly sha256: string
  readonly condemned_at: string
  /** Set when deletion begins: from then on the object may be gone. */
  readonly removing_at: string | null
}

/** Kits whose files were deleted, at the end of their retention or on request. Manifest and receipt are kept. */
export interface ExpiredKitsTable {
  readonly kit_id: KitId
  readonly expired_at: string
  /** manifest.json, as it was served. */
  readonly manifest: string
  /** erasure.json. Null for a kit of open intake. */
  readonly erasure: string | null
}

/** Of a limit per day, for all nodes. A day begins at midnight UTC. */
export interface DailyCountsTable {
  readonly day: string
  readonly name: string
  readonly count: number
}

/** What is known about something that runs again and again. */
export interface MaintenanceTable {
  readonly task: string
  readonly finished_at: string | null
  /** JSON: progress and counters. */
  readonly state: string
}

/** Legal holds: the evidence of these submissions is neither expired nor deleted. */
export interface HoldsTable {
  readonly submission_id: SubmissionId
  readonly reason: string
  readonly placed_at: string
  /** `key:ID` or `member:ID`. */
  readonly placed_by: string
}
