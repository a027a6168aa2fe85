// docs/decisions/0341
import { fromUtf8, leafBytes, parseTlogProof, provesReceipt, type Receipt, receiptLeaf } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import { type Change, insertion, makeChanges } from '../database/changes.ts'
import type { Database, KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { JobId } from '../runtime/identifiers.ts'
import type { FinishJob, MadeKit } from '../submissions/job-outcome.ts'
import { keysThatMaySign, noneRevoked } from '../keys/key-validity.ts'
import { KitDoesNotVerify } from '../kits/seal-kit.ts'
import type { SignedExtension } from '../log/extend-at-once.ts'
import { Overtaken } from '../log/mark-guard.ts'
import type { AtOnce } from '../log/transparency-log.ts'
import { reached } from '../runtime/steps.ts'
import type { ClaimedJob, Leases } from './leases.ts'
import { KeyEnded, LeaseLost, objectsOf } from './pass-job.ts'

/** A claimed job, and the kit that was made for it. */
export interface FinishedJob {
  readonly claimed: ClaimedJob
  readonly made: MadeKit
}

/** Some jobs of a batch cannot be issued. Nothing is stored, and the others can be issued without them. */
export class NotAll extends Error {
  override readonly name = 'NotAll'
  readonly errors: ReadonlyMap<JobId, Error>

  constructor(errors: ReadonlyMap<JobId, Error>) {
    super(`${errors.size} jobs of the batch cannot be issued`)
    this.errors = errors
  }
}

export interface AtOnceContext extends Leases {
  readonly atOnce: AtOnce
  readonly settle: FinishJob
}

/**
 * SUBMITTED → ISSUED for a batch of jobs, in one transaction with their kits, their leaves and the checkpoint of the log.
 * Throws `NotAll`, or what the log throws; then nothing has changed.
 */
export async function issueAtOnce(ctx: AtOnceContext, jobs: readonly FinishedJob[]): Promise<void> {
  // Concurrent transactions lock the workspaces in the same order.
  const batch = jobs.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  const leaves = batch.map(({ made: { kit } }) => ({ kitId: kit.row.kit_id, leaf: leafOf(kit.row) }))
  await ctx.atOnce.extendWith(leaves, async (extension) => {
    const rows = await provedRows(batch, extension)
    await transact(ctx.db, (trx) => issueIn(trx, ctx, batch, rows, extension))
  })
}

const orderOf = ({ claimed: { job } }: FinishedJob): string => `${job.workspace_id ?? ''} ${job.job_id}`

const leafOf = ({ receipt }: KitsTable): string =>
  fromUtf8(leafBytes(receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest))) ?? ''

async function provedRows(
  batch: readonly FinishedJob[],
  { proofs }: SignedExtension,
): Promise<readonly KitsTable[]> {
  const failed = new Map<JobId, Error>()
  const rows: KitsTable[] = []
  for (const [at, { claimed, made }] of batch.entries()) {
    const bytes = proofs[at] ?? new Uint8Array()
    const proof = { logProof: fromUtf8(bytes) ?? '', timeStamp: null }
    try {
      const receipt = JSON.parse(made.kit.row.receipt) as Receipt
      if (!provesReceipt(parseTlogProof(bytes), receipt, nodeHost.digest))
        throw new KitDoesNotVerify(`the log proof is not for kit ${made.kit.row.kit_id}`)
      const zip_sha256 = await made.kit.zipSha256(proof)
      rows.push({ ...made.kit.row, log_proof: proof.logProof, zip_sha256 })
    } catch (error) {
      failed.set(claimed.job.job_id, error as Error)
    }
  }
  if (failed.size > 0) throw new NotAll(failed)
  return rows
}

async function issueIn(
  trx: Kysely<Database>,
  { clock, settle }: AtOnceContext,
  batch: readonly FinishedJob[],
  rows: readonly KitsTable[],
  extension: SignedExtension,
): Promise<void> {
  const now = timestamp(clock.now())
  const objects = rows.flatMap((row, at) => objectsOf(row, batch[at]?.made.evidence))
  const { counts, rows: moved } = await makeChanges<{ readonly job_id: JobId }>(trx, [
    extension.growth(noneRevoked(trx, kidsOf(rows))),
    insertion('kits', rows),
    extension.leaves,
    ...(objects.length === 0 ? [] : [insertion('kit_objects', objects)]),
    jobUpdate(batch, now),
  ])
  if (counts[0] !== 1) {
    await rejectEndedKeys(trx, rows)
    throw new Overtaken('the log has changed')
  }
  rejectLostLeases(batch, new Set(moved.map(({ job_id }) => job_id)))
  await extension.storeRest(trx)
  for (const { made } of batch) await made.also?.(trx)
  await settle.issued(
    trx,
    batch.map(({ claimed: { job }, made: { kit, submission } }) => ({
      job,
      kitId: kit.row.kit_id,
      ...(submission === undefined ? {} : { submission }),
    })),
    now,
  )
  reached('kit issuing')
}

const kidsOf = (kits: readonly KitsTable[]): readonly string[] => [
  ...new Set(kits.map(({ public_key_kid }) => public_key_kid)),
]

async function rejectEndedKeys(trx: Kysely<Database>, kits: readonly KitsTable[]): Promise<void> {
  const maySign = await keysThatMaySign(trx, kidsOf(kits))
  const ended = kits.filter(({ public_key_kid, issued_at }) => !maySign(public_key_kid, issued_at))
  if (ended.length === 0) return
  throw new NotAll(new Map(ended.map(({ job_id, public_key_kid }) => [job_id, new KeyEnded(public_key_kid)])))
}

/** SUBMITTED → ISSUED, where the lease is not lost. */
function jobUpdate(batch: readonly FinishedJob[], now: string): Change {
  const done = batch.map(({ claimed: { lease }, made: { kit, findings = [] } }) => ({
    id: lease.jobId,
    token: lease.token,
    kit: kit.row.kit_id,
    findings: JSON.stringify(findings),
  }))
  const update = `update jobs set status = 'ISSUED', kit_id = done.kit, findings = done.findings, lease_owner = null,
    lease_until = null, updated_at = case when updated_at > ? then updated_at else ? end`
  const where = `where jobs.job_id = done.id and jobs.lease_token = done.token and jobs.status = 'SUBMITTED'`
  return {
    sqlite: () => ({
      text: `${update} from (select column1 as id, column2 as token, column3 as kit, column4 as findings
        from (values ${done.map(() => '(?, ?, ?, ?)').join(', ')})) as done ${where} returning jobs.job_id`,
      parameters: [now, now, ...done.flatMap((each) => Object.values(each))],
    }),
    postgres: (only) => ({
      text: `${update} from json_to_recordset(?) as done (id text, token bigint, kit text, findings text)
        ${where} and ${only} returning jobs.job_id`,
      parameters: [now, now, JSON.stringify(done)],
    }),
  }
}

function rejectLostLeases(batch: readonly FinishedJob[], moved: ReadonlySet<JobId>): void {
  const lost = batch.map(({ claimed }) => claimed.lease.jobId).filter((id) => !moved.has(id))
  if (lost.length === 0) return
  throw new NotAll(new Map(lost.map((id) => [id, new LeaseLost(`${id} was claimed by another worker`)])))
}
