import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { type Check, notRun, outcome, passWith, time } from '../report.ts'

export const logIsWitnessed: Check<ReceiptFacts> = {
  check: 'log_is_witnessed',
  guarantee: 'The log and its witnesses meet your policy',
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
    const total = policy.witnesses.length
    const seen =
      total === 0 ? 'it names no witnesses' : `${status.cosigned.length} of ${total} witnesses cosigned`
    if (!status.quorumMet)
      return outcome([finding('log_quorum_not_met', `${seen}, which is less than the policy asks for`)])
    return passWith(
      status.since === undefined ? seen : `${seen}; the quorum was met at ${time(status.since)}`,
    )
  },
}
