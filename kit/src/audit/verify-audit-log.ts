import { textOf } from '../texts/english.ts'
import { BOUNDARY } from '../receipt.ts'
import { copyInput, utf8 } from '../encoding/bytes.ts'
import type { Host } from '../host.ts'
import { LogFormatError } from '../log/note.ts'
import { parsedOr } from '../parsing.ts'
import type { LogPolicy } from '../log/tlog-policy.ts'
import { parseTlogProof, provesLeaf, type TlogProof } from '../log/tlog-proof.ts'
import { type CheckpointStatus, verifyCheckpoint } from '../log/checkpoint.ts'
import { quorumText, tooFewText } from '../log/verify-log.ts'
import type { CheckResult } from '../report.ts'
import {
  type AuditHead,
  auditLeaf,
  auditTag,
  hashOfMembers,
  parseAuditHead,
  readAuditLines,
} from './audit-log.ts'

/** Every way in which verifying an audit log can fail. docs/reference/audit-log.md says what each means. */
type AuditErrorCode =
  | 'audit_line_malformed'
  | 'audit_event_missing'
  | 'audit_event_changed'
  | 'audit_head_missing'
  | 'audit_head_mismatch'
  | 'log_proof_malformed'
  | 'log_proof_mismatch'
  | 'log_signature_invalid'
  | 'log_unknown'
  | 'log_quorum_not_met'

export interface AuditReport {
  readonly status: 'PASS' | 'FAIL'
  /** `log_unconfirmed`: complete up to its head, but without a policy anyone could have made the head. */
  readonly verdict: 'verified' | 'log_unconfirmed' | 'altered'
  readonly events: number
  readonly head: AuditHead | null
  /** `code: text` */
  readonly errors: readonly string[]
  readonly checks: readonly CheckResult[]
  readonly boundary: string
}

export interface AuditOptions {
  readonly policy?: LogPolicy | undefined
  /** A head that the reader has from elsewhere. The file must contain at least its events. */
  readonly head?: AuditHead | undefined
}

/**
 * Verifies an exported audit log: JSON Lines of all events from the first, and the head. Reports every failure.
 */
export async function verifyAuditLog(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: AuditOptions,
  host: Host,
): Promise<AuditReport> {
  const { policy, head: given } = copyInput(options)
  const errors: string[] = []
  const chain = await readChain(chunks, given, errors, host)
  const head = given !== undefined && given.count >= (chain.head?.count ?? 0) ? given : chain.head
  const broken = errors.length
  for (const each of new Set([chain.head, given])) if (each !== undefined) compare(chain, each, errors, host)
  if (chain.head === undefined && given === undefined)
    add(
      errors,
      'audit_head_missing',
      'the file does not end with a head. Export it again, or pass a head with --head',
    )
  const complete = errors.length === broken
  const logged = head === undefined ? undefined : await checkProof(head, policy, errors, host)
  const failed = errors.length > 0
  const confirmed = policy !== undefined && logged?.status?.is === 'signed'
  return {
    status: failed || !confirmed ? 'FAIL' : 'PASS',
    verdict: failed ? 'altered' : confirmed ? 'verified' : 'log_unconfirmed',
    events: chain.count,
    head: head ?? null,
    errors,
    checks: [
      check('events_are_chained', broken === 0, `${chain.count} events`),
      check('events_lead_to_head', complete, head === undefined ? undefined : `event ${head.count}`),
      ...logChecks(head, logged, policy),
    ],
    boundary: BOUNDARY,
  }
}

const GUARANTEES = {
  events_are_chained: 'No event was removed, changed or reordered',
  events_lead_to_head: 'The newest events are there too',
  head_is_logged: 'The head is in the transparency log that the proof names',
  log_is_witnessed: 'The log and its witnesses meet your policy',
} as const

const check = (name: keyof typeof GUARANTEES, passed: boolean | undefined, why?: string): CheckResult => ({
  check: name,
  guarantee: GUARANTEES[name],
  result: passed === undefined ? 'not_run' : passed ? 'pass' : 'fail',
  ...(why === undefined || passed === false ? {} : { why }),
})

/** More are not listed. */
const MAX_ERRORS = 1000

function add(errors: string[], code: AuditErrorCode, text: string): void {
  if (errors.length < MAX_ERRORS) errors.push(`${code}: ${text}`)
}

interface Chain {
  readonly count: number
  /** `prev` of the first event. */
  readonly tag: string | undefined
  /** Hash of the newest event, and of the one that the given head names. */
  readonly last: string | undefined
  readonly given: string | undefined
  readonly head: AuditHead | undefined
}

async function readChain(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  given: AuditHead | undefined,
  errors: string[],
  { digest }: Host,
): Promise<Chain> {
  let [number, count] = [0, 0]
  let tag: string | undefined
  let last: string | undefined
  let hashOfGiven: string | undefined
  let head: AuditHead | undefined
  for await (const line of readAuditLines(chunks)) {
    number += 1
    const where = `line ${number}`
    if (head !== undefined) add(errors, 'audit_line_malformed', `${where} follows the head`)
    if (typeof line === 'string') {
      add(errors, 'audit_line_malformed', `${where} ${line}`)
      continue
    }
    if (Object.hasOwn(line, 'audit_version')) {
      const parsed = parseAuditHead(line)
      if (parsed.ok) head = parsed.value
      else add(errors, 'audit_line_malformed', `${where}: ${parsed.problems.join('; ')}`)
      continue
    }
    const { hash, ...members } = line
    const { seq, prev } = members
    if (typeof seq !== 'number' || typeof prev !== 'string' || typeof hash !== 'string') {
      add(errors, 'audit_line_malformed', `${where} has no seq, prev or hash`)
      continue
    }
    if (seq !== count + 1) add(errors, 'audit_event_missing', missingText(where, seq, count))
    else if (last !== undefined && prev !== last)
      add(errors, 'audit_event_changed', `event ${seq} does not follow the event before it`)
    if (hashOfMembers(members, digest) !== hash)
      add(errors, 'audit_event_changed', `event ${seq} does not match its hash`)
    if (count === 0) tag = prev
    count = seq
    last = hash
    if (given?.count === seq) hashOfGiven = hash
  }
  return { count, tag, last, given: hashOfGiven, head }
}

const missingText = (where: string, seq: number, count: number): string =>
  seq > count + 1
    ? `${where} is event ${seq}, and ${seq === count + 2 ? `event ${count + 1} is` : `events ${count + 1} to ${seq - 1} are`} missing`
    : `${where} is event ${seq}, which is out of order`

function compare(
  { count, tag, last, given, head: own }: Chain,
  head: AuditHead,
  errors: string[],
  { digest }: Host,
): void {
  if (count < head.count)
    add(errors, 'audit_head_mismatch', `the head is event ${head.count}, and the file ends at event ${count}`)
  else if (head === own && count > head.count)
    add(errors, 'audit_head_mismatch', `the file has events after its head, which is event ${head.count}`)
  else if ((head === own ? last : given) !== head.head)
    add(errors, 'audit_head_mismatch', `event ${head.count} is not the one in the head`)
  if (tag !== undefined && tag !== head.audit_tag)
    add(errors, 'audit_head_mismatch', 'the head belongs to another audit log')
  const { workspace_id: workspaceId, audit_secret: secret } = head
  if (
    workspaceId !== undefined &&
    secret !== undefined &&
    auditTag(workspaceId, secret, digest) !== head.audit_tag
  )
    add(errors, 'audit_head_mismatch', 'the audit tag of the head is not that of its workspace and secret')
}

/** Undefined without a valid proof. The status is undefined without a policy. */
type Logged =
  | { readonly proof: TlogProof; readonly included: boolean; readonly status: CheckpointStatus | undefined }
  | undefined

async function checkProof(
  head: AuditHead,
  policy: LogPolicy | undefined,
  errors: string[],
  host: Host,
): Promise<Logged> {
  const parsed = parsedOr(LogFormatError, () => parseTlogProof(utf8(head.log_proof)))
  if (!parsed.ok) {
    add(errors, 'log_proof_malformed', parsed.problems.join('; '))
    return undefined
  }
  const proof = parsed.value
  const { origin } = proof.checkpoint
  const included = provesLeaf(proof, auditLeaf(head), host.digest)
  if (!included)
    add(
      errors,
      'log_proof_mismatch',
      `the log proof does not lead from the head to the root hash of ${origin}`,
    )
  const status = policy === undefined ? undefined : await verifyCheckpoint(proof.checkpoint, policy, host)
  if (status?.is === 'forged')
    add(errors, 'log_signature_invalid', `the signature of ${status.signer} is not valid`)
  if (status?.is === 'unknown_log')
    add(errors, 'log_unknown', `no log in the policy signed the checkpoint of ${origin}`)
  if (policy !== undefined && status?.is === 'signed' && !status.quorumMet)
    add(errors, 'log_quorum_not_met', textOf(tooFewText(status, policy)))
  return { proof, included, status }
}

function logChecks(
  head: AuditHead | undefined,
  logged: Logged,
  policy: LogPolicy | undefined,
): readonly CheckResult[] {
  if (logged === undefined)
    return [
      check('head_is_logged', head === undefined ? undefined : false, 'there is no head'),
      check('log_is_witnessed', undefined, 'there is no valid log proof'),
    ]
  const { proof, included, status } = logged
  const where = `entry ${proof.index + 1} of the log ${proof.checkpoint.origin}, which then had ${proof.checkpoint.size} entries`
  const isSigned = status?.is === 'signed'
  return [
    check('head_is_logged', included && status?.is !== 'forged', where),
    policy === undefined
      ? check('log_is_witnessed', undefined, 'no log policy was given')
      : check(
          'log_is_witnessed',
          isSigned && status.quorumMet,
          isSigned ? textOf(quorumText(status, policy)) : undefined,
        ),
  ]
}
