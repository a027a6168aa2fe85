import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { filesOf } from '../kits/kit-files.ts'
import { DamagedFile, type KitLayout, kitZip } from '../kits/kit-zip.ts'
import { freeBuffer } from '../objects/buffers.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'

export interface HashArchivesContext {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly log: { error(fields: object, message: string): void }
  /** Called with the size of each chunk; may wait, to limit the rate. */
  readonly onBytes?: (bytes: number) => Promise<void>
  readonly isStopping: () => boolean
  readonly onStored?: (count: number) => Promise<unknown>
}

const BATCH = 20

/** Stores the SHA-256 of kit.zip for kits of earlier releases. Returns how many it stored. */
export async function hashArchives(ctx: HashArchivesContext): Promise<number> {
  let stored = 0
  for (let after = '' as KitId; ;) {
    const kits = await kitsWithout(ctx.db, after)
    for (const { kit_id: kitId, issued_at: issuedAt, ...kit } of kits) {
      after = kitId
      if (ctx.isStopping()) return stored
      const sha256 = await hashArchive(ctx, { kitId, issuedAt, entries: filesOf(kit) })
      if (sha256 === undefined) continue
      await ctx.db
        .updateTable('kits')
        .set({ zip_sha256: sha256 })
        .where('kit_id', '=', kitId)
        .where('zip_sha256', 'is', null)
        .execute()
      stored += 1
      await ctx.onStored?.(stored)
    }
    if (kits.length < BATCH) return stored
  }
}

function kitsWithout(db: Kysely<Database>, after: KitId) {
  return (
    db
      .selectFrom('kits')
      // A kit that is not issued yet has no proof in its archive.
      .innerJoin('jobs', 'jobs.kit_id', 'kits.kit_id')
      .leftJoin('expired_kits', 'expired_kits.kit_id', 'kits.kit_id')
      .select(['kits.kit_id', 'kits.issued_at', 'kits.entries', 'kits.log_proof', 'kits.time_stamp'])
      .where('kits.zip_sha256', 'is', null)
      .where('expired_kits.kit_id', 'is', null)
      .where('kits.kit_id', '>', after)
      .orderBy('kits.kit_id')
      .limit(BATCH)
      .execute()
  )
}

/** A kit with a missing or damaged file has no SHA-256 yet. The scrub reports the problem. */
async function hashArchive(ctx: HashArchivesContext, kit: KitLayout): Promise<string | undefined> {
  const zip = kitZip(kit, ctx.objects)
  const hash = createHash('sha256')
  try {
    for await (const bytes of zip.readChecked(0, zip.sizeBytes)) {
      hash.update(bytes)
      await ctx.onBytes?.(bytes.length)
      freeBuffer(bytes)
    }
  } catch (error) {
    if (!(error instanceof ObjectUnreadable) && !(error instanceof DamagedFile)) throw error
    ctx.log.error({ err: error, kit_id: kit.kitId }, 'cannot hash kit.zip')
    return undefined
  }
  return hash.digest('hex')
}
