import type { NotNull } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { KitId, WorkspaceId } from '../runtime/identifiers.ts'
import { filesOf, type KitFile, storedFiles } from './kit-files.ts'

/** An issued kit. It does not change until its retention ends. */
export interface KitRecord {
  readonly kitId: KitId
  /** Null without a workspace. */
  readonly workspaceId: WorkspaceId | null
  readonly issuedAt: string
  /** JSON: { name: path } of the deliverables. */
  readonly downloads: string
  /** receipt.json, as text. */
  readonly receipt: string
  /** Every file of the kit, in zip order. */
  readonly entries: readonly KitFile[]
  /** The objects that contain the files, without duplicates. */
  readonly objects: readonly string[]
  /** SHA-256 of kit.zip. */
  readonly zipSha256: string
  /** Total size of all files. */
  readonly contentBytes: number
  /** When the files were deleted, and the manifest. */
  readonly expired: { readonly at: string; readonly manifest: string } | undefined
}

/** About 16 MB. */
const MAX_CACHED_ENTRIES = 50_000
/** How long a cached kit of a workspace is used before checking whether it has expired. */
const RECHECK_MS = 5000

export type KitCatalog = ReturnType<typeof kitCatalog>

/** Finds kits, with an LRU cache so that large kits are parsed once. */
export function kitCatalog(
  db: Db,
  maxEntries = MAX_CACHED_ENTRIES,
  elapsedMs: () => number = () => performance.now(),
) {
  const kept = new Map<KitId, KitRecord>()
  const seenAt = new WeakMap<KitRecord, number>()
  let entries = 0

  function addToCache(kit: KitRecord): void {
    kept.set(kit.kitId, kit)
    seenAt.set(kit, elapsedMs())
    entries += kit.entries.length
    for (const [oldest, record] of kept) {
      // The newest kit stays, however large it is.
      if (entries <= maxEntries || kept.size === 1) return
      kept.delete(oldest)
      entries -= record.entries.length
    }
  }

  function evict(kit: KitRecord): void {
    if (kept.delete(kit.kitId)) entries -= kit.entries.length
  }

  async function isCurrent(kit: KitRecord): Promise<boolean> {
    const isFinal = kit.workspaceId === null || kit.expired !== undefined
    if (isFinal || elapsedMs() - (seenAt.get(kit) ?? 0) < RECHECK_MS) return true
    seenAt.set(kit, elapsedMs())
    return (await findExpired(db, kit.kitId)) === undefined
  }

  return {
    async find(kitId: KitId): Promise<KitRecord | undefined> {
      const known = kept.get(kitId)
      if (known !== undefined && (await isCurrent(known))) {
        if (kept.delete(kitId)) kept.set(kitId, known)
        return known
      }
      if (known !== undefined) evict(known)
      const kit = await readKit(db, kitId)
      if (kit !== undefined && !kept.has(kitId)) addToCache(kit)
      return kit
    },
  }
}

async function readKit(db: Db, kitId: KitId): Promise<KitRecord | undefined> {
  const row = await db
    .selectFrom('kits')
    // The job gets the kit when it is issued.
    .innerJoin('jobs', 'jobs.kit_id', 'kits.kit_id')
    .select([
      'kits.kit_id',
      'kits.issued_at',
      'kits.downloads',
      'kits.receipt',
      'kits.entries',
      'kits.zip_sha256',
      'kits.log_proof',
      'kits.time_stamp',
    ])
    .select('jobs.workspace_id')
    .where('kits.kit_id', '=', kitId)
    .$narrowType<{ zip_sha256: NotNull }>()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const expired = await findExpired(db, kitId)
  const entries = filesOf(row)
  return {
    kitId: row.kit_id,
    workspaceId: row.workspace_id,
    downloads: row.downloads,
    issuedAt: row.issued_at,
    receipt: row.receipt,
    entries,
    zipSha256: row.zip_sha256,
    objects: [...new Set(storedFiles(entries).map((entry) => entry.object))],
    expired,
    contentBytes: entries.reduce((sum, entry) => sum + entry.sizeBytes, 0),
  }
}

async function findExpired(db: Db, kitId: KitId): Promise<KitRecord['expired']> {
  const row = await db
    .selectFrom('expired_kits')
    .select(['expired_at', 'manifest'])
    .where('kit_id', '=', kitId)
    .executeTakeFirst()
  return row && { at: row.expired_at, manifest: row.manifest }
}
