import { BOUNDARY, type Receipt } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import { kindOf } from '../kits/kit-files.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { kitZip } from '../kits/kit-zip.ts'
import { sealedOrigin } from '../kits/kit-documents.ts'
import { nameOnly, type NamedWorkspace } from '../access/supplier.ts'
import { readersOf } from '../deliveries/mail-limits.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { kitItems, type SealedItem } from './kit-items.ts'
import type { OpenShare } from './open-share.ts'
import { kitsOf } from './room-kits.ts'
import { downloadsLeft, keyOf, type ShareContext, type SharedKey, statusOf } from './share.ts'

/** A kit of a room. Everything else about it is below `base`, as for the share of one kit. */
export interface RoomKit {
  readonly kit_id: string
  readonly base: string
  readonly scope: string
  readonly issuer: string
  readonly supplier: NamedWorkspace | null
  readonly requested_by?: NamedWorkspace
  readonly issued_at: string
  /** Files of evidence. */
  readonly files: number
  readonly items: readonly SealedItem[] | null
  readonly size_bytes: number
  readonly status: 'available' | 'erased'
  readonly erased_at: string | null
  readonly signing_key: SharedKey
}

/** `share.json` of a room. */
export interface DescribedRoom {
  readonly title: string
  /** Who opened the room. */
  readonly workspace: string
  readonly note: string | null
  readonly series: string | null
  readonly expires_at: string
  readonly downloads_left: number | null
  readonly status: 'available' | 'exhausted'
  /** Whose link it is. Null if it is for anyone, who then give a name that is not verified. */
  readonly recipient: string | null
  readonly kits: readonly RoomKit[]
  readonly boundary: string
}

export async function describeRoom(
  ctx: ShareContext,
  { share, recipient }: OpenShare,
  isVisiting: boolean,
): Promise<DescribedRoom> {
  const { db, clock } = ctx
  const { workspace } = await readersOf(db, share.workspace_id)
  const kits = await Promise.all((await kitsOf(db, share)).map((id) => describeKit(ctx, id)))
  return {
    title: share.title ?? '',
    workspace,
    note: share.note,
    series: share.series,
    expires_at: share.expires_at,
    downloads_left: downloadsLeft(share, isVisiting),
    status:
      statusOf(share, timestamp(clock.now())) === 'exhausted' && !isVisiting ? 'exhausted' : 'available',
    recipient,
    kits,
    boundary: BOUNDARY,
  }
}

async function describeKit({ db, kits, objects }: ShareContext, id: KitId): Promise<RoomKit> {
  const kit = await kits.find(id)
  if (kit === undefined) throw new Error(`kit ${id} of a room is missing`)
  const receipt = JSON.parse(kit.receipt) as Receipt
  const { supplier, requested_by: requester } = await sealedOrigin(objects, kit)
  return {
    kit_id: kit.kitId,
    base: `kits/${kit.kitId}`,
    scope: receipt.scope,
    issuer: receipt.issuer,
    supplier: supplier && nameOnly(supplier),
    ...(requester === undefined ? {} : { requested_by: nameOnly(requester) }),
    issued_at: kit.issuedAt,
    files: kit.entries.filter(({ path }) => kindOf(path) === 'evidence').length,
    items: await kitItems(objects, kit),
    size_bytes: sizeOf(kit, objects),
    status: kit.expired === undefined ? 'available' : 'erased',
    erased_at: kit.expired?.at ?? null,
    signing_key: await keyOf(db, receipt),
  }
}

const sizeOf = (kit: KitRecord, objects: ShareContext['objects']): number =>
  kit.expired === undefined ? kitZip(kit, objects).sizeBytes : 0
