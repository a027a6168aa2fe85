import type { ProofFile } from '../envelope.ts'
import type { Host } from '../host.ts'
import type { Parsed } from '../parsing.ts'
import type { Receipt } from '../receipt.ts'
import {
  type Check,
  type CheckResult,
  isoTime,
  type LogReport,
  notRun,
  outcome,
  passWith,
  readableTime,
} from '../report.ts'
import { type Finding, finding } from '../verdicts.ts'
import { en } from '../texts/en.ts'
import { type CheckpointStatus, verifyCheckpoint } from './checkpoint.ts'
import { LogFormatError } from './note.ts'
import type { LogPolicy } from './tlog-policy.ts'
import { parseTlogProof, provesReceipt, type TlogProof } from './tlog-proof.ts'

/** The log proof of a kit, and what the reader's policy says about it. */
export interface LogFacts {
  /** Undefined if there is none. */
  readonly proof: Parsed<TlogProof> | undefined
  /** Undefined without a policy, or without a valid proof. */
  readonly status: CheckpointStatus | undefined
  readonly policy: LogPolicy | undefined
  /** The policy is the issuer's own, not the reader's. */
  readonly isIssuers?: boolean
}

/** Undefined if there is neither a log proof nor a policy. */
export async function readLogFacts(
  file: ProofFile,
  policy: LogPolicy | undefined,
  host: Host,
): Promise<LogFacts | undefined> {
  if (file === undefined && policy === undefined) return undefined
  const proof = file === undefined ? undefined : parse(file)
  const status =
    proof?.ok === true && policy !== undefined
      ? await verifyCheckpoint(proof.value.checkpoint, policy, host)
      : undefined
  return { proof, status, policy }
}

function parse(file: Uint8Array | 'unreadable'): Parsed<TlogProof> {
  if (file === 'unreadable') return { ok: false, problems: ['the log proof cannot be read'] }
  try {
    return { ok: true, value: parseTlogProof(file) }
  } catch (error) {
    if (error instanceof LogFormatError) return { ok: false, problems: [error.message] }
    throw error
  }
}

/** The input of the checks of a log proof. */
interface LoggedReceipt {
  readonly receipt: Parsed<Receipt>
  readonly log?: LogFacts | undefined
  readonly host: Host
}

export const receiptIsLogged: Check<LoggedReceipt> = {
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

export const logIsWitnessed: Check<LoggedReceipt> = {
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

const NOTHING = { origin: null, index: null, size: null, since: null, witnesses: null }

/** States what the log adds, after the checks. */
export function logReport(
  log: LogFacts,
  checks: readonly CheckResult[],
  issuer: string | undefined,
): LogReport {
  const { proof, status, policy, isIssuers = false } = log
  if (proof === undefined) return { ...NOTHING, text: 'not shown to be in a log: the kit has no log proof' }
  const isWrong = checks.some(({ check, result }) => check === 'receipt_is_logged' && result === 'fail')
  if (!proof.ok || isWrong) return { ...NOTHING, text: 'the log proof is not valid' }
  const { index, checkpoint } = proof.value
  const { origin, size } = checkpoint
  const named = { ...NOTHING, origin, index, size }
  if (policy === undefined || status === undefined) {
    const text = `not confirmed: the log proof names the log ${origin}, but its signature and its witnesses were not checked, because no policy was given`
    return { ...named, text }
  }
  if (status.is !== 'signed')
    return {
      ...named,
      text: `not confirmed: the log proof names the log ${origin}, which ${isIssuers ? 'the issuer does not' : 'your policy does not'} name`,
    }
  return {
    ...named,
    text: `in the log ${logName(origin, issuer)}${confirmation(log, status, `entry ${index + 1} of ${size}`)}`,
    since: status.since === undefined ? null : isoTime(status.since),
    witnesses: { cosigned: cosignersOf(status), total: policy.witnesses.length },
  }
}

function confirmation({ proof, policy, isIssuers }: LogFacts, status: SignedStatus, entry: string): string {
  const reason = isIssuers === true ? 'the issuer names none' : 'you have named none'
  const named = isIssuers === true ? ' that the issuer names' : ''
  const cosigned = cosignersOf(status).length
  const total = policy?.witnesses.length ?? 0
  const seen = `${seenText(cosigned, total)}${named}`
  if (status.since !== undefined) return ` since ${readableTime(status.since)}, ${seen}`
  const hasOthers = proof?.ok === true && proof.value.checkpoint.signatures.length > 1
  if (total === 0 && hasOthers) return `, ${entry}; witnesses were not checked, because ${reason}`
  if (cosigned === 0) return `, ${entry}; no witness has confirmed it`
  return status.quorumMet ? `, ${entry}, ${seen}` : `, ${entry}, but only ${seen}`
}

const cosignersOf = ({ cosigned }: SignedStatus): readonly string[] => [
  ...new Set(cosigned.map(({ name }) => name)),
]

/** The issuer, if the log is named after it: host and path, and `/log`. */
function logName(origin: string, issuer = ''): string {
  return `${issuer.replace(/^https?:\/\//, '').replace(/\/+$/, '')}/log` === origin ? `of ${issuer}` : origin
}

type SignedStatus = Extract<CheckpointStatus, { is: 'signed' }>

/** `2 of 3 witnesses cosigned`, after a sentence about the policy. */
export function cosignedText({ cosigned }: SignedStatus, { witnesses }: LogPolicy): string {
  return witnesses.length === 0
    ? 'it names no witnesses'
    : `${cosigned.length} of ${witnesses.length} witnesses cosigned`
}

/** The same, and when the quorum was met. */
export function quorumText(status: SignedStatus, policy: LogPolicy): string {
  const cosigned = cosignedText(status, policy)
  return status.since === undefined ? cosigned : `${cosigned}; the quorum was met at ${isoTime(status.since)}`
}

/** `seen by 2 of 3 witnesses`. */
export function seenText(cosigned: number, total: number): string {
  return `seen by ${cosigned} of ${total} ${total === 1 ? 'witness' : 'witnesses'}`
}
