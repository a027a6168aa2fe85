import type { KitId } from '../identifiers.ts'

/** What the care of stored objects needs to know. */
export interface UpkeepTables {
  readonly kit_objects: KitObjectsTable
  readonly condemned_objects: CondemnedObjectsTable
  readonly expired_kits: ExpiredKitsTable
  readonly upkeep: UpkeepTable
}

/** Which objects the files of a kit lie in. Gone once the kit's bytes are no longer kept. */
export interface KitObjectsTable {
  readonly sha256: string
  readonly kit_id: KitId
}

/** Objects that no record names and that are about to be removed; while they stand here no record can name them. */
export interface CondemnedObjectsTable {
  readonly sha256: string
  readonly condemned_at: string
  /** From when on it may be gone. */
  readonly removing_at: string | null
}

/** Kits whose bytes were deleted at the end of their retention. The manifest stays, and the receipt with the kit. */
export interface ExpiredKitsTable {
  readonly kit_id: KitId
  readonly expired_at: string
  /** manifest.json, as it was served. */
  readonly manifest: string
}

/** Work that one node at a time does in the background. */
export interface UpkeepTable {
  readonly task: string
  readonly owner: string | null
  /** Whose turn it is has it until then. */
  readonly until: string | null
  readonly finished_at: string | null
  /** JSON: how far it came, and what it counted. */
  readonly state: string
}
