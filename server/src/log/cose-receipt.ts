import type { TlogProof } from '@kitseal/kit/internal'

/** What COSE receipts consist of. The keys of a map are in the order of the deterministic encoding: 0, 1, …, -1, -2, …. */
type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<number, Cbor>

/** Deterministic CBOR (RFC 8949, section 4.2.1), without the types that a receipt does not have. */
function cbor(value: Cbor): Buffer {
  if (value === null) return Buffer.of(0xf6)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  const items = value as readonly Cbor[]
  return Buffer.concat([head(4, items.length), ...items.map(cbor)])
}

const tagged = (tag: number, value: Cbor): Buffer => Buffer.concat([head(6, tag), cbor(value)])

/** The shortest form of the number. */
function head(majorType: number, argument: number): Buffer {
  const type = majorType * 0x20
  if (argument < 24) return Buffer.of(type + argument)
  const bytes = [1, 2, 4, 8].find((length) => argument < 256 ** length)
  if (!Number.isSafeInteger(argument) || bytes === undefined)
    throw new RangeError(`${argument} is not encoded`)
  const buffer = Buffer.alloc(9)
  buffer.writeBigUInt64BE(BigInt(argument), 1)
  return Buffer.concat([Buffer.of(type + 24 + Math.log2(bytes)), buffer.subarray(9 - bytes)])
}

const COSE_SIGN1 = 18
const [ALGORITHM, KEY_ID, TREE, PROOFS] = [1, 4, 395, 396]
/** EdDSA. Few libraries know the number of Ed25519 alone, -19 (RFC 9864). */
const EDDSA = -8
const RFC9162_SHA256 = 1
const INCLUSION = -1

interface CoseKey {
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
