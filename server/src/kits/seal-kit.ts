import type { Hash } from 'node:crypto'
import {
  ENVELOPE,
  type Jwks,
  openZip,
  sealKit,
  START_PAGE_PATH,
  trustKeys,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { KitEntry, KitsTable } from '../database/schema.ts'
import type { Identifiers, KitId } from '../runtime/identifiers.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { Reads } from '../objects/block-reads.ts'
import { detectOutage } from '../objects/detect-outage.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { reached } from '../runtime/steps.ts'
import { intakeRecord, intakeReport, type SealedJob } from './intake-record.ts'
import { hashInPassing, hashRange } from './hash-in-passing.ts'
import { parseEntries } from './kit-entries.ts'
import { type KitProofs, withProofs } from './kit-files.ts'
import { type KitLayout, kitZip, offsetAfter } from './kit-zip.ts'
import { type MadeFile, packFiles } from './pack-files.ts'

export interface SealContext {
  readonly identifiers: Identifiers
  readonly objects: ObjectStore
  readonly signingKeys: SigningKeys
  readonly issuer: string
  /** START-HERE.html, stored once. */
  readonly startPage?: StoredObject
}

export interface KitToSeal {
  readonly job: SealedJob
  /** Stored files under `data/`. */
  readonly evidence?: readonly KitEntry[]
  /** Generates the files that the service adds. Default: intake record and report. */
  readonly makeFiles?: (kit: KitIdentity) => Promise<readonly MadeFile[]>
  /** Name and path of each deliverable. */
  readonly downloads?: (kit: KitIdentity, paths: readonly string[]) => Readonly<Record<string, string>>
}

export interface KitIdentity {
  readonly kitId: KitId
  readonly issuedAt: string
  readonly kid: string
}

/** A sealed kit that does not verify is a bug of the service, and is never issued. */
export class KitDoesNotVerify extends Error {
  override readonly name = 'KitDoesNotVerify'
}

/** A verified kit that still lacks its log proof. */
export interface SealedJobKit {
  /** The worker inserts it in the transaction that updates the job. */
  readonly row: KitsTable
  /** SHA-256 of kit.zip with this log proof. Reads only the little that follows the proof. */
  zipSha256(proofs: KitProofs): Promise<string>
}

/** Seals and stores the kit of a job, and verifies it. */
export async function sealJobKit(ctx: SealContext, options: KitToSeal): Promise<SealedJobKit> {
  const { job, evidence = [], makeFiles, downloads = publicDownloads } = options
  const kitId = ctx.identifiers.kitId()
  const { signer, issuedAt, jwks } = await ctx.signingKeys.startSigning(job.created_at)
  const identity = { kitId, issuedAt, kid: signer.kid }
  const created = await (makeFiles?.(identity) ?? intakeFiles(job, evidence, issuedAt))
  const stored = [...evidence, ...pageEntry(ctx.startPage)]
  const sealed = await sealKit(
    {
      kitId,
      jobId: job.job_id,
      issuedAt,
      issuer: ctx.issuer,
      scope: job.scope_label,
      files: [...created, ...stored],
      jwks,
      signer,
    },
    nodeHost,
  )
  const packed = await packFiles(ctx.objects, [...created, ...sealed.generated])
  reached('kit stored')
  const entries = inOrder(sealed.files, [...stored, ...packed])
  const kit = {
    kit_id: kitId,
    job_id: job.job_id,
    issued_at: issuedAt,
    receipt_version: sealed.receipt.receipt_version,
    manifest_sha256: sealed.manifest.manifest_sha256,
    public_key_kid: signer.kid,
    downloads: JSON.stringify(
      downloads(
        identity,
        entries.map((entry) => entry.path),
      ),
    ),
    receipt: textOf(sealed.generated, ENVELOPE.receipt),
    entries: JSON.stringify(entries),
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  const layout = { kitId, issuedAt, entries }
  try {
    const keys = await ctx.signingKeys.publicKeys()
    const { hash, hashedBytes } = await verifyAsServed(ctx.objects, layout, keys, ENVELOPE.manifest)
    reached('kit verified')
    return {
      row: kit,
      zipSha256: async (proofs) => {
        const zip = kitZip({ ...layout, entries: withProofs(entries, proofs) }, inBlocks(ctx.objects))
        return (await hashRange(hash.copy(), zip, hashedBytes, zip.sizeBytes)).digest('hex')
      },
    }
  } catch (error) {
    await discardKit(ctx.objects, kit)
    throw error
  }
}

/** Deletes the pack of a kit that was not issued. Its other objects may be shared. */
export async function discardKit(objects: ObjectStore, kit: Pick<KitsTable, 'entries'>): Promise<void> {
  const pack = packOf(parseEntries(kit.entries))
  if (pack !== undefined) await objects.delete(pack)
}

export interface VerifiedArchive {
  /** Of the first bytes of the archive. */
  readonly hash: Hash
  readonly hashedBytes: number
}

/** Verifies the archive as a download would return it, and hashes it up to the end of a file, by default the last. */
export async function verifyAsServed(
  objects: ObjectStore,
  kit: KitLayout,
  published: Jwks,
  hashedUpTo?: string,
): Promise<VerifiedArchive> {
  const noticing = detectOutage(objects)
  const zip = kitZip(kit, inBlocks(noticing))
  const hashedBytes = hashedUpTo === undefined ? zip.sizeBytes : offsetAfter(zip, hashedUpTo)
  const { access, hash } = hashInPassing(zip, hashedBytes)
  const report = await verifyKit(await openZip(access, nodeHost), trustKeys(published), nodeHost)
  noticing.throwIfUnavailable()
  throwUnlessPassed(kit, report)
  return { hash: await hash(), hashedBytes }
}

/** Also on a local disk: small files share objects, and opening one costs more than reading a block. */
const inBlocks = ({ read }: Reads): Reads => ({ read, isRemote: true })

function throwUnlessPassed({ kitId }: KitLayout, { status, errors }: VerificationReport): void {
  if (status !== 'PASS')
    throw new KitDoesNotVerify(`kit ${kitId} does not verify: ${errors.slice(0, 20).join('; ')}`)
}

function packOf(entries: readonly KitEntry[]): string | undefined {
  return entries.find((entry) => entry.path === ENVELOPE.receipt)?.object
}

function pageEntry(page: StoredObject | undefined): readonly KitEntry[] {
  return page === undefined ? [] : [{ ...page, path: START_PAGE_PATH, object: page.sha256, offset: 0 }]
}

function inOrder(
  files: readonly { readonly path: string }[],
  stored: readonly KitEntry[],
): readonly KitEntry[] {
  const byPath = new Map(stored.map((entry) => [entry.path, entry]))
  return files.map(({ path }) => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new Error(`${path} was sealed but not stored`)
    return entry
  })
}

function textOf(files: readonly MadeFile[], path: string): string {
  const file = files.find((each) => each.path === path)
  if (file === undefined) throw new Error(`${path} was not generated`)
  return new TextDecoder().decode(file.bytes)
}

function intakeFiles(job: SealedJob, evidence: readonly KitEntry[], issuedAt: string): readonly MadeFile[] {
  const record = evidence.length === 0 ? [intakeRecord(job)] : []
  return [...record, intakeReport({ job, supplier: null, evidence, issuedAt })]
}

function publicDownloads({ kitId }: KitIdentity): Readonly<Record<string, string>> {
  return {
    'kit.zip': `/v1/kits/${kitId}/download`,
    'manifest.json': `/v1/kits/${kitId}/manifest`,
    'receipt.json': `/v1/kits/${kitId}/receipt`,
  }
}
