import { type Finding, finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { provesReceipt } from '../log/proves-receipt.ts'
import { type Check, notRun, outcome, passWith } from '../report.ts'
import { en } from '../texts/en.ts'

export const receiptIsLogged: Check<ReceiptFacts> = {
  check: 'receipt_is_logged',
  guarantee: en.checks.receipt_is_logged,
  run({ log, receipt, host }) {
    if (log?.proof === undefined) return notRun('there is no log proof')
    if (!log.proof.ok)
      return outcome(log.proof.problems.map((problem) => finding('log_proof_malformed', problem)))
    if (!receipt.ok) return notRun('there is no valid receipt')
    const findings: Finding[] = []
    const { index, checkpoint } = log.proof.value
    if (!provesReceipt(log.proof.value, receipt.value, host.digest)) {
      const text = `the log proof does not lead from this receipt to the root hash of ${checkpoint.origin}`
      findings.push(finding('log_proof_mismatch', text))
    }
    if (log.status?.is === 'forged')
      findings.push(finding('log_signature_invalid', `the signature of ${log.status.signer} is not valid`))
    if (findings.length > 0) return outcome(findings)
    // A proof that fits together can be made by anyone, with the name of any log.
    if (log.status?.is !== 'signed')
      return notRun(
        log.policy === undefined
          ? `the log proof fits, but who signed it was not checked: no key of ${checkpoint.origin} is known from outside the kit`
          : `the log proof fits, but no log in the policy signed the checkpoint of ${checkpoint.origin}`,
      )
    return passWith(
      `entry ${index + 1} of the log ${checkpoint.origin}, which then had ${checkpoint.size} entries`,
    )
  },
}
