import { type Digest, leafHash, rootFromProof } from '../encoding/merkle.ts'
import { sameBytes } from '../encoding/utf8.ts'
import type { Receipt } from '../receipt.ts'
import { leafBytes, receiptLeaf } from './leaf.ts'
import type { TlogProof } from './tlog-proof.ts'

/**
 * Whether a proof leads from a receipt to the root hash in its checkpoint. Who signed the checkpoint is not verified: use
 * verifyCheckpoint().
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { checkpointText, leafBytes, leafHash, parseTlogProof, provesReceipt, readProof, receiptLeaf, tlogProofBytes } from '@kitseal/kit'
 * import { nodeHost } from '@kitseal/kit/node'
 *
 * const proof = readProof(readFileSync('users.csv.proof.json'))
 * assert.ok(proof.ok)
 * const { receipt } = proof.value
 * // In a log of one entry, the hash of the entry is the root.
 * const root = leafHash(leafBytes(receiptLeaf(receipt, nodeHost.digest)), nodeHost.digest)
 * const text = checkpointText({ origin: 'issuer.example/log', size: 1, root })
 * const signatures = [{ name: 'issuer.example/log', keyId: '00c0ffee', signature: new Uint8Array(64) }]
 * const logged = parseTlogProof(tlogProofBytes({ index: 0, hashes: [], checkpoint: { text, signatures } }))
 * assert.ok(provesReceipt(logged, receipt, nodeHost.digest))
 * ```
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
