import type {
  EvidenceRequestId,
  MemberId,
  ProgramId,
  SubmissionId,
  WorkspaceId,
} from '../runtime/identifiers.ts'
import type { ItemStatus } from './request-schema.ts'

/** The tables of programs: what a workspace shows again and again. */
export interface ProgramTables {
  readonly programs: ProgramsTable
  readonly program_items: ProgramItemsTable
  readonly program_periods: ProgramPeriodsTable
  readonly period_items: PeriodItemsTable
  readonly period_comments: PeriodCommentsTable
}

export const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const
export type Cadence = (typeof CADENCES)[number]

/** Where the files of an item come from: the workspace itself, or a supplier who is asked with a request. */
export const ITEM_SOURCES = ['internal', 'request'] as const
export type ItemSource = (typeof ITEM_SOURCES)[number]

export interface ProgramsTable {
  readonly program_id: ProgramId
  readonly workspace_id: WorkspaceId
  /** Creation order in the workspace; used as the list cursor. */
  readonly sequence: number
  readonly name: string
  /** The series of its kits. It stays when the program is renamed. */
  readonly series: string
  readonly cadence: Cadence
  /** A date. Every period starts on this day of its month. */
  readonly starts_on: string
  /** For owners and suppliers. */
  readonly message: string | null
  /** The date on which the next period opens. Null if none opens by itself. */
  readonly next_on: string | null
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  readonly ended_at: string | null
}

interface Item {
  readonly program_id: ProgramId
  /** Also the folder of its files in the kit. */
  readonly item_id: string
  readonly position: number
  readonly title: string
  readonly description: string | null
  readonly source: ItemSource
  /** The member who supplies the files. Null if nobody is named, or the source is a request. */
  readonly owner_id: MemberId | null
  /** JSON: email addresses of the supplier. */
  readonly recipients: string
}

/** The items of the next period. */
export interface ProgramItemsTable extends Item {
  /** Days after the start of a period. */
  readonly due_days: number
}

export interface ProgramPeriodsTable {
  readonly program_id: ProgramId
  /** Such as 2026-Q4. */
  readonly period: string
  /** 1 for the first period of the program. */
  readonly number: number
  readonly from_on: string
  /** The last day. Null if the program has no cadence. */
  readonly to_on: string | null
  /** The draft of the files, and then the submission of the kit. */
  readonly submission_id: SubmissionId
  /** The submission that failed, until the period is sealed again. */
  readonly failed_submission_id: SubmissionId | null
  /** `key:ID` or `member:ID`. Null until it is sealed for the first time. */
  readonly sealed_by: string | null
  readonly opened_at: string
}

export interface PeriodItemsTable extends Item {
  readonly period: string
  readonly due_at: string
  /** What was said last about an internal item, and about which files. */
  readonly review: Exclude<ItemStatus, 'missing' | 'collected'> | null
  readonly reviewed_files: string | null
  readonly reviewed_by: string | null
  readonly reviewed_at: string | null
  /** Why it does not apply. */
  readonly reason: string | null
  /** Of an item whose source is a request. */
  readonly request_id: EvidenceRequestId | null
  /** Its status when the period was sealed. Null while the period is open. */
  readonly sealed_status: ItemStatus | null
}

/** Comments on internal items. Those on the others belong to the request. */
export interface PeriodCommentsTable {
  readonly program_id: ProgramId
  readonly period: string
  readonly number: number
  readonly item_id: string
  /** `key:ID` or `member:ID`. */
  readonly written_by: string
  readonly text: string
  readonly at: string
}
