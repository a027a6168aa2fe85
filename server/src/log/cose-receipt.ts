import type { TlogProof } from '@kitseal/kit/internal'
import { cbor, type Cbor, tagged } from './cbor.ts'

const COSE_SIGN1 = 18
const [ALGORITHM, KEY_ID, TREE, PROOFS] = [1, 4, 395, 396]
/** EdDSA. Few libraries know the number of Ed25519 alone, -19 (RFC 9864). */
const EDDSA = -8
const RFC9162_SHA256 = 1
const INCLUSION = -1

export interface CoseKey {
  /** `ORIGIN+KEYID`, as the vkey of the log begins. */
  readonly id: string
  sign(message: Uint8Array): Promise<Uint8Array>
}

/** The receipt of a leaf (RFC 9942): its path to the root, and a signature over the root, which is not part of it. */
export async function coseReceipt({ index, hashes, checkpoint }: TlogProof, key: CoseKey): Promise<Buffer> {
  const headers = new Map<number, Cbor>([
    [ALGORITHM, EDDSA],
    [KEY_ID, Buffer.from(key.id)],
    [TREE, RFC9162_SHA256],
  ])
  const signedHeaders = cbor(headers)
  const signature = await key.sign(cbor(['Signature1', signedHeaders, Buffer.of(), checkpoint.root]))
  const proof = cbor([checkpoint.size, index, hashes])
  const proofs = new Map([[PROOFS, new Map([[INCLUSION, [proof]]])]])
  return tagged(COSE_SIGN1, [signedHeaders, proofs, null, signature])
}
