import { fromUtf8, parseTlogProof, provesReceipt, type Receipt } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { keysOfAllKits } from '../keys/keys-of-all-kits.ts'
import { filesOf, type KitProofs } from '../kits/kit-files.ts'
import { KitDoesNotVerify, type SealedJobKit, verifyAsServed } from '../kits/seal-kit.ts'
import type { LeafProof } from '../log/transparency-log.ts'
import type { ObjectStore } from '../objects/object-store.ts'

/** What a kit gets when it is issued. */
export interface ProvedKit extends KitProofs {
  readonly zipSha256: string
}

/** Checks that the proof is for this kit. Verifies the kit as it will be served, unless this process did so when it sealed it. */
export async function addProof(
  { db, objects }: { readonly db: Kysely<Database>; readonly objects: ObjectStore },
  kitId: KitId,
  proof: LeafProof,
  sealed: SealedJobKit | undefined,
): Promise<ProvedKit> {
  const row = sealed?.row ?? (await readKit(db, kitId))
  const logProof = fromUtf8(proof.bytes)
  const receipt = JSON.parse(row.receipt) as Receipt
  if (logProof === undefined || !provesReceipt(parseTlogProof(proof.bytes), receipt, nodeHost.digest))
    throw new KitDoesNotVerify(`the log proof is not for kit ${kitId}`)
  const timeStamp = proof.timeStamp === undefined ? null : Buffer.from(proof.timeStamp).toString('base64')
  const proofs = { logProof, timeStamp }
  if (sealed !== undefined) return { ...proofs, zipSha256: await sealed.zipSha256(proofs) }
  const kit = {
    kitId,
    issuedAt: row.issued_at,
    entries: filesOf({ ...row, log_proof: logProof, time_stamp: timeStamp }),
  }
  // Its key may have been revoked since it was signed.
  const { hash } = await verifyAsServed(objects, kit, await keysOfAllKits(db))
  return { ...proofs, zipSha256: hash.digest('hex') }
}

function readKit(db: Kysely<Database>, kitId: KitId) {
  return db
    .selectFrom('kits')
    .select(['issued_at', 'receipt', 'entries'])
    .where('kit_id', '=', kitId)
    .executeTakeFirstOrThrow()
}
