import type { CommentId, KitId, LinkId, ShareId, WorkspaceId } from '../runtime/identifiers.ts'

export interface ShareTables {
  readonly shares: SharesTable
  readonly share_kits: ShareKitsTable
  readonly share_accesses: ShareAccessesTable
  readonly share_comments: ShareCommentsTable
  readonly share_reviews: ShareReviewsTable
}

/** Kits, or some files of one, for someone without an account. Its token is in `links`. */
export interface SharesTable {
  readonly share_id: ShareId
  readonly workspace_id: WorkspaceId
  /** The number of the audit event of its creation, so that shares of a workspace have an order. */
  readonly sequence: number
  /** Of a room. Null for the share of one kit. */
  readonly title: string | null
  /** A room of this series has its kits, also those that come later. Null if they are in `share_kits`. */
  readonly series: string | null
  /** JSON: string[], sorted. Null for the whole kit. */
  readonly paths: string | null
  readonly note: string | null
  /** See share-password.ts. */
  readonly password: string | null
  readonly max_downloads: number | null
  readonly downloads: number
  /** Rows in `share_accesses`. */
  readonly accesses: number
  /** Comments and reviews so far, which numbers them. */
  readonly remarks: number
  readonly last_access_at: string | null
  /** 1 if downloads are mailed to the one who created it. */
  readonly notify_downloads: number
  /** ID of the API key or the member. */
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

/** The kits that were chosen, in their order. The share of one kit has one. */
export interface ShareKitsTable {
  readonly share_id: ShareId
  readonly position: number
  readonly kit_id: KitId
}

export const ACCESS_KINDS = [
  'opened',
  'viewed',
  'downloaded',
  'commented',
  'reviewed',
  'review_withdrawn',
  'password_refused',
] as const

export type AccessKind = (typeof ACCESS_KINDS)[number]

export interface ShareAccessesTable {
  readonly share_id: ShareId
  readonly sequence: number
  readonly at: string
  readonly kind: AccessKind
  /** The kit that it is about. Null for the room as a whole, and for accesses before rooms. */
  readonly kit_id: KitId | null
  /** `kit.zip` or the path of a file. */
  readonly name: string | null
  /** Truncated: 203.0.113.0/24. */
  readonly address: string
  /** The link that was used. */
  readonly link_id: LinkId
  /** SHA-256 of the visit, if this access was counted as one. */
  readonly visit: string | null
}

export const QUESTION_STATES = ['open', 'answered', 'resolved'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

/** Why a name is believed: a member, a key, the address that a link was made for, or nothing but the person's word. */
export const AUTHOR_BASES = ['member', 'key', 'recipient', 'not_verified'] as const
export type AuthorBasis = (typeof AUTHOR_BASES)[number]

/** What people wrote in a room. The audit log has the ID and the SHA-256 of each, so that text can be erased. */
export interface ShareCommentsTable {
  readonly comment_id: CommentId
  readonly share_id: ShareId
  readonly workspace_id: WorkspaceId
  readonly sequence: number
  readonly kit_id: KitId
  readonly path: string | null
  readonly item_id: string | null
  /** The first comment of the thread. Null if it is the first. */
  readonly reply_to: CommentId | null
  readonly side: 'workspace' | 'reviewer'
  /** `key:ID`, `member:ID` or `link:ID`. */
  readonly written_by: string
  /** Empty once it is erased. */
  readonly author: string
  readonly basis: AuthorBasis
  /** Empty once it is erased. */
  readonly text: string
  readonly sha256: string
  /** Of a question. */
  readonly state: QuestionState | null
  readonly at: string
  readonly erased_at: string | null
}

/** What reviewers say that they have reviewed. */
export interface ShareReviewsTable {
  readonly share_id: ShareId
  readonly kit_id: KitId
  /** Empty for the kit, or an item of it. */
  readonly path: string
  readonly item_id: string
  /** Email address of the recipient, or the name that someone gave. */
  readonly reviewer: string
  readonly basis: AuthorBasis
  readonly sequence: number
  readonly at: string
}
