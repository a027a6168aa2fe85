import { setTimeout as sleep } from 'node:timers/promises'
import { type Receipt, receiptLeaf } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import { leafRow } from '../database/append-leaf.ts'
import { inOneRoundTrip } from '../database/in-one-round-trip.ts'
import type { KitObjectsTable } from '../database/maintenance-schema.ts'
import type { Database, KitsTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { inPowersOfTwo, withRows } from '../database/with-rows.ts'
import { keysThatMaySign } from '../keys/key-validity.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { JobId } from '../runtime/identifiers.ts'
import { reached } from '../runtime/steps.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { MadeKit } from '../submissions/job-outcome.ts'
import { type ClaimedJob, type Leases, notEarlier } from './leases.ts'

/** A claimed job, and the kit that was made for it. */
export interface FinishedJob {
  readonly claimed: ClaimedJob
  readonly made: MadeKit
}

/** SUBMITTED → PASS. Throws LeaseLost or KeyEnded, and then nothing of the kit is stored. */
export type PassJob = (job: FinishedJob) => Promise<void>

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The key was retired or revoked while the kit was being sealed. The kit must be sealed again. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
}

interface Waiting extends FinishedJob {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const MAX_BATCH = 32
/** How long a batch waits for kits that are being made. */
const GATHER_MS = 25

/** Passes jobs in batches: what is waiting when the batch before has ended. `isMore`: whether more kits are being made. */
export function passingTogether(
  leases: Leases,
  isMore: () => boolean = () => false,
  commit?: TransparencyLog['commit'],
): PassJob {
  const waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      if (isMore()) await sleep(GATHER_MS)
      await pass(waiting.splice(0, MAX_BATCH))
    }
    isRunning = false
  }

  async function pass(batch: readonly Waiting[], together = true): Promise<void> {
    try {
      await passJobs(leases, batch, together ? commit : undefined)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      // Neither the log nor one job may hold up the others of a batch.
      if (together && !isUnavailable(error)) for (const each of batch) await pass([each], false)
      else for (const { reject } of batch) reject(error)
    }
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...job, resolve, reject })
      if (!isRunning) void run()
    })
}

/**
 * Commits the kits of a batch and their leaves of the log, in the transaction that moves their jobs to PASS. From here on each
 * kit will be issued, by this process or, once its lease has ended, by any other. Until then nobody sees it.
 */
export async function passJobs(
  leases: Leases,
  batch: readonly FinishedJob[],
  commit: TransparencyLog['commit'] = (work) => transact(leases.db, work),
): Promise<void> {
  const objects = batch.flatMap(({ made }) => objectsOf(made))
  await referenceObjects(
    leases.db,
    objects.map(({ sha256 }) => sha256),
    () =>
      commit(async (trx) => {
        for (const part of inPowersOfTwo(batch)) {
          await moveJobs(trx, leases, part)
          await storeKits(trx, part)
        }
        for (const { made } of batch) await made.also?.(trx)
      }),
  )
  reached('job passed')
}

async function moveJobs(
  trx: Kysely<Database>,
  { clock, leaseMs }: Leases,
  batch: readonly FinishedJob[],
): Promise<void> {
  const nowMs = clock.now()
  const finished = batch.map(({ claimed: { lease }, made: { findings = [] } }) => ({
    id: lease.jobId,
    token: lease.token,
    found: JSON.stringify(findings),
  }))
  const moved = await withRows(trx, 'finished', finished)
    .updateTable('jobs')
    .from('finished')
    .set((eb) => ({
      status: 'PASS',
      updated_at: notEarlier(timestamp(nowMs)),
      lease_until: timestamp(nowMs + leaseMs),
      findings: eb.ref('finished.found'),
    }))
    .whereRef('jobs.job_id', '=', 'finished.id')
    .whereRef('jobs.lease_token', '=', 'finished.token')
    .where('jobs.status', '=', 'SUBMITTED')
    .returning('jobs.job_id')
    .execute()
  const ids = new Set<JobId>(moved.map(({ job_id }) => job_id))
  const lost = finished.find(({ id }) => !ids.has(id))
  if (lost !== undefined) throw new LeaseLost(`${lost.id} was claimed by another worker`)
}

async function storeKits(trx: Kysely<Database>, batch: readonly FinishedJob[]): Promise<void> {
  const kits = batch.map(({ made }) => made.kit)
  await rejectEndedKeys(trx, kits)
  const objects = batch.flatMap(({ made }) => objectsOf(made))
  await inOneRoundTrip(trx, [
    trx.insertInto('kits').values(kits),
    trx.insertInto('log_leaves').values(kits.map(receiptLeafRow)),
    ...(objects.length === 0 ? [] : [trx.insertInto('kit_objects').values(objects)]),
  ])
}

async function rejectEndedKeys(trx: Kysely<Database>, kits: readonly KitsTable[]): Promise<void> {
  const kids = new Set(kits.map(({ public_key_kid }) => public_key_kid))
  const maySign = await keysThatMaySign(trx, [...kids])
  const ended = kits.find(({ public_key_kid, issued_at }) => !maySign(public_key_kid, issued_at))
  if (ended !== undefined) throw new KeyEnded(ended.public_key_kid)
}

const receiptLeafRow = ({ kit_id, receipt }: KitsTable) =>
  leafRow(receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest), kit_id)

/** The objects that a kit refers to, except those that its submission refers to. */
function objectsOf({ kit, evidence = [] }: MadeKit): readonly Readonly<KitObjectsTable>[] {
  const { kit_id, entries } = kit
  const objects = new Set(parseEntries(entries).map(({ object }) => object))
  for (const sha256 of evidence) objects.delete(sha256)
  return [...objects].map((sha256) => ({ sha256, kit_id }))
}
