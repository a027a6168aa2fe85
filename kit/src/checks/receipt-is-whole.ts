import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { canonicalReceiptSha256 } from '../receipt.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const receiptIsWhole: Check<ReceiptFacts> = {
  check: 'receipt_is_whole',
  guarantee: en.checks.receipt_is_whole,
  run({ receipt, host, unreadable }) {
    if (unreadable === true) return notRun('there is no readable receipt')
    if (!receipt.ok) return outcome(receipt.problems.map((problem) => finding('receipt_malformed', problem)))
    const stated = receipt.value.canonical_receipt_sha256
    const actual = canonicalReceiptSha256(receipt.value, host.digest)
    if (stated === actual) return outcome([])
    return outcome([
      finding(
        'receipt_hash_mismatch',
        `the receipt states SHA-256 ${stated}, but its canonical form has SHA-256 ${actual}`,
      ),
    ])
  },
}
