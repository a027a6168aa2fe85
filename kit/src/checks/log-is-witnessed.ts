import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { cosignedText, quorumText } from '../log/witness-texts.ts'
import { type Check, notRun, outcome, passWith } from '../report.ts'
import { en } from '../texts/en.ts'

export const logIsWitnessed: Check<ReceiptFacts> = {
  check: 'log_is_witnessed',
  guarantee: en.checks.log_is_witnessed,
  run({ log }) {
    if (log?.policy === undefined) return notRun('no log policy was given')
    const { proof, status, policy } = log
    if (proof === undefined)
      return outcome([finding('log_proof_missing', 'the policy asks for a log proof, and there is none')])
    if (!proof.ok || status === undefined) return notRun('there is no valid log proof')
    if (status.is === 'forged') return notRun('a signature in the log proof is not valid')
    if (status.is === 'unknown_log') {
      const text = `no log in the policy signed the checkpoint of ${proof.value.checkpoint.origin}`
      return outcome([finding('log_unknown', text)])
    }
    if (log.isIssuers === true) return notRun('the log is the one of the issuer, and no policy was given')
    if (!status.quorumMet) {
      const text = `${cosignedText(status, policy)}, which is less than the policy asks for`
      return outcome([finding('log_quorum_not_met', text)])
    }
    if (policy.witnesses.length === 0) return notRun('the policy names no witnesses')
    return passWith(quorumText(status, policy))
  },
}
