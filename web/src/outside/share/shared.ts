import type { RoomComment, RoomReviewList } from '@kitseal/client'
import {
  hex,
  type JsonValue,
  NO_TRUST,
  type ProvenanceEntry,
  type Supplier,
  type VerificationReport,
  verifyFileProof,
  webHost,
} from '@kitseal/kit/internal'
import { chunksOf, fetchHere, fetchJson } from '../../core/fetch-json.ts'
import { publishedKeys, type Verifiable } from '../../verify/use-verification.ts'

/** A file of a share, with paths below the link. */
export interface SharedFile {
  readonly path: string
  readonly kind: 'evidence' | 'report' | 'verifier' | 'binder' | 'guide' | 'envelope' | 'bag'
  readonly size_bytes: number
  readonly sha256: string
  /** What the file says about itself. */
  readonly summary: string | null
  readonly download: string
  readonly proof: string | null
}

/** What was asked for, and the files that were sent for it, as sealed. */
export interface SharedItem {
  readonly item_id: string
  readonly title: string
  readonly status: string
  readonly files: readonly string[]
}

/** `share.json` of a share. */
export interface SharedKit {
  readonly kit_id: string
  readonly issuer: string
  readonly supplier: Supplier | null
  readonly requested_by?: Supplier
  readonly provenance: readonly ProvenanceEntry[]
  readonly scope: string
  readonly issued_at: string
  readonly note: string | null
  readonly expires_at: string
  readonly shared: 'kit' | 'files'
  readonly files: readonly SharedFile[]
  readonly items: readonly SharedItem[] | null
  readonly kit: { readonly size_bytes: number; readonly download: string } | null
  readonly downloads_left: number | null
  readonly status: 'available' | 'exhausted' | 'erased'
  readonly erased_at: string | null
  readonly signing_key: { readonly status: string; readonly revoked_at: string | null }
}

/** A kit of a room. The rest of it is below `base`, as for the share of one kit. */
export interface RoomKit extends Pick<
  SharedKit,
  'kit_id' | 'issuer' | 'supplier' | 'requested_by' | 'scope' | 'issued_at' | 'items' | 'erased_at'
> {
  readonly base: string
  readonly files: number
  readonly size_bytes: number
  readonly status: 'available' | 'erased'
}

/** `share.json` of a room. */
export interface SharedRoom extends Pick<SharedKit, 'note' | 'expires_at' | 'downloads_left'> {
  readonly title: string
  readonly workspace: string
  readonly series: string | null
  readonly status: 'available' | 'exhausted'
  readonly recipient: string | null
  readonly kits: readonly RoomKit[]
}

export type Review = RoomReviewList['data'][number]

/** What a comment or a review is about. */
export interface Place {
  readonly kit_id: string
  readonly path?: string
  readonly item_id?: string
}

export const isAt = (
  place: Place,
  { kit_id, path, item_id }: Pick<RoomComment, 'kit_id' | 'path' | 'item_id'>,
): boolean => kit_id === place.kit_id && path === (place.path ?? null) && item_id === (place.item_id ?? null)

/** One file, hashed here and checked with its file proof and the keys that this service publishes. */
export const servedFile = (base: string, file: SharedFile): Verifiable<VerificationReport> => ({
  id: file.path,
  name: file.path,
  sizeBytes: file.size_bytes,
  run: async (onProgress, signal) => {
    const { keys } = await publishedKeys()
    const proof = await fetchJson<JsonValue>(`${base}/${file.proof}`, { signal })
    const hash = webHost.sha256()
    let sizeBytes = 0
    for await (const chunk of chunksOf(await fetchHere(`${base}/view/${file.download}`, { signal }))) {
      hash.update(chunk)
      sizeBytes += chunk.length
      onProgress(sizeBytes)
    }
    const measured = { sha256: hex(await hash.digest()), sizeBytes }
    return verifyFileProof(proof, measured, { ...NO_TRUST, keySets: [keys] }, webHost)
  },
})
