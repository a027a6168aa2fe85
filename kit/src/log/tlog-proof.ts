import { base64, fromBase64, fromUtf8, joined, sameBytes, utf8 } from '../encoding/bytes.ts'
import { type Digest, leafHash, rootFromProof } from '../encoding/merkle.ts'
import type { Receipt } from '../receipt.ts'
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts'
import { leafBytes, type LogLeaf, receiptLeaf } from './leaf.ts'
import { hashText, malformed, noteBytes, parseDecimal, parseHash, type SignedNote } from './note.ts'

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'
const MAX_HASHES = 63

/** Shows that a leaf is in a log (C2SP tlog-proof). Says nothing about which leaf: the reader has it. */
export interface TlogProof {
  /** Not authenticated. */
  readonly extra?: Uint8Array | undefined
  readonly index: number
  /** From the leaf's sibling up to the root. */
  readonly hashes: readonly Uint8Array[]
  readonly checkpoint: SignedCheckpoint
}

/** Parses a proof of inclusion in a log. Throws LogFormatError; each proof has one spelling. */
export function parseTlogProof(bytes: Uint8Array): TlogProof {
  // The checkpoint has an empty line too: the first one separates.
  const end = bytes.findIndex((byte, at) => byte === 10 && bytes[at + 1] === 10)
  const lines = (end < 0 ? undefined : fromUtf8(bytes.subarray(0, end)))?.split('\n')
  if (lines?.shift() !== FIRST_LINE) malformed(`the proof does not begin with ${FIRST_LINE}`)
  const extra = lines[0]?.startsWith('extra ') ? parseExtra(lines.shift()!.slice(6)) : undefined
  const index = lines.shift()
  if (!index?.startsWith('index ')) malformed('the proof has no index')
  if (lines.length > MAX_HASHES) malformed(`the proof has more than ${MAX_HASHES} hashes`)
  const proof = {
    index: parseDecimal(index.slice(6), 'the index of the proof'),
    hashes: lines.map((line) => parseHash(line, 'a hash of the proof')),
    checkpoint: parseCheckpoint(bytes.subarray(end + 2)),
  }
  if (proof.index >= proof.checkpoint.size)
    malformed('the index of the proof is not below the size of the log')
  return extra === undefined ? proof : { extra, ...proof }
}

function parseExtra(text: string): Uint8Array {
  const extra = fromBase64(text)
  if (extra === undefined || extra.length === 0)
    malformed('the extra data of the proof is empty or not base64')
  return extra
}

/** Serializes a proof. Throws LogFormatError for anything that parseTlogProof() would not read back. */
export function tlogProofBytes(
  proof: Omit<TlogProof, 'checkpoint'> & { readonly checkpoint: SignedNote },
): Uint8Array {
  const extra = proof.extra === undefined ? [] : [`extra ${base64(proof.extra)}`]
  const lines = [FIRST_LINE, ...extra, `index ${proof.index}`, ...proof.hashes.map(hashText)]
  const bytes = joined([utf8(`${lines.join('\n')}\n\n`), noteBytes(proof.checkpoint)])
  parseTlogProof(bytes)
  return bytes
}

/**
 * Whether a proof leads from a leaf to the root hash in its checkpoint. Who signed the checkpoint is not verified: use
 * verifyCheckpoint().
 */
export function provesLeaf({ index, hashes, checkpoint }: TlogProof, leaf: LogLeaf, digest: Digest): boolean {
  const hash = leafHash(leafBytes(leaf), digest)
  const root = rootFromProof(hash, index, checkpoint.size, hashes, digest)
  return root !== undefined && sameBytes(root, checkpoint.root)
}

/** The same for a receipt. The leaf comes from it, never from the kit. */
export const provesReceipt = (proof: TlogProof, receipt: Receipt, digest: Digest): boolean =>
  provesLeaf(proof, receiptLeaf(receipt, digest), digest)
