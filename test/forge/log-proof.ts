import { sha256 } from '../../kit/src/crypto/sha256.ts'
import { inclusionProof, leafHash, merkleRoot } from '../../kit/src/encoding/merkle.ts'
import { base64, utf8 } from '../../kit/src/encoding/bytes.ts'
import { checkpointText } from '../../kit/src/log/checkpoint.ts'
import { leafBytes, receiptLeaf } from '../../kit/src/log/leaf.ts'
import { noteBytes, type NoteSignature } from '../../kit/src/log/note.ts'
import type { Receipt } from '../../kit/src/receipt.ts'
import { log, ORIGIN, witnesses } from './log-signers.ts'

/** Seconds since 1970 at which the witnesses of the vectors cosign. */
export const COSIGNED_AT = 1_777_982_460

/** How a log proof deviates from a correct one. */
export interface LogPlan {
  readonly index?: number
  readonly size?: number
  readonly origin?: string
  /** The leaf that is in the log. */
  readonly leaf?: (receipt: Receipt) => Uint8Array
  /** The index and size that the proof states. */
  readonly stated?: { readonly index?: number; readonly size?: number }
  readonly hashes?: (hashes: readonly Uint8Array[]) => readonly Uint8Array[]
  readonly root?: (root: Uint8Array) => Uint8Array
  readonly extensions?: string
  readonly extra?: string
  readonly signatures?: (text: string) => readonly NoteSignature[]
}

export const byLog = (text: string): NoteSignature => log.sign(text)
/** The log and the witnesses at these positions, counted from 0. */
export const byLogAnd =
  (...at: readonly number[]): ((text: string) => readonly NoteSignature[]) =>
  (text) => [byLog(text), ...at.map((one) => witnesses[one]!.cosign(text, COSIGNED_AT + one))]

/** The log proof of a receipt: leaf 5 of 11, if the plan does not say otherwise. */
export function makeLogProof(plan: LogPlan = {}): (receipt: Receipt) => Uint8Array {
  const { index = 5, size = 11, stated = {}, extra, signatures = byLogAnd(0, 1) } = plan
  return (receipt) => {
    const leaf = plan.leaf?.(receipt) ?? leafBytes(receiptLeaf(receipt, sha256))
    const leaves = Array.from({ length: size }, (_, at) =>
      leafHash(at === index ? leaf : utf8(`leaf ${at}`), sha256),
    )
    const proof = inclusionProof(leaves, index, sha256)
    const root = merkleRoot(leaves, sha256)
    const text = checkpointText({
      origin: plan.origin ?? ORIGIN,
      size: stated.size ?? size,
      root: plan.root?.(root) ?? root,
    })
    const whole = text + (plan.extensions ?? '')
    const lines = [
      'c2sp.org/tlog-proof@v1',
      ...(extra === undefined ? [] : [`extra ${extra}`]),
      `index ${stated.index ?? index}`,
      ...(plan.hashes?.(proof) ?? proof).map(base64),
      '\n',
    ]
    return Buffer.concat([
      Buffer.from(lines.join('\n')),
      noteBytes({ text: whole, signatures: signatures(whole) }),
    ])
  }
}
