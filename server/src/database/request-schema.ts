import type { EvidenceRequestId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'

/** The tables of requests for evidence. */
export interface RequestTables {
  readonly requests: RequestsTable
  readonly request_items: RequestItemsTable
  readonly request_comments: RequestCommentsTable
  readonly request_rounds: RequestRoundsTable
}

export interface RequestsTable {
  readonly request_id: EvidenceRequestId
  readonly workspace_id: WorkspaceId
  /** Creation order in the workspace; used as the list cursor. */
  readonly sequence: number
  readonly title: string
  readonly message: string | null
  readonly due_at: string | null
  readonly series: string | null
  /** The profile that the items were taken from. */
  readonly profile: string | null
  /** JSON: email addresses. */
  readonly recipients: string
  /** The newest round; 0 until the supplier starts. */
  readonly round: number
  /** `key:ID`, `member:ID`, or `service` for one of a program. */
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  readonly reminded_at: string | null
  readonly closed_at: string | null
  /** 1 while every item is accepted or not applicable: what waits is found without a look at the others. */
  readonly settled: number
}

/** Of a thing that is asked for. */
export const ITEM_STATUSES = [
  'missing',
  'collected',
  'to_review',
  'needs_changes',
  'accepted',
  'not_applicable',
] as const

export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Someone has to supply it, or has not finished. */
export const UNFINISHED: ReadonlySet<ItemStatus> = new Set(['missing', 'collected', 'needs_changes'])

/** What the requester said about an item. Null until then. */
export type Review = 'accepted' | 'needs_changes' | 'not_applicable'

export interface RequestItemsTable {
  readonly request_id: EvidenceRequestId
  /** As given in the list. Also the folder of its files in the kit. */
  readonly item_id: string
  readonly position: number
  readonly title: string
  readonly description: string | null
  readonly due_at: string | null
  readonly review: Review | null
  /** The newest submitted round when it was reviewed; 0 before the first. */
  readonly review_round: number | null
  /** Why it does not apply, if the requester says so. */
  readonly reason: string | null
  /** Why it does not apply, if the supplier says so, and the round that says it. */
  readonly not_applicable: string | null
  readonly answered_round: number | null
}

export interface RequestCommentsTable {
  readonly request_id: EvidenceRequestId
  readonly number: number
  readonly item_id: string
  readonly author: 'requester' | 'supplier'
  /** `key:ID`, `member:ID` or `link:ID`. */
  readonly written_by: string
  readonly text: string
  readonly at: string
}

/** Each round is a submission: a draft, then a kit. A round starts anew when an item needs changes. */
export interface RequestRoundsTable {
  readonly request_id: EvidenceRequestId
  readonly round: number
  readonly submission_id: SubmissionId
  /** JSON: facts for the provenance report about the person who submits. */
  readonly sender: string | null
}
