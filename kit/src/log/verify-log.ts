import { type Reason, reason, type Why } from '../texts/english.ts'
import type { ProofFile } from '../envelope.ts'
import type { Host } from '../host.ts'
import { type Parsed, parsedOr } from '../parsing.ts'
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
import { failure, type Finding, finding } from '../verdicts.ts'
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
  return parsedOr(LogFormatError, () => parseTlogProof(file))
}

/** The input of the checks of a log proof. */
interface LoggedReceipt {
  readonly receipt: Parsed<Receipt>
  readonly log?: LogFacts | undefined
  readonly host: Host
}

export const receiptIsLogged: Check<LoggedReceipt> = {
  check: 'receipt_is_logged',
  run({ log, receipt, host }) {
    if (log?.proof === undefined) return notRun(reason('reason.noProof'))
    if (!log.proof.ok)
      return outcome(log.proof.problems.map((problem) => finding('log_proof_malformed', problem)))
    if (!receipt.ok) return notRun(reason('reason.noReceipt'))
    const findings: Finding[] = []
    const { index, checkpoint } = log.proof.value
    if (!provesReceipt(log.proof.value, receipt.value, host.digest)) {
      findings.push(failure('log_proof_mismatch', 'reason.otherProof', { log: checkpoint.origin }))
    }
    if (log.status?.is === 'forged')
      findings.push(finding('log_signature_invalid', `the signature of ${log.status.signer} is not valid`))
    if (findings.length > 0) return outcome(findings)
    // A proof that fits together can be made by anyone, with the name of any log.
    if (log.status?.is !== 'signed')
      return notRun(
        log.policy === undefined
          ? reason('reason.fits', { log: checkpoint.origin })
          : `the log proof fits, but no log in the policy signed the checkpoint of ${checkpoint.origin}`,
      )
    return passWith(
      reason('reason.entry', { entry: index + 1, log: checkpoint.origin, size: checkpoint.size }),
    )
  },
}

export const logIsWitnessed: Check<LoggedReceipt> = {
  check: 'log_is_witnessed',
  run({ log }) {
    if (log?.policy === undefined) return notRun(reason('reason.noLogPolicy'))
    const { proof, status, policy } = log
    if (proof === undefined)
      return outcome([finding('log_proof_missing', 'the policy asks for a log proof, and there is none')])
    if (!proof.ok || status === undefined) return notRun('there is no valid log proof')
    if (status.is === 'forged') return notRun('a signature in the log proof is not valid')
    if (status.is === 'unknown_log') {
      const text = `no log in the policy signed the checkpoint of ${proof.value.checkpoint.origin}`
      return outcome([finding('log_unknown', text)])
    }
    if (log.isIssuers === true) return notRun(reason('reason.issuersLog'))
    if (!status.quorumMet) return outcome([finding('log_quorum_not_met', tooFewText(status, policy))])
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
  if (proof === undefined) return { ...NOTHING, ...withText(reason('reason.notLogged')) }
  const isWrong = checks.some(({ check, result }) => check === 'receipt_is_logged' && result === 'fail')
  if (!proof.ok || isWrong) return { ...NOTHING, text: 'the log proof is not valid' }
  const { index, checkpoint } = proof.value
  const { origin, size } = checkpoint
  const named = { ...NOTHING, origin, index, size }
  if (policy === undefined || status === undefined) {
    return { ...named, ...withText(reason('reason.unchecked', { log: origin })) }
  }
  if (status.is !== 'signed')
    return {
      ...named,
      text: `not confirmed: the log proof names the log ${origin}, which ${isIssuers ? 'the issuer does not' : 'your policy does not'} name`,
    }
  return {
    ...named,
    ...withText(placed(log, status, origin, isNamedAfter(origin, issuer) ? issuer : undefined)),
    since: status.since === undefined ? null : isoTime(status.since),
    witnesses: { cosigned: cosignersOf(status), total: policy.witnesses.length },
  }
}

/** Where the receipt is in the log, and who has seen it. `issuer`: the log is named after it. */
function placed(
  { proof, policy, isIssuers = false }: LogFacts,
  status: SignedStatus,
  origin: string,
  issuer: string | undefined,
): Why {
  const cosigned = cosignersOf(status).length
  const total = policy?.witnesses.length ?? 0
  const seen = seenText(cosigned, total, isIssuers)
  const at = proof?.ok === true ? proof.value : undefined
  const entry = { entry: (at?.index ?? 0) + 1, size: at?.checkpoint.size ?? 0 }
  const log = issuer === undefined ? origin : `of ${issuer}`
  if (status.since !== undefined) {
    const time = readableTime(status.since)
    return issuer === undefined
      ? `in the log ${log} since ${time}, ${seen.text}`
      : reason('reason.since', { log: issuer, time, seen })
  }
  const place = `in the log ${log}, entry ${entry.entry} of ${entry.size}`
  if (total === 0 && (at?.checkpoint.signatures.length ?? 0) > 1)
    return `${place}; witnesses were not checked, because ${isIssuers ? 'the issuer names none' : 'you have named none'}`
  if (cosigned === 0)
    return issuer === undefined
      ? `${place}; no witness has confirmed it`
      : reason('reason.unwitnessed', { log: issuer, ...entry })
  if (status.quorumMet) return `${place}, ${seen.text}`
  return issuer === undefined
    ? `${place}, but only ${seen.text}`
    : reason('reason.onlySeen', { log: issuer, ...entry, seen })
}

const withText = (why: Why): Pick<LogReport, 'text' | 'text_message'> =>
  typeof why === 'string' ? { text: why } : { text: why.text, text_message: { key: why.key, args: why.args } }

const cosignersOf = ({ cosigned }: SignedStatus): readonly string[] => [
  ...new Set(cosigned.map(({ name }) => name)),
]

/** Host and path of the issuer, and `/log`. */
const isNamedAfter = (origin: string, issuer = ''): boolean =>
  `${issuer.replace(/^https?:\/\//, '').replace(/\/+$/, '')}/log` === origin

type SignedStatus = Extract<CheckpointStatus, { is: 'signed' }>

/** `2 of 3 witnesses cosigned`, after a sentence about the policy, and when the quorum was met. */
export function quorumText({ cosigned, since }: SignedStatus, { witnesses }: LogPolicy): Why {
  const count = { cosigned: cosigned.length, total: witnesses.length }
  if (witnesses.length > 0 && since !== undefined)
    return reason('reason.quorum', { ...count, time: isoTime(since) })
  const text =
    witnesses.length === 0
      ? 'it names no witnesses'
      : `${count.cosigned} of ${count.total} witnesses cosigned`
  return since === undefined ? text : `${text}; the quorum was met at ${isoTime(since)}`
}

export function tooFewText({ cosigned }: SignedStatus, { witnesses }: LogPolicy): Why {
  if (witnesses.length === 0) return 'it names no witnesses, which is less than the policy asks for'
  return reason('reason.tooFew', { cosigned: cosigned.length, total: witnesses.length })
}

/** `seen by 2 of 3 witnesses`. */
export function seenText(cosigned: number, total: number, isIssuers = false): Reason {
  return reason(isIssuers ? 'reason.seenNamed' : 'reason.seen', { cosigned, total })
}
