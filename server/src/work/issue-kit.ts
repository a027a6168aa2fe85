import { type Receipt, receiptLeaf } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { Database, KitEntry, KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { keyMaySign } from '../keys/key-validity.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { reached } from '../steps.ts'
import { type Lease, type Leases, updateLeased } from './leases.ts'

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The key was retired or revoked while the kit was being sealed. The kit must be sealed again. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
}

/** SUBMITTED → PASS → ISSUED, and stores the kit, in one transaction. Throws `LeaseLost` if the lease is lost. */
export async function issueKit(
  leases: Leases,
  lease: Lease,
  kit: KitsTable,
  settle: (trx: Kysely<Database>, now: string) => Promise<void>,
): Promise<void> {
  const now = timestamp(leases.clock.now())
  const objects = objectsOf(kit)
  const leaf = receiptLeaf(JSON.parse(kit.receipt) as Receipt, nodeHost.digest)
  const issue = (): Promise<void> =>
    transact(leases.db, async (trx) => {
      const passed = await updateLeased(trx, lease)
        .set({ status: 'PASS', updated_at: now, lease_owner: null, lease_until: null })
        .executeTakeFirst()
      if (passed.numUpdatedRows !== 1n) throw new LeaseLost(`${lease.jobId} was claimed by another worker`)
      if (!(await keyMaySign(trx, kit.public_key_kid, kit.issued_at))) throw new KeyEnded(kit.public_key_kid)
      await trx.insertInto('kits').values(kit).execute()
      await appendLeaf(trx, leaf, kit.kit_id)
      if (objects.length > 0)
        await trx
          .insertInto('kit_objects')
          .values(objects.map((sha256) => ({ sha256, kit_id: kit.kit_id })))
          .execute()
      await trx
        .updateTable('jobs')
        .set({ status: 'ISSUED', kit_id: kit.kit_id })
        .where('job_id', '=', lease.jobId)
        .execute()
      await settle(trx, now)
      reached('kit issuing')
    })
  await referenceObjects(leases.db, objects, issue)
}

function objectsOf({ entries }: KitsTable): readonly string[] {
  return [...new Set((JSON.parse(entries) as readonly KitEntry[]).map(({ object }) => object))]
}
