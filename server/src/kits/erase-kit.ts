import { isFound } from '../database/questions.ts'
import {
  BOUNDARY,
  canonicalJson,
  base64url,
  ENVELOPE,
  type Erasure,
  ERASURE_VERSION,
  erasureLeaf,
  erasureSignedBytes,
  type Receipt,
  receiptLeaf,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { ExpiredKitsTable } from '../database/schema.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { Db, JobStatus } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { JobId, KitId, WorkspaceId } from '../runtime/identifiers.ts'
import { keyMaySign } from '../keys/signing-key-queries.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { ObjectsUnavailable, type ObjectStore } from '../objects/object-store.ts'
import { type NewEvent, recordEvent } from '../audit/audit-trail.ts'
import { readEntry } from './kit-documents.ts'
import { parseEntries } from './kit-files.ts'
import type { KitCatalog } from './kit-queries.ts'

export interface EraseContext {
  readonly db: Db
  readonly objects: Pick<ObjectStore, 'read'>
  readonly kits: Pick<KitCatalog, 'find' | 'archiveSha256'>
  readonly clock: Clock
  readonly signingKeys: Pick<SigningKeys, 'startSigning'>
}

interface ErasableKit {
  readonly kit_id: KitId
  readonly job_id: JobId
  readonly workspace_id: WorkspaceId
  readonly entries: string
  readonly receipt: string
}

/** The manifest is kept after erasure, so it must be readable. */
export class ManifestUnreadable extends Error {
  override readonly name = 'ManifestUnreadable'
}

/** Why the evidence goes: a rule, or the order of someone. */
type ErasureOrder = Pick<Erasure, 'reason' | 'rule' | 'ordered_by'>

export type Erased =
  | { readonly is: 'erased'; readonly erasure: Erasure }
  /** Under a legal hold, needed for a re-issue, or already gone. */
  | { readonly is: 'held' | 'reissuing' | 'gone' }

/**
 * ISSUED → EXPIRED, with a signed erasure record in the transparency log. Record, receipt, manifest and proof are kept; the
 * objects are deleted by maintenance. A legal hold that was committed before wins: both lock the job.
 */
export async function eraseKit(
  ctx: EraseContext,
  kit: ErasableKit,
  order: ErasureOrder,
  event: (erasure: Erasure) => Pick<NewEvent, 'actor' | 'action' | 'subject' | 'details'>,
): Promise<Erased> {
  const manifest = await keptManifest(ctx, kit)
  for (;;) {
    const erasure = await signErasure(ctx, kit, order)
    const at = erasure.erased_at
    const erased = await transact(ctx.db, async (trx): Promise<Erased | undefined> => {
      const problem = await whyKept(trx, kit)
      if (problem !== undefined) return { is: problem }
      // The key was retired or revoked since: sign again.
      if (!(await keyMaySign(trx, erasure.public_key_kid, at))) return undefined
      await letGo(trx, kit, { expired_at: at, manifest, erasure: canonicalJson(erasure) })
      await appendLeaf(trx, erasureLeaf(erasure, nodeHost.digest))
      await recordEvent(trx, { workspaceId: kit.workspace_id, at, ...event(erasure) })
      return { is: 'erased', erasure }
    })
    if (erased !== undefined) return erased
  }
}

/** As `eraseKit`, for a kit of open intake: nobody has an interest in a record, a leaf or an event of its end. */
export async function endOpenKit(
  ctx: Pick<EraseContext, 'db' | 'objects' | 'kits' | 'clock'>,
  kit: Omit<ErasableKit, 'workspace_id' | 'receipt'>,
): Promise<boolean> {
  const manifest = await keptManifest(ctx, kit)
  return transact(ctx.db, async (trx) => {
    if ((await whyKept(trx, kit)) !== undefined) return false
    await letGo(trx, kit, { expired_at: timestamp(ctx.clock.now()), manifest, erasure: null })
    return true
  })
}

/** The manifest. The hash of the archive is kept too, with which whoever has it can still compare it. */
async function keptManifest(
  { objects, kits }: Pick<EraseContext, 'objects' | 'kits'>,
  { kit_id, entries }: Pick<ErasableKit, 'kit_id' | 'entries'>,
): Promise<string> {
  const entry = parseEntries(entries).find(({ path }) => path === ENVELOPE.manifest)
  if (entry === undefined) throw new ManifestUnreadable(kit_id)
  const manifest = await readEntry(objects, entry).catch((cause: unknown) => {
    throw cause instanceof ObjectsUnavailable ? cause : new ManifestUnreadable(kit_id, { cause })
  })
  const kit = await kits.find(kit_id)
  if (kit !== undefined) await kits.archiveSha256(kit)
  return manifest.toString()
}

/** The objects go with the job. */
async function letGo(
  trx: Db,
  { kit_id, job_id }: Pick<ErasableKit, 'kit_id' | 'job_id'>,
  row: Omit<ExpiredKitsTable, 'kit_id'>,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ status: 'EXPIRED', job_updated_at: row.expired_at })
    .where('job_id', '=', job_id)
    .execute()
  await trx
    .insertInto('expired_kits')
    .values({ kit_id, ...row })
    .execute()
}

/** Locks the job, so that no hold is placed and no re-issue is requested meanwhile. */
async function whyKept(trx: Db, { job_id, kit_id }: Pick<ErasableKit, 'job_id' | 'kit_id'>) {
  if ((await lockJob(trx, job_id)) !== 'ISSUED') return 'gone'
  if (await isHeld(trx, job_id)) return 'held'
  const reissue = await trx
    .selectFrom('submissions')
    .select('submissions.submission_id')
    .where('submissions.replaces_kit_id', '=', kit_id)
    .where('submissions.status', 'in', ['DRAFT', 'SUBMITTED', 'PASS'])
    .executeTakeFirst()
  return reissue === undefined ? undefined : 'reissuing'
}

/** The status of a job, which cannot change until the transaction ends: of a hold and a deletion, one comes first. */
export async function lockJob(trx: Db, jobId: JobId): Promise<JobStatus> {
  const job = await trx
    .selectFrom('submissions')
    .select('status')
    .where('job_id', '=', jobId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return job.status
}

/** A statement of its own, after the job is locked: only then does it see every hold that was placed before. */
export async function isHeld(trx: Db, jobId: JobId): Promise<boolean> {
  const holds = trx
    .selectFrom('holds')
    .innerJoin('submissions', 'submissions.submission_id', 'holds.submission_id')
    .select('holds.submission_id')
  return isFound(holds.where('submissions.job_id', '=', jobId))
}

async function signErasure({ signingKeys, clock }: EraseContext, kit: ErasableKit, order: ErasureOrder) {
  const { signer, issuedAt } = await signingKeys.startSigning()
  const receipt = JSON.parse(kit.receipt) as Receipt
  const evidence = parseEntries(kit.entries).filter(({ path }) => path.startsWith('data/'))
  const now = new Date(clock.now()).toISOString()
  const unsigned: Omit<Erasure, 'signature'> = {
    erasure_version: ERASURE_VERSION,
    kit_id: kit.kit_id,
    job_id: kit.job_id,
    receipt_sha256: receiptLeaf(receipt, nodeHost.digest).receipt_sha256,
    issuer: receipt.issuer,
    erased_at: now > issuedAt ? now : issuedAt,
    ...order,
    files: evidence.length,
    bytes: evidence.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    public_key_kid: signer.kid,
    signature_algorithm: 'Ed25519',
    boundary: BOUNDARY,
  }
  const signature = base64url(await signer.sign(erasureSignedBytes(unsigned)))
  return { ...unsigned, signature }
}
