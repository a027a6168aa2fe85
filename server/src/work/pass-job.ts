import { type Receipt, receiptLeaf } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { timestamp } from '../runtime/clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { KitObjectsTable } from '../database/maintenance-schema.ts'
import type { KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MadeKit } from '../submissions/job-outcome.ts'
import { keyMaySign } from '../keys/key-validity.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { reached } from '../runtime/steps.ts'
import { type Lease, type Leases, notEarlier, updateLeased } from './leases.ts'

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The key was retired or revoked while the kit was being sealed. The kit must be sealed again. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
}

/**
 * SUBMITTED → PASS, and stores the kit and its leaf of the log, in one transaction. The kit stays invisible until it is
 * issued. Throws `LeaseLost` if the lease is lost.
 */
export async function passJob(
  leases: Leases,
  lease: Lease,
  kit: KitsTable,
  { findings = [], evidence, also }: Pick<MadeKit, 'findings' | 'evidence' | 'also'> = {},
): Promise<void> {
  const nowMs = leases.clock.now()
  const objects = objectsOf(kit, evidence)
  const leaf = receiptLeaf(JSON.parse(kit.receipt) as Receipt, nodeHost.digest)
  const pass = (): Promise<void> =>
    transact(leases.db, async (trx) => {
      const passed = await updateLeased(trx, lease)
        // This process issues the kit. If it has not done so when the lease ends, any other may.
        .set({
          status: 'PASS',
          updated_at: notEarlier(timestamp(nowMs)),
          lease_until: timestamp(nowMs + leases.leaseMs),
          findings: JSON.stringify(findings),
        })
        .executeTakeFirst()
      if (passed.numUpdatedRows !== 1n) throw new LeaseLost(`${lease.jobId} was claimed by another worker`)
      if (!(await keyMaySign(trx, kit.public_key_kid, kit.issued_at))) throw new KeyEnded(kit.public_key_kid)
      await trx.insertInto('kits').values(kit).execute()
      await appendLeaf(trx, leaf, kit.kit_id)
      if (objects.length > 0) await trx.insertInto('kit_objects').values(objects).execute()
      await also?.(trx)
      reached('job passing')
    })
  await referenceObjects(
    leases.db,
    objects.map(({ sha256 }) => sha256),
    pass,
  )
}

/** The objects that a kit refers to, except those that its submission refers to. */
export function objectsOf(
  { kit_id, entries }: Pick<KitsTable, 'kit_id' | 'entries'>,
  evidence: readonly string[] = [],
): readonly Readonly<KitObjectsTable>[] {
  const objects = new Set(parseEntries(entries).map(({ object }) => object))
  for (const sha256 of evidence) objects.delete(sha256)
  return [...objects].map((sha256) => ({ sha256, kit_id }))
}
