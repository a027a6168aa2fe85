/** What COSE receipts consist of. The keys of a map are in the order of the deterministic encoding: 0, 1, …, -1, -2, …. */
export type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<number, Cbor>

/** Deterministic CBOR (RFC 8949, section 4.2.1), without the types that a receipt does not have. */
export function cbor(value: Cbor): Buffer {
  if (value === null) return Buffer.of(0xf6)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  const items = value as readonly Cbor[]
  return Buffer.concat([head(4, items.length), ...items.map(cbor)])
}

export const tagged = (tag: number, value: Cbor): Buffer => Buffer.concat([head(6, tag), cbor(value)])

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
