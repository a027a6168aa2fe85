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
import type { Identifiers } from '../runtime/identifiers.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { detectOutage } from '../objects/block-reads.ts'
import type { NewObject } from '../objects/accepted-objects.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { reached } from '../runtime/steps.ts'
import { binderFile, type BoundKit, type KitIdentity } from './binder-file.ts'
import type { SealedJob } from './intake-record.ts'
import { type MadeFile, packFiles, storedFiles } from './kit-files.ts'
import { hostKnowingPage } from './start-page.ts'
import { type KitLayout, kitZip, kitZipAccess } from './kit-zip.ts'

export interface SealContext {
  readonly identifiers: Identifiers
  readonly signingKeys: SigningKeys
  readonly issuer: string
  /** START-HERE.html, stored once. */
  readonly startPage?: StoredObject
  /** Runs `sealFiles` in a worker. `caller`: whose turn it is. */
  readonly seal: (caller: string, files: FilesToSeal, sign: Sign) => Promise<SealedFiles>
}

interface KitToSeal {
  readonly job: SealedJob
  /** The workspace, or another name of who takes turns. */
  readonly caller?: string
  /** Stored files under `data/`. */
  readonly evidence?: readonly KitEntry[]
  /** What the service adds. */
  readonly describe: (kit: KitIdentity) => Promise<AddedToKit>
  /** Name and path of each deliverable. */
  readonly downloads?: (kit: KitIdentity, paths: readonly string[]) => Readonly<Record<string, string>>
}

interface AddedToKit {
  readonly reports: readonly MadeFile[]
  readonly binder?: BoundKit
}

/** A sealed kit that does not verify is a bug of the service, and is never issued. */
export class KitDoesNotVerify extends Error {
  override readonly name = 'KitDoesNotVerify'
}

/** A kit that is stored, and lacks its log proof. */
export interface SealedKit {
  readonly kit: KitsTable
  /** What was stored for it. */
  readonly objects: readonly NewObject[]
}

/** Seals, stores and verifies the kit of a job. */
export async function sealJobKit(ctx: SealContext, options: KitToSeal): Promise<SealedKit> {
  const { job, caller = '', evidence = [], describe, downloads = publicDownloads } = options
  const kitId = ctx.identifiers.kitId()
  const { signer, issuedAt, jwks } = await ctx.signingKeys.startSigning(job.job_created_at)
  const kit = { kitId, issuedAt, kid: signer.kid }
  const { reports, binder } = await describe(kit)
  const stored = [...evidence, ...pageEntry(ctx.startPage)]
  const { job_id: jobId, scope_label: scope } = job
  const published = await ctx.signingKeys.publicKeys()
  const files = { kit, jobId, scope, issuer: ctx.issuer, jwks, published, stored, reports, binder }
  const sealed = await ctx.seal(caller, files, (bytes) => signer.sign(bytes))
  const paths = sealed.entries.map(({ path }) => path)
  const row = {
    kit_id: kitId,
    job_id: jobId,
    issued_at: issuedAt,
    receipt_version: sealed.receiptVersion,
    manifest_sha256: sealed.manifestSha256,
    public_key_kid: signer.kid,
    downloads: JSON.stringify(downloads(kit, paths)),
    receipt: sealed.receipt,
    entries: JSON.stringify(sealed.entries),
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  return { kit: row, objects: [sealed.pack] }
}

/** The raw signature of the bytes, by the thread that has the key. */
export type Sign = (bytes: Uint8Array) => Promise<Uint8Array>

/** What a worker is handed to make a kit. */
export interface FilesToSeal {
  readonly kit: KitIdentity
  readonly jobId: string
  readonly scope: string
  readonly issuer: string
  /** The copy in the kit. */
  readonly jwks: Jwks
  /** The keys that the kit is verified with. */
  readonly published: Jwks
  readonly stored: readonly KitEntry[]
  readonly reports: readonly MadeFile[]
  readonly binder?: BoundKit | undefined
}

interface SealedFiles {
  readonly receiptVersion: string
  readonly manifestSha256: string
  readonly receipt: string
  readonly entries: readonly KitEntry[]
  /** The object that has what is new. */
  readonly pack: StoredObject
}

/**
 * In a worker: draws the binder, seals the files, stores those that are new as one object, and verifies the kit from what is stored.
 * If it does not verify, nothing of it stays.
 */
export async function sealFiles(objects: ObjectStore, input: FilesToSeal, sign: Sign): Promise<SealedFiles> {
  const { kit, jobId, scope, issuer, jwks, published, stored, reports, binder } = input
  const { kitId, issuedAt, kid } = kit
  const made = binder === undefined ? reports : [...reports, await binderFile(binder)]
  const files = [...made, ...stored]
  const sealing = { kitId, jobId, issuedAt, issuer, scope, files, jwks, signer: { kid, sign } }
  const sealed = await sealKit(sealing, nodeHost)
  const { pack, entries: packed } = await packFiles(objects, [...made, ...sealed.generated])
  reached('kit stored')
  const entries = inOrder(sealed.files, [...stored, ...packed])
  try {
    await verifyAsServed(objects, { kitId, issuedAt, entries }, published)
  } catch (error) {
    await objects.delete(pack.object)
    throw error
  }
  reached('kit verified')
  return {
    receiptVersion: sealed.receipt.receipt_version,
    manifestSha256: sealed.manifest.manifest_sha256,
    receipt: textOf(sealed.generated, ENVELOPE.receipt),
    entries,
    pack,
  }
}

/** Verifies the archive as a download would return it. */
export async function verifyAsServed(objects: ObjectStore, kit: KitLayout, published: Jwks): Promise<void> {
  const noticing = detectOutage(objects)
  // In blocks also on a local disk: small files share objects, and opening one costs more than reading a block.
  const zip = kitZip(kit, { read: noticing.read, isRemote: true })
  const host = await hostKnowingPage(noticing, storedFiles(kit.entries))
  const report = await verifyKit(await openZip(kitZipAccess(zip), host), trustKeys(published), host)
  noticing.throwIfUnavailable()
  throwUnlessPassed(kit, report)
}

function throwUnlessPassed({ kitId }: KitLayout, { status, errors }: VerificationReport): void {
  if (status !== 'PASS')
    throw new KitDoesNotVerify(`kit ${kitId} does not verify: ${errors.slice(0, 20).join('; ')}`)
}

function pageEntry(page: StoredObject | undefined): readonly KitEntry[] {
  return page === undefined ? [] : [{ ...page, path: START_PAGE_PATH, offset: 0 }]
}

function inOrder(files: readonly { readonly path: string }[], stored: readonly KitEntry[]) {
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

function publicDownloads({ kitId }: KitIdentity): Readonly<Record<string, string>> {
  return {
    'kit.zip': `/v1/kits/${kitId}/download`,
    'manifest.json': `/v1/kits/${kitId}/manifest`,
    'receipt.json': `/v1/kits/${kitId}/receipt`,
  }
}
