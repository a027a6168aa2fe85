import type { Kysely } from 'kysely'
import type { Database, KitEntry } from '../database/schema.ts'
import type { KitId, WorkspaceId } from '../identifiers.ts'

/** What the service knows of a kit. It never changes, until its retention ends. */
export interface KitRecord {
  readonly kitId: KitId
  /** Whose it is; null where it is nobody's. */
  readonly workspaceId: WorkspaceId | null
  readonly issuedAt: string
  /** JSON: { name: path }, the deliverables. */
  readonly downloads: string
  /** receipt.json, as text. */
  readonly receipt: string
  /** Every file of the kit, in zip order. */
  readonly entries: readonly KitEntry[]
  /** The objects that they lie in, each once. */
  readonly objects: readonly string[]
  /** Of all files together. */
  readonly contentBytes: number
  /** When its content was deleted, and what is left of it. */
  readonly expired: { readonly at: string; readonly manifest: string } | undefined
}

export interface KitCatalog {
  find(kitId: KitId): Promise<KitRecord | undefined>
}

/** Three hundred bytes each: 16 MB for the few largest kits, or for some thousands of small ones. */
const KEPT_ENTRIES = 50_000
/** Only a kit that belongs to a workspace can expire: one that is kept here is asked about again after this time. */
const FOLLOW_MS = 5000

/**
 * Kits are looked up here, by all routes of a service alike. As they hardly change, the last ones asked for are kept, so
 * that large ones are parsed once.
 */
export function kitCatalog(
  db: Kysely<Database>,
  keptEntries = KEPT_ENTRIES,
  elapsedMs: () => number = () => performance.now(),
): KitCatalog {
  const kept = new Map<KitId, KitRecord>()
  const seenAt = new WeakMap<KitRecord, number>()
  let entries = 0

  function keep(kit: KitRecord): void {
    kept.set(kit.kitId, kit)
    seenAt.set(kit, elapsedMs())
    entries += kit.entries.length
    for (const [oldest, record] of kept) {
      // The newest one stays, however large: it is what parsing it once is worth most for.
      if (entries <= keptEntries || kept.size === 1) return
      kept.delete(oldest)
      entries -= record.entries.length
    }
  }

  function forget(kit: KitRecord): void {
    if (kept.delete(kit.kitId)) entries -= kit.entries.length
  }

  async function isCurrent(kit: KitRecord): Promise<boolean> {
    if (kit.workspaceId === null || kit.expired !== undefined) return true
    if (elapsedMs() - (seenAt.get(kit) ?? 0) < FOLLOW_MS) return true
    seenAt.set(kit, elapsedMs())
    return (await findExpired(db, kit.kitId)) === undefined
  }

  return {
    async find(kitId) {
      const known = kept.get(kitId)
      if (known !== undefined && (await isCurrent(known))) {
        if (kept.delete(kitId)) kept.set(kitId, known)
        return known
      }
      if (known !== undefined) forget(known)
      const kit = await readKit(db, kitId)
      if (kit !== undefined && !kept.has(kitId)) keep(kit)
      return kit
    },
  }
}

async function readKit(db: Kysely<Database>, kitId: KitId): Promise<KitRecord | undefined> {
  const row = await db
    .selectFrom('kits')
    .innerJoin('jobs', 'jobs.job_id', 'kits.job_id')
    .select(['kits.kit_id', 'kits.issued_at', 'kits.downloads', 'kits.receipt', 'kits.entries'])
    .select('jobs.workspace_id')
    .where('kits.kit_id', '=', kitId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const expired = row.workspace_id === null ? undefined : await findExpired(db, kitId)
  const entries = JSON.parse(row.entries) as readonly KitEntry[]
  return {
    kitId: row.kit_id,
    workspaceId: row.workspace_id,
    downloads: row.downloads,
    issuedAt: row.issued_at,
    receipt: row.receipt,
    entries,
    objects: [...new Set(entries.map((entry) => entry.object))],
    expired,
    contentBytes: entries.reduce((sum, entry) => sum + entry.sizeBytes, 0),
  }
}

async function findExpired(db: Kysely<Database>, kitId: KitId): Promise<KitRecord['expired']> {
  const row = await db
    .selectFrom('expired_kits')
    .select(['expired_at', 'manifest'])
    .where('kit_id', '=', kitId)
    .executeTakeFirst()
  return row && { at: row.expired_at, manifest: row.manifest }
}
