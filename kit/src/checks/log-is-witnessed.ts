import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { type Check, notRun, outcome } from '../report.ts'

export const logIsWitnessed: Check<ReceiptFacts> = {
  check: 'log_is_witnessed',
  guarantee: 'The log and its witnesses are those that your policy asks for',
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
    if (status.quorumMet) return outcome([])
    const text = `${status.cosigned.length} of ${policy.witnesses.length} witnesses cosigned, which is less than the policy asks for`
    return outcome([finding('log_quorum_not_met', text)])
  },
}
