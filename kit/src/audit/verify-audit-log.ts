import { textOf } from '../texts/english.ts'
import { BOUNDARY } from '../receipt.ts'
import { copyInput, utf8 } from '../encoding/bytes.ts'
import type { JsonObject } from '../encoding/strict-json.ts'
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
  type AuditLine,
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
  const errors = errorList()
  const chain = await readChain(chunks, given, errors, host)
  const head = given !== undefined && given.count >= (chain.head?.count ?? 0) ? given : chain.head
  const broken = errors.list.length
  for (const each of new Set([chain.head, given])) if (each !== undefined) compare(chain, each, errors, host)
  if (chain.head === undefined && given === undefined)
    errors.add(
      'audit_head_missing',
      'the file does not end with a head. Export it again, or pass a head with --head',
    )
  const complete = errors.list.length === broken
  const logged = head === undefined ? undefined : await checkProof(head, policy, errors, host)
  const failed = errors.list.length > 0
  const confirmed = policy !== undefined && logged?.status?.is === 'signed'
  return {
    status: failed || !confirmed ? 'FAIL' : 'PASS',
    verdict: failed ? 'altered' : confirmed ? 'verified' : 'log_unconfirmed',
    events: chain.count,
    head: head ?? null,
    errors: errors.list,
    checks: [
      check('events_are_chained', broken === 0, `${chain.count} events`),
      check('events_lead_to_head', complete, head === undefined ? undefined : `event ${head.count}`),
      ...logChecks(logged, policy),
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

/** After this many, the rest is counted. */
const MAX_ERRORS = 1000

interface ErrorList {
  readonly list: string[]
  add(code: AuditErrorCode, text: string): void
}

function errorList(): ErrorList {
  const list: string[] = []
  return {
    list,
    add: (code, text) => {
      if (list.length < MAX_ERRORS) list.push(`${code}: ${text}`)
    },
  }
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
  errors: ErrorList,
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
    if (head !== undefined) errors.add('audit_line_malformed', `${where} follows the head`)
    const value = parsedLine(line, where, errors)
    if (value === undefined) continue
    if (Object.hasOwn(value, 'audit_version')) {
      const parsed = parseAuditHead(value)
      if (parsed.ok) head = parsed.value
      else errors.add('audit_line_malformed', `${where}: ${parsed.problems.join('; ')}`)
      continue
    }
    const { hash, ...members } = value
    const { seq, prev } = members
    if (typeof seq !== 'number' || typeof prev !== 'string' || typeof hash !== 'string') {
      errors.add('audit_line_malformed', `${where} has no seq, prev or hash`)
      continue
    }
    if (seq !== count + 1) errors.add('audit_event_missing', missingText(where, seq, count))
    else if (last !== undefined && prev !== last)
      errors.add('audit_event_changed', `event ${seq} does not follow the event before it`)
    if (hashOfMembers(members, digest) !== hash)
      errors.add('audit_event_changed', `event ${seq} does not match its hash`)
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

function parsedLine(line: AuditLine, where: string, errors: ErrorList): JsonObject | undefined {
  if (line.ok) return line.value
  errors.add('audit_line_malformed', `${where} ${line.problem}`)
  return undefined
}

function compare(
  { count, tag, last, given, head: own }: Chain,
  head: AuditHead,
  errors: ErrorList,
  { digest }: Host,
): void {
  if (count < head.count)
    errors.add('audit_head_mismatch', `the head is event ${head.count}, and the file ends at event ${count}`)
  else if (head === own && count > head.count)
    errors.add('audit_head_mismatch', `the file has events after its head, which is event ${head.count}`)
  else if ((head === own ? last : given) !== head.head)
    errors.add('audit_head_mismatch', `event ${head.count} is not the one in the head`)
  if (tag !== undefined && tag !== head.audit_tag)
    errors.add('audit_head_mismatch', 'the head belongs to another audit log')
  const { workspace_id: workspaceId, audit_secret: secret } = head
  if (
    workspaceId !== undefined &&
    secret !== undefined &&
    auditTag(workspaceId, secret, digest) !== head.audit_tag
  )
    errors.add('audit_head_mismatch', 'the audit tag of the head is not that of its workspace and secret')
}

interface Logged {
  readonly proof: TlogProof | undefined
  readonly included: boolean
  /** Undefined without a policy. */
  readonly status: CheckpointStatus | undefined
}

async function checkProof(
  head: AuditHead,
  policy: LogPolicy | undefined,
  errors: ErrorList,
  host: Host,
): Promise<Logged> {
  const parsed = parsedOr(LogFormatError, () => parseTlogProof(utf8(head.log_proof)))
  if (!parsed.ok) {
    errors.add('log_proof_malformed', parsed.problems.join('; '))
    return { proof: undefined, included: false, status: undefined }
  }
  const proof = parsed.value
  const { origin } = proof.checkpoint
  const included = provesLeaf(proof, auditLeaf(head), host.digest)
  if (!included)
    errors.add(
      'log_proof_mismatch',
      `the log proof does not lead from the head to the root hash of ${origin}`,
    )
  const status = policy === undefined ? undefined : await verifyCheckpoint(proof.checkpoint, policy, host)
  if (status?.is === 'forged')
    errors.add('log_signature_invalid', `the signature of ${status.signer} is not valid`)
  if (status?.is === 'unknown_log')
    errors.add('log_unknown', `no log in the policy signed the checkpoint of ${origin}`)
  if (policy !== undefined && status?.is === 'signed' && !status.quorumMet)
    errors.add('log_quorum_not_met', textOf(tooFewText(status, policy)))
  return { proof, included, status }
}

function logChecks(logged: Logged | undefined, policy: LogPolicy | undefined): readonly CheckResult[] {
  if (logged?.proof === undefined) {
    const isLogged = logged === undefined ? undefined : false
    return [
      check('head_is_logged', isLogged, 'there is no head'),
      check('log_is_witnessed', undefined, 'there is no valid log proof'),
    ]
  }
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
