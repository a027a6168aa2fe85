import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'
import { en } from '../texts/en.ts'

export const signerIsTrusted: Check<ReceiptFacts> = {
  check: 'signer_is_trusted',
  guarantee: en.checks.signer_is_trusted,
  run({ chosen }) {
    if (chosen === undefined) return notRun('there is no valid receipt to take the signer from')
    if (chosen.trustFindings.length > 0) return outcome(chosen.trustFindings)
    if (chosen.key === undefined) return notRun('no key from outside the kit matches')
    if (chosen.trust !== 'kit') return outcome([])
    const text = 'integrity only: the key came with the kit, so it does not prove who signed it'
    return outcome([finding('signer_not_trusted', text)])
  },
}
