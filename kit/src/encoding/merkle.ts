/**
 * The Merkle tree of RFC 6962 section 2.1 (and RFC 9162): leaf hash = H(0x00 ‖ data), node hash = H(0x01 ‖ left ‖ right),
 * split at the largest power of two below the number of leaves.
 */
export type Digest = (data: Uint8Array | string) => Uint8Array

/** The hash of a leaf. */
export function leafHash(data: Uint8Array, digest: Digest): Uint8Array {
  const prefixed = new Uint8Array(data.length + 1)
  prefixed.set(data, 1)
  return digest(prefixed)
}

/** The root hash of a tree. */
export function merkleRoot(leafHashes: readonly Uint8Array[], digest: Digest): Uint8Array {
  if (leafHashes.length === 0) return digest(new Uint8Array(0))
  let level = leafHashes
  while (level.length > 1) level = nextLevel(level, digest)
  return level[0]!
}

/** The hashes from one leaf to the root, lowest first. */
export function inclusionProof(
  leafHashes: readonly Uint8Array[],
  index: number,
  digest: Digest,
): readonly Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= leafHashes.length)
    throw new RangeError('no such leaf')
  const proof: Uint8Array[] = []
  let level = leafHashes
  for (let at = index; level.length > 1; at >>= 1) {
    const sibling = level[at ^ 1]
    if (sibling !== undefined) proof.push(sibling)
    level = nextLevel(level, digest)
  }
  return proof
}

/**
 * The root that a proof leads to (RFC 9162 section 2.1.3.2), or undefined if its length does not match the tree.
 */
export function rootFromProof(
  leaf: Uint8Array,
  index: number,
  treeSize: number,
  proof: readonly Uint8Array[],
  digest: Digest,
): Uint8Array | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(treeSize) || index < 0 || index >= treeSize)
    return undefined
  let hash = leaf
  let at = index
  let last = treeSize - 1
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== 32) return undefined
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash, digest)
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2)
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling, digest)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hash : undefined
}

/** A node without a right sibling moves up unchanged. This gives the same tree as the split in the RFC. */
function nextLevel(level: readonly Uint8Array[], digest: Digest): readonly Uint8Array[] {
  const next: Uint8Array[] = []
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at]!
    const right = level[at + 1]
    next.push(right === undefined ? left : nodeHash(left, right, digest))
  }
  return next
}

export function nodeHash(left: Uint8Array, right: Uint8Array, digest: Digest): Uint8Array {
  const node = new Uint8Array(65)
  node[0] = 1
  node.set(left, 1)
  node.set(right, 33)
  return digest(node)
}
