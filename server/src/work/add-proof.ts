import { fromUtf8, parseTlogProof, provesReceipt, type Receipt } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import type { Database, KitsTable } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { keysOfAllKits } from '../keys/keys-of-all-kits.ts'
import { filesOf, type KitProofs } from '../kits/kit-files.ts'
import { KitDoesNotVerify } from '../kits/seal-kit.ts'
import type { LeafProof } from '../log/transparency-log.ts'
import type { CrewOfService } from './crew-functions.ts'

/** Checks that the proof is for this kit. Verifies the kit as it will be served, unless this process did so when it sealed it. */
export async function addProof(
  { db, crew }: { readonly db: Kysely<Database>; readonly crew: Pick<CrewOfService, 'run'> },
  kitId: KitId,
  proof: LeafProof,
  sealed: KitsTable | undefined,
): Promise<KitProofs> {
  const row = sealed ?? (await readKit(db, kitId))
  const logProof = fromUtf8(proof.bytes)
  const receipt = JSON.parse(row.receipt) as Receipt
  if (logProof === undefined || !provesReceipt(parseTlogProof(proof.bytes), receipt, nodeHost.digest))
    throw new KitDoesNotVerify(`the log proof is not for kit ${kitId}`)
  const timeStamp = proof.timeStamp === undefined ? null : Buffer.from(proof.timeStamp).toString('base64')
  const proofs = { logProof, timeStamp }
  if (sealed !== undefined) return proofs
  const entries = filesOf({ ...row, log_proof: logProof, time_stamp: timeStamp })
  // Its key may have been revoked since it was signed.
  const keys = await keysOfAllKits(db)
  await crew.run('verifyStored', '', { kit: { kitId, issuedAt: row.issued_at, entries }, keys })
  return proofs
}

function readKit(db: Kysely<Database>, kitId: KitId) {
  return db
    .selectFrom('kits')
    .select(['issued_at', 'receipt', 'entries'])
    .where('kit_id', '=', kitId)
    .executeTakeFirstOrThrow()
}
