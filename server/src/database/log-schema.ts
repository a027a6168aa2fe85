import type { Generated } from 'kysely'
import type { KitId } from '../runtime/identifiers.ts'

/** The tables of the transparency log. */
export interface LogTables {
  readonly log: LogTable
  readonly log_leaves: LogLeavesTable
  readonly log_tiles: LogTilesTable
  readonly log_checkpoints: LogCheckpointsTable
  readonly log_witnesses: LogWitnessesTable
}

/** One row, created with the log's key. The database rejects a smaller size, and another root of the same size. */
export interface LogTable {
  readonly id: 1
  /** Identifies the log in checkpoints. Never changes. */
  readonly origin: string
  /** The log's own Ed25519 key, which never changes. */
  readonly kid: string
  readonly x: string
  readonly provider: 'file' | 'pkcs11' | 'database'
  readonly reference: string
  readonly size: number
  /** Base64. */
  readonly root: string
  readonly updated_at: string
  /** Null unless the log is frozen: nothing is sequenced, signed or issued. */
  readonly frozen_at: string | null
  readonly frozen_reason: string | null
  /** 1 once a size was recorded in the high-water mark. */
  readonly marked: number
}

/** Leaves are added with the change that they record, and get their index later. */
export interface LogLeavesTable {
  readonly leaf_id: Generated<number>
  /** Canonical JSON. */
  readonly leaf: string
  /** The kit of a receipt; null for other leaves. */
  readonly kit_id: KitId | null
  /** Null until the leaf is in the tree. */
  readonly leaf_index: number | null
}

/** Full tiles. Partial ones are computed. */
export interface LogTilesTable {
  readonly level: number
  readonly tile_index: number
  /** Base64 of 256 hashes. */
  readonly hashes: string
  /** Base64 of the hash of the tile, which is one hash of the level above. */
  readonly root: string
}

/** Checkpoints that were sent to witnesses. Without witnesses there are none. */
export interface LogCheckpointsTable {
  readonly size: number
  /** Base64. */
  readonly root: string
  /** The signed note: the signature of the log, and the cosignatures that were verified. */
  readonly note: string
  /** 1 if the quorum of the policy at that time was met. */
  readonly quorum_met: number
  readonly time_stamp: string | null
  readonly created_at: string
}

/** What the service knows about a witness, shared by all nodes. */
export interface LogWitnessesTable {
  readonly vkey: string
  /** Its name in the policy. */
  readonly name: string
  /** The size that it cosigned last. */
  readonly size: number
  readonly cosigned_at: string | null
  readonly failures: number
  /** Null if the last request succeeded. */
  readonly problem: string | null
}
