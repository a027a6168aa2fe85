import type { KitId, SubmissionId } from '../runtime/identifiers.ts'

/** The tables of background maintenance. */
export interface MaintenanceTables {
  readonly holds: HoldsTable
  readonly objects: ObjectsTable
  readonly expired_kits: ExpiredKitsTable
  readonly upkeep: MaintenanceTable
  readonly daily_counts: DailyCountsTable
}

/** What was accepted. Each object belongs to one submission, and goes with it. */
export interface ObjectsTable {
  readonly object: string
  /** Null for what every kit has, and for an object that was given up because nobody had accepted it. */
  readonly submission_id: SubmissionId | null
  /** Of all of its bytes. */
  readonly sha256: string
  readonly size_bytes: number
  /** Since then its bytes are to be deleted. */
  readonly erased_at: string | null
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
