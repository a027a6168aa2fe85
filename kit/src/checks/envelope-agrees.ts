import { fromBase64url } from '../encoding/base64url.ts'
import { hex } from '../encoding/hex.ts'
import { fromUtf8, sameBytes } from '../encoding/utf8.ts'
import { ENVELOPE, KEY_SET_LABEL } from '../envelope.ts'
import { finding, type Finding } from '../errors.ts'
import type { ExaminedKit } from '../examine.ts'
import type { KitFacts } from '../facts.ts'
import { type Receipt, signedBytes } from '../receipt.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const envelopeAgrees: Check<KitFacts> = {
  check: 'envelope_agrees',
  guarantee: en.checks.envelope_agrees,
  run({ kit, receipt, host }) {
    if (kit === undefined) return notRun('the kit is not available')
    if (kit.unreadable) return notRun('the kit cannot be read')
    const findings: Finding[] = []
    for (const [name, path] of Object.entries(ENVELOPE)) {
      const missing = kit.envelope[name as keyof typeof ENVELOPE] === undefined
      if (missing) findings.push(finding('envelope_missing', `${path} is missing or cannot be read`))
    }
    if (receipt.ok) findings.push(...receiptCopies(kit, receipt.value))
    if (kit.envelope.keySet !== undefined) {
      const { keySet } = kit
      const problems = keySet.ok ? keySet.value.refused.map(({ why }) => `a key ${why}`) : keySet.problems
      for (const problem of problems)
        findings.push(finding('envelope_mismatch', `${ENVELOPE.keySet}: ${problem}`))
      findings.push(...keySetFindings(kit, hex(host.digest(kit.envelope.keySet))))
    }
    if (findings.length === 0 && !receipt.ok) return notRun('there is no valid receipt to compare with')
    return outcome(findings)
  },
}

function receiptCopies({ envelope }: ExaminedKit, receipt: Receipt): readonly Finding[] {
  const findings: Finding[] = []
  const { canonicalReceipt, signature } = envelope
  if (canonicalReceipt !== undefined && !sameBytes(canonicalReceipt, signedBytes(receipt))) {
    findings.push(
      finding(
        'envelope_mismatch',
        `${ENVELOPE.canonicalReceipt} is not the canonical form of ${ENVELOPE.receipt}`,
      ),
    )
  }
  if (
    signature !== undefined &&
    !sameBytes(signature, fromBase64url(receipt.signature) ?? new Uint8Array(0))
  ) {
    findings.push(
      finding('envelope_mismatch', `${ENVELOPE.signature} is not the signature of ${ENVELOPE.receipt}`),
    )
  }
  return findings
}

/** The key set is not signed, but bag-info.txt, which the manifest lists, states its hash. */
function keySetFindings({ bagInfo }: ExaminedKit, actual: string): readonly Finding[] {
  const text = bagInfo === undefined ? undefined : fromUtf8(bagInfo)
  const stated = text
    ?.split('\n')
    .find((line) => line.startsWith(`${KEY_SET_LABEL}: `))
    ?.slice(KEY_SET_LABEL.length + 2)
  if (stated === undefined || stated === actual) return []
  return [
    finding(
      'envelope_mismatch',
      `${ENVELOPE.keySet} was changed: its SHA-256 is ${actual}, bag-info.txt states ${stated}`,
    ),
  ]
}
