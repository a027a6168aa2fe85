import { type Param, preparedFirst } from '../database/statements.ts'
import type { Db } from '../database/schema.ts'
import { isUnavailable } from '../database/unavailable.ts'
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
  /** SHA-256 of kit.zip. Undefined until it was first asked for. */
  readonly zipSha256: string | undefined
  /** Total size of all files. */
  readonly contentBytes: number
  /** When the files were deleted, and the manifest. */
  readonly expired: { readonly at: string; readonly manifest: string } | undefined
}

/** About 16 MB. */
const MAX_CACHED_ENTRIES = 50_000

export type KitCatalog = ReturnType<typeof kitCatalog>

/** Finds kits, with an LRU cache so that large kits are parsed once. */
export function kitCatalog(db: Db, hashArchive: (kit: KitRecord) => Promise<string>) {
  const kept = new Map<KitId, KitRecord>()
  const hashing = new Map<KitId, Promise<string | undefined>>()
  const findExpired = expiries(db)
  let entries = 0

  function addToCache(kit: KitRecord): void {
    kept.set(kit.kitId, kit)
    entries += kit.entries.length
    for (const [oldest, record] of kept) {
      // The newest kit stays, however large it is.
      if (entries <= MAX_CACHED_ENTRIES || kept.size === 1) return
      kept.delete(oldest)
      entries -= record.entries.length
    }
  }

  function evict(kit: KitRecord): void {
    if (kept.delete(kit.kitId)) entries -= kit.entries.length
  }

  /** Kept, so that it is computed once. */
  async function hash(kit: KitRecord): Promise<string | undefined> {
    const zip_sha256 = await hashArchive(kit).catch(unlessDamaged)
    if (zip_sha256 === undefined) return undefined

    const unhashed = db.updateTable('kits').where('kit_id', '=', kit.kitId).where('zip_sha256', 'is', null)
    // What is stored can be read while nothing can be written. Then the hash is stored another time.
    await unhashed
      .set({ zip_sha256 })
      .execute()
      .catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
      })
    if (kept.get(kit.kitId) === kit) kept.set(kit.kitId, { ...kit, zipSha256: zip_sha256 })
    return zip_sha256
  }

  return {
    /** The SHA-256 of kit.zip, in hex. Undefined if a file of it is damaged or gone. */
    async archiveSha256(kit: KitRecord): Promise<string | undefined> {
      if (kit.zipSha256 !== undefined || kit.expired !== undefined) return kit.zipSha256
      const running = hashing.get(kit.kitId) ?? hash(kit).finally(() => hashing.delete(kit.kitId))
      hashing.set(kit.kitId, running)
      return running
    },
    async find(kitId: KitId): Promise<KitRecord | undefined> {
      const known = kept.get(kitId)
      const expired = await findExpired(kitId)
      if (known !== undefined && (known.expired !== undefined || expired === undefined)) {
        if (kept.delete(kitId)) kept.set(kitId, known)
        return known
      }
      if (known !== undefined) evict(known)
      const kit = await readKit(db, kitId, expired)
      if (kit !== undefined && !kept.has(kitId)) addToCache(kit)
      return kit
    },
  }
}

/** Whoever reads the file is told. */
function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof Error && error.name === 'ObjectUnreadable')) throw error
}

async function readKit(db: Db, kitId: KitId, expired: KitRecord['expired']): Promise<KitRecord | undefined> {
  const row = await db
    .selectFrom('kits')
    // The job gets the kit when it is issued.
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .selectAll('kits')
    .select('submissions.workspace_id')
    .where('kits.kit_id', '=', kitId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const entries = filesOf(row)
  return {
    kitId: row.kit_id,
    workspaceId: row.workspace_id,
    downloads: row.downloads,
    issuedAt: row.issued_at,
    receipt: row.receipt,
    entries,
    zipSha256: row.zip_sha256 ?? undefined,
    objects: [...new Set(storedFiles(entries).map((entry) => entry.object))],
    expired,
    contentBytes: entries.reduce((sum, entry) => sum + entry.sizeBytes, 0),
  }
}

/** Asked for every reading: what was erased is not served again. */
function expiries(db: Db): (kitId: KitId) => Promise<KitRecord['expired']> {
  const find = preparedFirst(db, (param: Param<{ kitId: KitId }>) =>
    db
      .selectFrom('expired_kits')
      .select(['expired_at as at', 'manifest'])
      .where('kit_id', '=', param('kitId')),
  )
  return (kitId) => find({ kitId })
}
