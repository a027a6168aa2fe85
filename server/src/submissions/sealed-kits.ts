import { fromUtf8, parseTlogProof, provesReceipt, type Receipt, receiptLeaf } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import { leafRow } from '../database/append-leaf.ts'
import { SIGNED_IN_TIME } from '../database/submission-tables.ts'
import { inOneRoundTrip, withRows } from '../database/statements.ts'
import type { Database, Db, KitsTable, SubmissionsTable } from '../database/schema.ts'
import { keysOfAllKits } from '../keys/signing-key-queries.ts'
import { filesOf, type KitProofs } from '../kits/kit-files.ts'
import type { KitLayout } from '../kits/kit-zip.ts'
import { KitDoesNotVerify } from '../kits/seal-kit.ts'
import type { LeafProof } from '../log/transparency-log.ts'
import { objectRows } from '../objects/accepted-objects.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { KeyEnded } from './blockers.ts'
import type { MadeKit } from './make-kit.ts'

// Kits as `seal-submission.ts` stores them, finds them again and completes them.

interface Made {
  readonly job: Pick<SubmissionsTable, 'submission_id'>
  readonly made: MadeKit
}

/** Throws KeyEnded if their key may not sign any more. */
export async function storeKits(trx: Db, batch: readonly Made[]): Promise<void> {
  const kits = batch.map(({ made }) => made.kit)
  const leaves = kits.map(({ kit_id, receipt }) =>
    leafRow(receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest), kit_id),
  )
  const objects = batch.flatMap(({ job, made }) => objectRows(job.submission_id, made.objects))
  try {
    await inOneRoundTrip(trx, [
      trx.insertInto('kits').values(kits),
      trx.insertInto('log_leaves').values(leaves),
      trx.insertInto('objects').values(objects),
    ])
  } catch (error) {
    // The database knows which keys may sign.
    throw error instanceof Error && error.message.includes(SIGNED_IN_TIME)
      ? new KeyEnded(kits.map(({ public_key_kid }) => public_key_kid).join(' '), { cause: error })
      : error
  }
}

const ISSUED_TOGETHER = 100

/** In the order of the log. None if it is frozen. */
export const passedJobs = (db: Kysely<Database>, node: string, left: string) =>
  db
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .innerJoin('log', (join) => join.on('log.frozen_at', 'is', null))
    .selectAll('submissions')
    .select(['kits.kit_id as passed_kit_id', 'log_leaves.leaf_index'])
    .where('submissions.status', '=', 'PASS')
    .where('log_leaves.leaf_index', 'is not', null)
    .where((eb) =>
      eb.or([eb('submissions.sealed_by', '=', node), eb('submissions.job_updated_at', '<=', left)]),
    )
    // The sum keeps the database from walking through all leaves in this order.
    .orderBy(sql`log_leaves.leaf_index + 0`)
    .limit(ISSUED_TOGETHER)

/** In a worker. */
export type VerifyStored = (kit: KitLayout, keys: Awaited<ReturnType<typeof keysOfAllKits>>) => Promise<void>

/** Checks that the proof is for this kit. Verifies the kit as it will be served, unless this process did so when it sealed it. */
export async function checkedProof(
  db: Db,
  verifyStored: VerifyStored,
  kitId: KitId,
  proof: LeafProof,
  sealed: KitsTable | undefined,
): Promise<KitProofs> {
  const row = sealed ?? (await readKit(db, kitId))
  const logProof = fromUtf8(proof.bytes)
  const receipt = JSON.parse(row.receipt) as Receipt
  if (logProof === undefined || !provesReceipt(parseTlogProof(proof.bytes), receipt, nodeHost.digest))
    throw new KitDoesNotVerify(`the log proof is not for kit ${kitId}`)
  const timeStamp = proof.timeStamp === undefined ? null : Buffer.from(proof.timeStamp).toString('base64')
  if (sealed === undefined) {
    const entries = filesOf({ ...row, log_proof: logProof, time_stamp: timeStamp })
    // Its key may have been revoked since it was signed.
    await verifyStored({ kitId, issuedAt: row.issued_at, entries }, await keysOfAllKits(db))
  }
  return { logProof, timeStamp }
}

const readKit = (db: Db, kitId: KitId) =>
  db
    .selectFrom('kits')
    .select(['issued_at', 'receipt', 'entries'])
    .where('kit_id', '=', kitId)
    .executeTakeFirstOrThrow()

/** Returns the kits that had no proof yet. */
export async function storeProofs(
  trx: Db,
  kits: readonly { readonly kitId: KitId; readonly proofs: KitProofs }[],
): Promise<ReadonlySet<KitId>> {
  const rows = kits.map(({ kitId, proofs }) => {
    return { id: kitId, proof: proofs.logProof, stamp: proofs.timeStamp }
  })
  const stored = await withRows(trx, 'proved', rows)
    .updateTable('kits')
    .from('proved')
    .set((eb) => ({ log_proof: eb.ref('proved.proof'), time_stamp: eb.ref('proved.stamp') }))
    .whereRef('kits.kit_id', '=', 'proved.id')
    .where('kits.log_proof', 'is', null)
    .where(({ exists, selectFrom }) => exists(selectFrom('log').select('id').where('frozen_at', 'is', null)))
    .returning('kits.kit_id')
    .execute()
  return new Set(stored.map(({ kit_id }) => kit_id))
}
