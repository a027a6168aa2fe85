import { verifySignature } from '../crypto/ed25519.ts'
import { fromBase64url } from '../encoding/base64url.ts'
import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { signedBytes } from '../receipt.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const signatureVerifies: Check<ReceiptFacts> = {
  check: 'signature_verifies',
  guarantee: en.checks.signature_verifies,
  async run({ chosen, receipt, host }) {
    const key = chosen?.key ?? chosen?.untrustedKey
    if (key === undefined || !receipt.ok) return notRun('no public key is available')
    const publicKey = fromBase64url(key.x)
    const signature = fromBase64url(receipt.value.signature)
    if (publicKey === undefined || signature === undefined)
      return notRun('the key or the signature cannot be decoded')
    const verdict = await verifySignature(publicKey, signedBytes(receipt.value), signature, host)
    if (verdict.valid && chosen?.key === undefined)
      return notRun('the signature matches the key in the kit, which is not trusted')
    return outcome(verdict.valid ? [] : [finding('signature_invalid', verdict.why)])
  },
}
