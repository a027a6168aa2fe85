import { BOUNDARY, type Receipt } from '@kitseal/kit/internal'
import { nameOnly } from '../access/supplier.ts'
import type { Db } from '../database/schema.ts'
import { readersOf } from '../deliveries/mail.ts'
import { kitItems, provenanceOfSome, sealedOrigin, sealedProvenance } from '../kits/kit-documents.ts'
import { kindOf, summaryOf } from '../kits/kit-files.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { kitZip } from '../kits/kit-zip.ts'
import { timestamp } from '../runtime/clock.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { OpenKit, OpenShare } from './open-share.ts'
import { kitsOf, type Share, type ShareContext, statusOf } from './share.ts'

/** `share.json` of a share: what its recipient gets to know. With `paths`, nothing about the other files. */
export async function describeShare(
  ctx: ShareContext,
  { share, kit }: OpenKit,
  isVisiting: boolean,
): Promise<object> {
  const { objects, kits } = ctx
  const provenance = await sealedProvenance(objects, kit)
  const { paths } = share
  const chosen = paths === null ? undefined : new Set(paths)
  const about = aboutShare(ctx, share, isVisiting)
  return {
    ...about,
    ...(await aboutKit(ctx, kit)),
    /** Where the evidence came from. With `paths`, only what is about those files. */
    provenance: chosen === undefined ? provenance : provenanceOfSome(provenance, chosen),
    /** The whole kit, or some of its files with a proof each. */
    shared: paths === null ? 'kit' : 'files',
    files: kit.entries
      .filter(({ path }) => chosen?.has(path) !== false)
      .map((file) => ({
        path: file.path,
        kind: kindOf(file.path),
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        /** What the file says about itself, if it is the output of a known tool. */
        summary: summaryOf(file),
        /** Below the link. */
        download: `files/${encodePath(file.path)}`,
        proof: hasProof(file.path) ? `proofs/${encodePath(file.path)}` : null,
      })),
    /** What was asked for, with the files of each, if the kit answers a request or is of a program. Null otherwise, and with `paths`. */
    items: paths === null ? await kitItems(objects, kit) : null,
    /** Null if only files are shared, or if the files are deleted. */
    kit:
      paths === null && kit.expired === undefined
        ? {
            size_bytes: kitZip(kit, objects).sizeBytes,
            sha256: (await kits.archiveSha256(kit)) ?? '',
            download: 'kit.zip',
          }
        : null,
    /** `erased`: the files are deleted, manifest and receipt remain. */
    status: kit.expired === undefined ? about.status : 'erased',
  }
}

/** `share.json` of a room. */
export async function describeRoom(
  ctx: ShareContext,
  { share, recipient }: OpenShare,
  isVisiting: boolean,
): Promise<object> {
  const kits = await kitsOf(ctx.db, share)
  return {
    ...aboutShare(ctx, share, isVisiting),
    title: share.title ?? '',
    /** Who opened the room. */
    workspace: (await readersOf(ctx.db, share.workspace_id)).workspace,
    series: share.series,
    /** Whose link it is. Null if it is for anyone, who then give a name that is not verified. */
    recipient,
    kits: await Promise.all(kits.map((id) => describeKit(ctx, id))),
  }
}

/** A kit of a room. Everything else about it is below `base`, as for the share of one kit. */
async function describeKit(ctx: ShareContext, id: KitId): Promise<object> {
  const { kits, objects } = ctx
  const kit = await kits.find(id)
  if (kit === undefined) throw new Error(`kit ${id} of a room is missing`)
  return {
    ...(await aboutKit(ctx, kit)),
    base: `kits/${kit.kitId}`,
    /** Files of evidence. */
    files: kit.entries.filter(({ path }) => kindOf(path) === 'evidence').length,
    items: await kitItems(objects, kit),
    size_bytes: kit.expired === undefined ? kitZip(kit, objects).sizeBytes : 0,
    status: kit.expired === undefined ? 'available' : 'erased',
  }
}

const aboutShare = ({ clock }: ShareContext, share: Share, isVisiting: boolean) => {
  const { note, expires_at, max_downloads, downloads } = share
  const isExhausted = statusOf(share, timestamp(clock.now())) === 'exhausted' && !isVisiting
  return {
    note,
    expires_at,
    /** Visits that can still read files, this one included. */
    downloads_left:
      max_downloads === null ? null : Math.max(0, max_downloads - downloads) + (isVisiting ? 1 : 0),
    /** `exhausted`: the download limit is reached. */
    status: isExhausted ? 'exhausted' : 'available',
    boundary: BOUNDARY,
  }
}

async function aboutKit({ db, objects }: ShareContext, kit: KitRecord) {
  const receipt = JSON.parse(kit.receipt) as Receipt
  const { supplier, requested_by: requester } = await sealedOrigin(objects, kit)
  return {
    kit_id: kit.kitId,
    issuer: receipt.issuer,
    supplier: supplier && nameOnly(supplier),
    /** Who asked for the files, if they came through the link of a request. */
    ...(requester === undefined ? {} : { requested_by: nameOnly(requester) }),
    scope: receipt.scope,
    issued_at: kit.issuedAt,
    erased_at: kit.expired?.at ?? null,
    signing_key: await keyOf(db, receipt),
  }
}

/** The key that signed a kit, as it stands now. */
async function keyOf(db: Db, { public_key_kid: kid }: Receipt) {
  const key = await db
    .selectFrom('signing_keys')
    .select(['state', 'revoked_at'])
    .where('kid', '=', kid)
    .executeTakeFirst()
  return { kid, status: key?.state ?? 'unknown', revoked_at: key?.revoked_at ?? null }
}

/** Files about the manifest are not in it, so there is no proof for them. */
const hasProof = (path: string): boolean => !['envelope', 'bag'].includes(kindOf(path))

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
