import type { ReceiptFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const keyIdMatchesPublicKey: Check<ReceiptFacts> = {
  check: 'key_id_matches_public_key',
  guarantee: en.checks.key_id_matches_public_key,
  run({ chosen }) {
    if (chosen === undefined) return notRun('there is no valid receipt to take the key ID from')
    if (chosen.sender === 'revoked') return notRun('the key was revoked')
    if (chosen.key === undefined && chosen.keyFindings.length === 0) return notRun('there is no trusted key')
    return outcome(chosen.keyFindings)
  },
}
