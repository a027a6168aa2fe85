import type { ReceiptFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'

export const signerIsTrusted: Check<ReceiptFacts> = {
  check: 'signer_is_trusted',
  guarantee: 'The key is one that you trust, not one that came with the kit',
  run({ chosen }) {
    if (chosen === undefined) return notRun('there is no receipt to take the signer from')
    if (chosen.trustFindings.length > 0) return outcome(chosen.trustFindings)
    if (chosen.key === undefined) return notRun('no trusted key matches')
    if (chosen.trust === 'kit')
      return notRun('integrity alone: the key came with the kit, and anyone can make one')
    return outcome([])
  },
}
