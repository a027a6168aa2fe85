import { BOUNDARY } from '../contract.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/strict-json.ts'
import type { Host } from '../host.ts'
import {
  identifier,
  instant,
  literal,
  nonEmptyString,
  type Parsed,
  parseObject,
  type Rule,
  sha256Text,
} from '../parsing.ts'
import { type AuditEvent, hashOfMembers } from './audit-event.ts'
import { type AuditHead, parseAuditHead } from './audit-head.ts'

export const CUSTODY_VERSION = 'kitseal-custody-1'

export const CUSTODY_STATEMENT =
  'Every event of this kit that the service recorded in the audit log of the workspace, up to the head. What happened ' +
  'outside the service is not recorded. Compare it with an export of the audit log: kitseal audit verify --custody.'

/** Every event of a kit in the audit log of its workspace, with the head of that log. */
export interface CustodyRecord {
  readonly custody_version: typeof CUSTODY_VERSION
  readonly kit_id: string
  readonly job_id: string
  /** Null for a kit of an intake job. */
  readonly submission_id: string | null
  readonly issuer: string
  readonly issued_at: string
  readonly receipt_sha256: string
  readonly manifest_sha256: string
  readonly kit_zip_sha256: string
  /** The position of the receipt in the transparency log. */
  readonly log_index: number
  readonly made_at: string
  /** As in an export, oldest first. */
  readonly events: readonly AuditEvent[]
  readonly head: AuditHead
  readonly statement: string
  readonly boundary: string
}

/**
 * Whether an event is about a kit, its job or its submission, or names the kit.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { concernsKit } from '@kitseal/kit'
 *
 * const ids = { kit_id: 'kit_a', job_id: 'job_a', submission_id: 'sub_a' }
 * assert.ok(concernsKit({ subject: 'shr_a', details: { kit_id: 'kit_a' } }, ids))
 * assert.ok(!concernsKit({ subject: 'sub_b', details: {} }, ids))
 * ```
 */
export function concernsKit(
  event: { readonly subject?: unknown; readonly details?: unknown },
  { kit_id, job_id, submission_id }: Pick<CustodyRecord, 'kit_id' | 'job_id' | 'submission_id'>,
): boolean {
  const { subject, details } = event
  const named = isJsonObject(details as JsonValue) ? (details as JsonObject)['kit_id'] : undefined
  return (
    named === kit_id ||
    subject === kit_id ||
    subject === job_id ||
    (subject === submission_id && submission_id !== null)
  )
}

/**
 * Parses a custody record. Nothing in it is verified: use verifyAuditLog() with it.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseCustodyRecord } from '@kitseal/kit'
 *
 * assert.equal(parseCustodyRecord({ custody_version: 'kitseal-custody-1' }).ok, false)
 * ```
 */
export function parseCustodyRecord(value: JsonValue): Parsed<CustodyRecord> {
  return parseObject<CustodyRecord>('the custody record', value, RECORD)
}

const isEvent = (value: JsonValue): boolean =>
  isJsonObject(value) && typeof value['seq'] === 'number' && typeof value['hash'] === 'string'

const events: Rule = (value) =>
  Array.isArray(value) && value.every(isEvent) ? undefined : 'must be a list of events'

const head: Rule = (value) => {
  const parsed = parseAuditHead(value)
  return parsed.ok ? undefined : `is not a head: ${parsed.problems.join('; ')}`
}

const position: Rule = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : 'must be a number from 0'

const RECORD: Readonly<Record<string, Rule>> = {
  custody_version: literal(CUSTODY_VERSION),
  kit_id: identifier,
  job_id: identifier,
  submission_id: (value) => (value === null ? undefined : identifier(value)),
  issuer: nonEmptyString,
  issued_at: instant,
  receipt_sha256: sha256Text,
  manifest_sha256: sha256Text,
  kit_zip_sha256: sha256Text,
  log_index: position,
  made_at: instant,
  events,
  head,
  statement: literal(CUSTODY_STATEMENT),
  boundary: literal(BOUNDARY),
}

/** What is wrong with the events themselves, without the log that they come from. */
export function* problemsOf(record: CustodyRecord, { digest }: Host): Generator<string> {
  let last = 0
  for (const event of record.events) {
    const { hash, ...members } = event
    if (hashOfMembers({ ...members } as JsonObject, digest) !== hash)
      yield `event ${event.seq} does not match its hash`
    if (event.seq <= last || event.seq > record.head.count) yield `event ${event.seq} is out of order`
    if (!concernsKit(event, record)) yield `event ${event.seq} is not about this kit`
    last = event.seq
  }
}

/** Compares a record with the events of an export, one after the other. */
export function comparing(record: CustodyRecord) {
  const waiting = new Map(
    record.events.map((event) => [event.seq, canonicalJson({ ...event } as unknown as JsonValue)]),
  )
  const problems: string[] = []
  return {
    see: (event: JsonObject): void => {
      const seq = Number(event['seq'])
      if (seq > record.head.count || !concernsKit(event, record)) return
      const recorded = waiting.get(seq)
      waiting.delete(seq)
      if (recorded === undefined) problems.push(`event ${seq} is missing from the custody record`)
      else if (recorded !== canonicalJson(event))
        problems.push(`event ${seq} is another one in the audit log`)
    },
    end: (): readonly string[] => [
      ...problems,
      ...[...waiting.keys()].map((seq) => `event ${seq} is not in the audit log`),
    ],
  }
}
