import { BOUNDARY, type ProvenanceEntry, type Receipt } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import { type FileKind, kindOf, summaryOf } from '../kits/kit-files.ts'
import { kitZip } from '../kits/kit-zip.ts'
import { provenanceOfSome, sealedOrigin, sealedProvenance } from '../kits/kit-documents.ts'
import { nameOnly, type NamedWorkspace } from '../access/supplier.ts'
import { kitItems, type SealedItem } from './kit-items.ts'
import type { OpenKit } from './open-share.ts'
import { downloadsLeft, keyOf, type ShareContext, type SharedKey, sharedPaths, statusOf } from './share.ts'

/** What the recipient of a share gets to know. With `paths`, nothing about the other files. */
export interface SharedKit {
  readonly kit_id: string
  readonly issuer: string
  readonly supplier: NamedWorkspace | null
  /** Who asked for the files, if they came through the link of a request. */
  readonly requested_by?: NamedWorkspace
  /** Where the evidence came from. With `paths`, only what is about those files. */
  readonly provenance: readonly ProvenanceEntry[]
  readonly scope: string
  readonly issued_at: string
  readonly note: string | null
  readonly expires_at: string
  /** The whole kit, or some of its files with a proof each. */
  readonly shared: 'kit' | 'files'
  readonly files: readonly {
    readonly path: string
    readonly kind: FileKind
    readonly size_bytes: number
    readonly sha256: string
    /** What the file says about itself, if it is the output of a known tool. */
    readonly summary: string | null
    /** Below the link. */
    readonly download: string
    readonly proof: string | null
  }[]
  /** What was asked for, with the files of each, if the kit answers a request or is of a program. Null otherwise, and with `paths`. */
  readonly items: readonly SealedItem[] | null
  /** Null if only files are shared, or if the files are deleted. */
  readonly kit: {
    readonly size_bytes: number
    readonly sha256: string
    readonly download: string
  } | null
  /** Visits that can read files, this one included. */
  readonly downloads_left: number | null
  /** `erased`: the files are deleted, manifest and receipt remain. `exhausted`: the download limit is reached. */
  readonly status: 'available' | 'exhausted' | 'erased'
  readonly erased_at: string | null
  readonly signing_key: SharedKey
  readonly boundary: string
}

export async function describeShare(
  { db, clock, objects, kits }: ShareContext,
  { share, kit }: OpenKit,
  isVisiting: boolean,
): Promise<SharedKit> {
  const receipt = JSON.parse(kit.receipt) as Receipt
  const { supplier, requested_by: requester } = await sealedOrigin(objects, kit)
  const provenance = await sealedProvenance(objects, kit)
  const paths = sharedPaths(share)
  const chosen = paths === null ? undefined : new Set(paths)
  const isExhausted = statusOf(share, timestamp(clock.now())) === 'exhausted' && !isVisiting
  return {
    kit_id: kit.kitId,
    issuer: receipt.issuer,
    supplier: supplier && nameOnly(supplier),
    ...(requester === undefined ? {} : { requested_by: nameOnly(requester) }),
    provenance: chosen === undefined ? provenance : provenanceOfSome(provenance, chosen),
    scope: receipt.scope,
    issued_at: kit.issuedAt,
    note: share.note,
    expires_at: share.expires_at,
    shared: paths === null ? 'kit' : 'files',
    files: kit.entries
      .filter(({ path }) => chosen?.has(path) !== false)
      .map((file) => ({
        path: file.path,
        kind: kindOf(file.path),
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        summary: summaryOf(file),
        download: `files/${encodePath(file.path)}`,
        proof: hasProof(file.path) ? `proofs/${encodePath(file.path)}` : null,
      })),
    items: paths === null ? await kitItems(objects, kit) : null,
    kit:
      paths === null && kit.expired === undefined
        ? {
            size_bytes: kitZip(kit, objects).sizeBytes,
            sha256: (await kits.archiveSha256(kit)) ?? '',
            download: 'kit.zip',
          }
        : null,
    downloads_left: downloadsLeft(share, isVisiting),
    status: kit.expired !== undefined ? 'erased' : isExhausted ? 'exhausted' : 'available',
    erased_at: kit.expired?.at ?? null,
    signing_key: await keyOf(db, receipt),
    boundary: BOUNDARY,
  }
}

/** Files about the manifest are not in it, so there is no proof for them. */
const hasProof = (path: string): boolean => !['envelope', 'bag'].includes(kindOf(path))

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
