import { type Digest, leafHash, rootFromProof } from '../encoding/merkle.ts'
import { sameBytes } from '../encoding/utf8.ts'
import type { Receipt } from '../receipt.ts'
import { leafBytes, receiptLeaf } from './leaf.ts'
import type { TlogProof } from './tlog-proof.ts'

/**
 * Whether a proof leads from a receipt to the root hash in its checkpoint. Who signed the checkpoint is not verified: use
 * verifyCheckpoint().
 */
export function provesReceipt(
  { index, hashes, checkpoint }: TlogProof,
  receipt: Receipt,
  digest: Digest,
): boolean {
  // The leaf comes from the receipt, never from the kit.
  const leaf = leafHash(leafBytes(receiptLeaf(receipt, digest)), digest)
  const root = rootFromProof(leaf, index, checkpoint.size, hashes, digest)
  return root !== undefined && sameBytes(root, checkpoint.root)
}
