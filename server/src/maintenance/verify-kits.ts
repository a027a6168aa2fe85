import { type Jwks, openZip, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { keysOfAllKits } from '../keys/keys-of-all-kits.ts'
import { filesOf } from '../kits/kit-files.ts'
import { kitZip, kitZipAccess } from '../kits/kit-zip.ts'
import type { Reads } from '../objects/block-reads.ts'
import { ObjectUnreadable } from '../objects/object-store.ts'
import { detectOutage } from '../objects/detect-outage.ts'
import type { KitId } from '../identifiers.ts'

export interface KitProblem {
  readonly kitId: KitId
  readonly errors: readonly string[]
}

export interface VerifiedKits {
  readonly verified: number
  /** Kits past their retention, which have no files to verify. */
  readonly expired: number
  readonly problems: readonly KitProblem[]
}

const PAGE = 20

/** Verifies every kit as it would be downloaded. */
export async function verifyKits(
  db: Kysely<Database>,
  objects: Reads,
  onProgress: (verified: number) => void = () => {},
): Promise<VerifiedKits> {
  const keys = await keysOfAllKits(db)
  const problems: KitProblem[] = []
  let [verified, expired] = [0, 0]
  for (let after = '' as KitId; ;) {
    const rows = await db
      .selectFrom('kits')
      .leftJoin('expired_kits', 'expired_kits.kit_id', 'kits.kit_id')
      .select(['kits.kit_id', 'kits.issued_at', 'kits.entries', 'kits.log_proof', 'kits.time_stamp'])
      .select('expired_kits.expired_at')
      .where('kits.kit_id', '>', after)
      .orderBy('kits.kit_id')
      .limit(PAGE)
      .execute()
    for (const { kit_id: kitId, issued_at: issuedAt, expired_at, ...row } of rows) {
      after = kitId
      if (expired_at !== null) {
        expired += 1
        continue
      }
      const kit = { kitId, issuedAt, entries: filesOf(row) }
      const errors = await errorsOf(kit, objects, keys)
      if (errors.length > 0) problems.push({ kitId, errors })
      verified += 1
      onProgress(verified)
    }
    if (rows.length < PAGE) return { verified, expired, problems }
  }
}

async function errorsOf(
  kit: Parameters<typeof kitZip>[0],
  objects: Reads,
  keys: Jwks,
): Promise<readonly string[]> {
  const store = detectOutage(objects)
  try {
    const archive = await openZip(kitZipAccess(kitZip(kit, store)), nodeHost)
    const report = await verifyKit(archive, trustKeys(keys), nodeHost)
    store.throwIfUnavailable()
    return report.status === 'PASS' ? [] : report.errors
  } catch (error) {
    if (error instanceof ObjectUnreadable) return [error.message]
    throw error
  }
}
