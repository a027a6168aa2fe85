import type { RoomComment, RoomReviewList } from '@kitseal/client'
import type { Supplier } from '@kitseal/kit/internal'
import type { SharedItem } from '../shared-kit.ts'

/** A kit of a room. The rest of it is below `base`, as for the share of one kit. */
export interface RoomKit {
  readonly kit_id: string
  readonly base: string
  readonly scope: string
  readonly issuer: string
  readonly supplier: Supplier | null
  readonly requested_by?: Supplier
  readonly issued_at: string
  readonly files: number
  readonly items: readonly SharedItem[] | null
  readonly size_bytes: number
  readonly status: 'available' | 'erased'
  readonly erased_at: string | null
}

/** `share.json` of a room. */
export interface SharedRoom {
  readonly title: string
  readonly workspace: string
  readonly note: string | null
  readonly series: string | null
  readonly expires_at: string
  readonly downloads_left: number | null
  readonly status: 'available' | 'exhausted'
  readonly recipient: string | null
  readonly kits: readonly RoomKit[]
}

export type Review = RoomReviewList['data'][number]

/** `remarks.json` of a room. */
export interface Remarks {
  readonly comments: readonly RoomComment[]
  readonly reviews: readonly Review[]
}

/** What a comment or a review is about. */
export interface Place {
  readonly kit_id: string
  readonly path?: string
  readonly item_id?: string
}

export const isAt = (
  place: Place,
  { kit_id, path, item_id }: Pick<RoomComment, 'kit_id' | 'path' | 'item_id'>,
): boolean => kit_id === place.kit_id && path === (place.path ?? null) && item_id === (place.item_id ?? null)
