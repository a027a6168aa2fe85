import { type Jwks, openZip, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { keysOfAllKits } from '../keys/keys-of-all-kits.ts'
import { filesOf } from '../kits/kit-files.ts'
import { type KitLayout, kitZip, kitZipAccess } from '../kits/kit-zip.ts'
import type { Reads } from '../objects/block-reads.ts'
import { ObjectUnreadable } from '../objects/object-store.ts'
import { detectOutage } from '../objects/detect-outage.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { manyAtOnce, paceFor } from './many-at-once.ts'

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

/** Verifies every kit as it would be downloaded, many at once. */
export async function verifyKits(
  db: Kysely<Database>,
  objects: Reads,
  onProgress: (verified: number) => void = () => {},
): Promise<VerifiedKits> {
  const keys = await keysOfAllKits(db)
  const problems: KitProblem[] = []
  let [verified, expired] = [0, 0]
  const verify = async ({ kit, isExpired }: StoredKit) => ({
    kitId: kit.kitId,
    isExpired,
    errors: isExpired ? [] : await errorsOf(kit, objects, keys),
    sizeBytes: 0,
  })
  const many = { pace: paceFor({ isRemote: objects.isRemote ?? false }) }
  for await (const { kitId, isExpired, errors } of manyAtOnce(storedKits(db), verify, many)) {
    if (isExpired) expired += 1
    else verified += 1
    if (errors.length > 0) problems.push({ kitId, errors })
    onProgress(verified)
  }
  return { verified, expired, problems }
}

/** How many kits there are to verify. */
export async function countKits(db: Kysely<Database>): Promise<number> {
  const count = async (table: 'kits' | 'expired_kits'): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      db,
    )
    return Number(rows[0]?.count ?? 0)
  }
  return (await count('kits')) - (await count('expired_kits'))
}

interface StoredKit {
  readonly kit: KitLayout
  readonly isExpired: boolean
}

async function* storedKits(db: Kysely<Database>): AsyncGenerator<StoredKit> {
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
    for (const { kit_id: kitId, issued_at: issuedAt, expired_at, ...row } of rows)
      yield { kit: { kitId, issuedAt, entries: filesOf(row) }, isExpired: expired_at !== null }
    after = rows.at(-1)?.kit_id ?? after
    if (rows.length < PAGE) return
  }
}

async function errorsOf(kit: KitLayout, objects: Reads, keys: Jwks): Promise<readonly string[]> {
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
