import { whyNot } from '../parsing.ts'
import { reason } from '../texts/english.ts'
import type { Host } from '../host.ts'
import type { LogFacts } from '../log/verify-log.ts'
import type { Parsed } from '../parsing.ts'
import type { TimeFacts } from '../time/verify-time.ts'
import type { ChosenKey } from '../trust.ts'
import { verifySignature } from '../crypto/ed25519.ts'
import { fromBase64url } from '../encoding/bytes.ts'
import { type Check, notRun, outcome, passWith, isoTime } from '../report.ts'
import { failure, finding } from '../verdicts.ts'
import { wasKeyActive } from '../jwks.ts'
import { canonicalReceiptSha256, type Receipt, signedBytes } from '../receipt.ts'

/** The input of the checks of a receipt. */
export interface ReceiptFacts {
  readonly receipt: Parsed<Receipt>
  /** The kit or proof that should contain the receipt cannot be read. */
  readonly unreadable?: boolean
  readonly chosen: ChosenKey | undefined
  /** Undefined if there is neither a log proof nor a policy. */
  readonly log?: LogFacts | undefined
  /** Undefined if there is neither a time-stamp nor a policy. */
  readonly time?: TimeFacts | undefined
  readonly host: Host
}

export const receiptIsWhole: Check<ReceiptFacts> = {
  check: 'receipt_is_whole',
  run({ receipt, host, unreadable }) {
    if (unreadable === true) return notRun(reason('reason.noReadableReceipt'))
    if (!receipt.ok) return outcome(whyNot(receipt).map((problem) => finding('receipt_malformed', problem)))
    const stated = receipt.value.canonical_receipt_sha256
    const actual = canonicalReceiptSha256(receipt.value, host.digest)
    if (stated === actual) return outcome([])
    return outcome([failure('receipt_hash_mismatch', 'reason.receiptHash', { stated, actual })])
  },
}

export const keyIdMatchesPublicKey: Check<ReceiptFacts> = {
  check: 'key_id_matches_public_key',
  run({ chosen }) {
    if (chosen === undefined) return notRun(reason('reason.noKeyId'))
    if (chosen.sender === 'revoked') return notRun(reason('reason.wasRevoked'))
    if (chosen.key === undefined && chosen.keyFindings.length === 0)
      return notRun(reason('reason.noTrustedKey'))
    return outcome(chosen.keyFindings)
  },
}

export const keyWasAlive: Check<ReceiptFacts> = {
  check: 'key_was_alive',
  run({ chosen, receipt }) {
    if (chosen?.sender === 'revoked' && chosen.revoked !== undefined) {
      const { kid, revoked_at: revokedAt } = chosen.revoked
      return outcome([failure('key_revoked', 'reason.keyRevoked', { kid, time: revokedAt })])
    }
    if (chosen?.key === undefined || !receipt.ok) return notRun(reason('reason.noPublicKey'))
    const { iat, exp } = chosen.key
    if (wasKeyActive(chosen.key, receipt.value.issued_at)) {
      const since = chosen.revoked?.compromised_since
      return since === undefined
        ? outcome([])
        : passWith(`the key was compromised at ${since}, but this receipt is older`)
    }
    const period = [
      ...(iat === undefined ? [] : [`from ${isoTime(iat)}`]),
      ...(exp === undefined ? [] : [`until ${isoTime(exp)}`]),
    ]
    return outcome([
      finding(
        'key_outside_life',
        `issued at ${receipt.value.issued_at}, but the key was active ${period.join(' ')}`,
      ),
    ])
  },
}

export const signatureVerifies: Check<ReceiptFacts> = {
  check: 'signature_verifies',
  async run({ chosen, receipt, host }) {
    const key = chosen?.key ?? chosen?.untrustedKey
    if (key === undefined || !receipt.ok) return notRun(reason('reason.noPublicKey'))
    const publicKey = fromBase64url(key.x)
    const signature = fromBase64url(receipt.value.signature)
    if (publicKey === undefined || signature === undefined)
      return notRun('the key or the signature cannot be decoded')
    const verdict = await verifySignature(publicKey, signedBytes(receipt.value), signature, host)
    if (verdict.valid && chosen?.key === undefined) return notRun(reason('reason.kitsKey'))
    return outcome(verdict.valid ? [] : [finding('signature_invalid', verdict.why)])
  },
}

export const signerIsTrusted: Check<ReceiptFacts> = {
  check: 'signer_is_trusted',
  run({ chosen }) {
    if (chosen === undefined) return notRun(reason('reason.noSigner'))
    if (chosen.trustFindings.length > 0) return outcome(chosen.trustFindings)
    if (chosen.key === undefined) return notRun(reason('reason.noKey'))
    if (chosen.trust !== 'kit') return outcome([])
    return outcome([failure('signer_not_trusted', 'reason.integrityOnly')])
  },
}
