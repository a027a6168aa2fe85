import { BOUNDARY, type Receipt } from '@kitseal/kit'
import type { TransparencyLog } from '../log/transparency-log.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { kindOf } from './file-kind.ts'
import type { KitDetail } from './kit-detail-schema.ts'
import { kitLog } from './kit-log.ts'
import type { KitRecord } from './kit-queries.ts'
import { kitZip } from './kit-zip.ts'
import { sealedOrigin } from './sealed-origin.ts'

export interface DescribeKitContext {
  readonly objects: ObjectStore
  readonly transparencyLog: Pick<TransparencyLog, 'proofOf'>
}

export async function describeKit(ctx: DescribeKitContext, kit: KitRecord): Promise<KitDetail> {
  const receipt = JSON.parse(kit.receipt) as Receipt
  return {
    kit_id: kit.kitId,
    label: receipt.scope,
    issued_at: kit.issuedAt,
    kid: receipt.public_key_kid,
    ...(await sealedOrigin(ctx.objects, kit)),
    manifest_sha256: receipt.manifest_sha256,
    manifest_root_hash: receipt.manifest_root_hash,
    canonical_receipt_sha256: receipt.canonical_receipt_sha256,
    size_bytes: kitZip(kit, ctx.objects).sizeBytes,
    sha256: kit.zipSha256,
    files: kit.entries.map(({ path, sha256, sizeBytes }) => {
      return { path, sha256, size_bytes: sizeBytes, kind: kindOf(path) }
    }),
    log: await kitLog(ctx, kit.kitId),
    boundary: BOUNDARY,
  }
}
