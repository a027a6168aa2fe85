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
import { removalOf, type Task } from '../tasks/tasks.ts'
import { KeyEnded, TaskLost } from './blockers.ts'
import type { IssuedJob } from './finish-submission.ts'
import type { MadeKit } from './make-kit.ts'
import { SEAL } from './statuses.ts'

// Kits as `seal-submission.ts` stores them, finds them again and completes them.

/** A job whose kit is made. */
export interface SealedJob {
  readonly task: Task
  readonly job: Readonly<SubmissionsTable>
  readonly made: MadeKit
}

/** SUBMITTED → PASS, with the kits and their leaves. Throws TaskLost or KeyEnded if nothing of the kits is stored. */
export async function storePassed(
  trx: Db,
  batch: readonly SealedJob[],
  node: string,
  now: string,
): Promise<void> {
  const tasks = batch.map(({ task }) => task)
  const kits = batch.map(({ made }) => made.kit)
  const leaves = kits.map(({ kit_id, receipt }) =>
    leafRow(receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest), kit_id),
  )
  const objects = batch.flatMap(({ job, made }) => objectRows(job.submission_id, made.objects))
  try {
    const [held, passed] = await inOneRoundTrip(trx, [
      removalOf(trx, SEAL, tasks),
      moveToPass(trx, batch, node, now),
      trx.insertInto('kits').values(kits),
      trx.insertInto('log_leaves').values(leaves),
      trx.insertInto('objects').values(objects),
    ])
    if (held !== batch.length || passed !== batch.length)
      throw new TaskLost(`of ${tasks.map(({ key }) => key).join(' ')} one was taken over, or has ended`)
  } catch (error) {
    // The database knows which keys may sign.
    throw error instanceof Error && error.message.includes(SIGNED_IN_TIME)
      ? new KeyEnded(kits.map(({ public_key_kid }) => public_key_kid).join(' '), { cause: error })
      : error
  }
  // Each alone: a statement has a limited number of parameters.
  for (const { made } of batch) for (const each of made.also?.(trx) ?? []) await each.execute()
}

const moveToPass = (trx: Db, batch: readonly SealedJob[], node: string, now: string) =>
  withRows(
    trx,
    'sealed',
    batch.map(({ job, made: { findings = [] } }) => ({ id: job.job_id, found: JSON.stringify(findings) })),
  )
    .updateTable('submissions')
    .from('sealed')
    .set((eb) => ({
      status: 'PASS',
      job_updated_at: notEarlier(now),
      sealed_by: node,
      findings: eb.ref('sealed.found'),
    }))
    .whereRef('submissions.job_id', '=', 'sealed.id')
    .where('submissions.status', '=', 'SUBMITTED')

/** The time of a job never goes back. */
export const notEarlier = (now: string) =>
  sql<string>`case when job_updated_at > ${now} then job_updated_at else ${now} end`

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

/** A job whose kit has its leaf in the tree. */
export interface PassedJob extends IssuedJob {
  readonly leafIndex: number
}

export interface ProvedJob extends PassedJob {
  readonly proofs: KitProofs
}

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

/** PASS → ISSUED, with the proofs. Throws TaskLost if another node has issued one of them meanwhile, or the log was frozen. */
export async function storeIssued(trx: Db, kits: readonly ProvedJob[], now: string): Promise<void> {
  const rows = kits.map(({ job, kitId, proofs }) => {
    return { job: job.job_id, id: kitId, proof: proofs.logProof, stamp: proofs.timeStamp }
  })
  const [proved] = await inOneRoundTrip(trx, [
    withRows(trx, 'proved', rows)
      .updateTable('kits')
      .from('proved')
      .set((eb) => ({ log_proof: eb.ref('proved.proof'), time_stamp: eb.ref('proved.stamp') }))
      .whereRef('kits.kit_id', '=', 'proved.id')
      .where('kits.log_proof', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('log').select('id').where('frozen_at', 'is', null)),
      ),
    withRows(trx, 'issued', rows)
      .updateTable('submissions')
      .from('issued')
      .set((eb) => ({ status: 'ISSUED', kit_id: eb.ref('issued.id'), job_updated_at: notEarlier(now) }))
      .whereRef('submissions.job_id', '=', 'issued.job'),
  ])
  if (proved !== kits.length) throw new TaskLost('another node has issued a kit meanwhile')
}
