import type { Kysely } from 'kysely'
import type { Database, KitEntry } from '../database/schema.ts'
import type { KitId, WorkspaceId } from '../identifiers.ts'

/** What the service knows of a kit. It never changes: the store refuses it. */
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
}

export interface KitCatalog {
  find(kitId: KitId): Promise<KitRecord | undefined>
}

/** Kits are looked up here. As they never change, the last ones asked for are kept, so that large ones are parsed once. */
export function kitCatalog(db: Kysely<Database>, keptEntries = 100_000): KitCatalog {
  const kept = new Map<KitId, KitRecord>()
  let entries = 0

  function keep(kit: KitRecord): void {
    kept.set(kit.kitId, kit)
    entries += kit.entries.length
    for (const [oldest, record] of kept) {
      if (entries <= keptEntries) return
      kept.delete(oldest)
      entries -= record.entries.length
    }
  }

  return {
    async find(kitId) {
      const known = kept.get(kitId)
      if (known !== undefined) {
        kept.delete(kitId)
        kept.set(kitId, known)
        return known
      }
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
  const entries = JSON.parse(row.entries) as readonly KitEntry[]
  return {
    kitId: row.kit_id,
    workspaceId: row.workspace_id,
    downloads: row.downloads,
    issuedAt: row.issued_at,
    receipt: row.receipt,
    entries,
    objects: [...new Set(entries.map((entry) => entry.object))],
    contentBytes: entries.reduce((sum, entry) => sum + entry.sizeBytes, 0),
  }
}
