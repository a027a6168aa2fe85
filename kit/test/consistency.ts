import type { TreeHead } from '../src/log/checkpoint.ts'
import { type Digest, nodeHash } from '../src/encoding/merkle.ts'
import { sameBytes } from '../src/encoding/bytes.ts'

/**
 * Whether a proof shows that the newer tree begins with the older one (RFC 9162, section 2.1.4.2). Nothing is proved
 * about the empty tree: the result is false.
 */
export function isConsistent(
  older: TreeHead,
  newer: TreeHead,
  proof: readonly Uint8Array[],
  digest: Digest,
): boolean {
  if (!Number.isSafeInteger(older.size) || !Number.isSafeInteger(newer.size)) return false
  if (older.size < 1 || older.size > newer.size || proof.some(({ length }) => length !== 32)) return false
  if (older.size === newer.size) return proof.length === 0 && sameBytes(older.root, newer.root)
  let at = older.size - 1
  let last = newer.size - 1
  for (; at % 2 === 1; at = half(at)) last = half(last)
  // The root of a full older tree is the first hash, which the proof leaves out.
  const [first, ...rest] = at === 0 ? [older.root, ...proof] : proof
  if (first === undefined) return false
  let olderHash = first
  let newerHash = first
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      olderHash = nodeHash(hash, olderHash, digest)
      newerHash = nodeHash(hash, newerHash, digest)
      for (; at % 2 === 0 && at !== 0; at = half(at)) last = half(last)
    } else {
      newerHash = nodeHash(newerHash, hash, digest)
    }
    at = half(at)
    last = half(last)
  }
  return last === 0 && sameBytes(olderHash, older.root) && sameBytes(newerHash, newer.root)
}

/** Not a shift: sizes may exceed 32 bits. */
function half(value: number): number {
  return Math.floor(value / 2)
}
