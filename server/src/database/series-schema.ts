import type { KitId, WorkspaceId } from '../runtime/identifiers.ts'

export interface SeriesTables {
  readonly series_kits: SeriesKitsTable
  readonly series_counts: SeriesCountsTable
}

/** The issued kits of a series, in order. */
export interface SeriesKitsTable {
  readonly workspace_id: WorkspaceId
  readonly series: string
  readonly issued_at: string
  /** Of the submission. */
  readonly sequence: number
  readonly kit_id: KitId
  /** 1 if it replaces a kit whose key was revoked. */
  readonly is_reissue: number
}

/** How many rows `series_kits` has for a series. */
export interface SeriesCountsTable {
  readonly workspace_id: WorkspaceId
  readonly series: string
  readonly kits: number
}
