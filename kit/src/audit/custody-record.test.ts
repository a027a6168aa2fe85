import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofOf, testLogKey, testWitness } from '../../test/make-log.ts'
import { nodeHost } from '../../node/index.ts'
import { BOUNDARY } from '../contract.ts'
import type { JsonValue } from '../encoding/strict-json.ts'
import { fromUtf8, utf8 } from '../encoding/utf8.ts'
import { leafBytes } from '../log/leaf.ts'
import { vkey } from '../log/note-key.ts'
import { parsePolicy } from '../log/tlog-policy.ts'
import { type AuditEvent, auditEventHash, auditTag } from './audit-event.ts'
import { AUDIT_VERSION, type AuditHead, auditLeaf, auditLine } from './audit-head.ts'
import {
  concernsKit,
  CUSTODY_STATEMENT,
  CUSTODY_VERSION,
  type CustodyRecord,
  parseCustodyRecord,
} from './custody-record.ts'
import { type AuditOptions, verifyAuditLog, verifyCustodyRecord } from './verify-audit-log.ts'

const { digest } = nodeHost
const log = testLogKey('issuer.example/log')
const witness = testWitness('witness.example')
const policy = parsePolicy(utf8(`log ${vkey(log.key)}\nwitness w ${vkey(witness.key)}\nquorum w\n`), digest)

const IDS = { kit_id: 'kit_a', job_id: 'job_a', submission_id: 'sub_a' }
const EVENTS = [
  ['workspace.created', 'wsp_a', {}],
  ['submission.created', 'sub_a', { job_id: 'job_a' }],
  ['submission.created', 'sub_b', { job_id: 'job_b' }],
  ['submission.passed', 'sub_a', { kit_id: 'kit_a' }],
  ['share.downloaded', 'shr_a', { kit_id: 'kit_a', name: 'kit.zip' }],
  ['share.downloaded', 'shr_b', { kit_id: 'kit_b', name: 'kit.zip' }],
  ['deliverable.downloaded', 'kit_a', { name: 'kit.zip' }],
] as const

/** The audit log of a workspace, and its head after so many events. */
const audit_tag = auditTag('wsp_a', 'a random secret', digest)
let prev = audit_tag
const events = EVENTS.map(([action, subject, details], index): AuditEvent => {
  const event = {
    seq: index + 1,
    prev,
    at: `2026-01-31T12:00:0${index}.000Z`,
    actor: 'service',
    key_id: null,
    member_id: null,
    action,
    subject,
    details,
  }
  prev = auditEventHash(event, digest)
  return Object.assign(event, { hash: prev })
})
function headAt(count: number): AuditHead {
  const head = { audit_tag, count, head: events[count - 1]!.hash }
  const proof = proofOf(leafBytes(auditLeaf(head)), { index: 2, size: 5, log, witnesses: [witness] })
  return { audit_version: AUDIT_VERSION, ...head, log_proof: fromUtf8(proof) ?? '' }
}
const exported = (count = events.length) => [
  utf8([...events.slice(0, count).map(auditLine), auditLine(headAt(count))].join('')),
]

const custody: CustodyRecord = {
  custody_version: CUSTODY_VERSION,
  ...IDS,
  issuer: 'https://issuer.example',
  issued_at: '2026-01-31T12:00:03.000Z',
  receipt_sha256: '0'.repeat(64),
  manifest_sha256: '1'.repeat(64),
  kit_zip_sha256: '2'.repeat(64),
  log_index: 4,
  made_at: '2026-01-31T12:00:09.000Z',
  events: events.slice(0, 6).filter((event) => concernsKit(event, IDS)),
  head: headAt(6),
  statement: CUSTODY_STATEMENT,
  boundary: BOUNDARY,
}

const verify = (record: CustodyRecord, count?: number, options: AuditOptions = { policy }) =>
  verifyAuditLog(exported(count), { ...options, custody: record }, nodeHost)
const problems = async (record: CustodyRecord, count?: number) => {
  const { status, errors } = await verify(record, count)
  assert.equal(status, 'FAIL')
  return errors
}

test('a custody record with every event of its kit up to its head is confirmed by an export', async () => {
  assert.deepEqual(
    custody.events.map(({ seq }) => seq),
    [2, 4, 5],
  )
  assert.equal((await verify(custody)).verdict, 'verified')
  assert.equal((await verify(custody, 6)).verdict, 'verified')
  assert.equal((await verify(custody, 7, {})).verdict, 'log_unconfirmed')
})

test('an event that was left out, added or changed is found', async () => {
  const [first, ...rest] = custody.events
  assert.deepEqual(await problems({ ...custody, events: rest }), [
    'custody_mismatch: event 2 is missing from the custody record',
  ])
  const changed = { ...first!, at: '2026-01-01T00:00:00.000Z' }
  const { hash: _, ...members } = changed
  const rehashed = { ...members, hash: auditEventHash(members, digest) }
  assert.deepEqual(await problems({ ...custody, events: [rehashed, ...rest] }), [
    'custody_mismatch: event 2 is another one in the audit log',
  ])
  assert.match(
    (await problems({ ...custody, events: [changed, ...rest] })).join('\n'),
    /does not match its hash/,
  )
  const other = [...custody.events, events[5]!]
  assert.match((await problems({ ...custody, events: other })).join('\n'), /event 6 is not about this kit/)
  const reordered = custody.events.toReversed()
  assert.match((await problems({ ...custody, events: reordered })).join('\n'), /out of order/)
})

test('a custody record of another audit log, or one that is newer than the export, is not confirmed', async () => {
  assert.match((await problems(custody, 5)).join('\n'), /the file ends at event 5/)
  const foreign = { ...custody.head, audit_tag: auditTag('wsp_b', 'another', digest) }
  assert.match((await problems({ ...custody, head: foreign })).join('\n'), /belongs to another audit log/)
  const forged = { ...custody.head, head: '0'.repeat(64) }
  assert.match(
    (await problems({ ...custody, head: forged })).join('\n'),
    /event 6 is not the one in the head/,
  )
})

test('without an export a custody record is not compared, and never passes', async () => {
  const alone = await verifyCustodyRecord(custody, { policy }, nodeHost)
  assert.deepEqual([alone.status, alone.verdict, alone.errors], ['FAIL', 'not_compared', []])
  const result = alone.checks.find(({ check }) => check === 'custody_is_complete')
  assert.deepEqual([result?.result, result?.why], ['not_run', 'not compared with an export of the audit log'])
  const [first, ...rest] = custody.events
  const changed = { ...custody, events: [{ ...first!, actor: 'member' }, ...rest] }
  assert.equal((await verifyCustodyRecord(changed, { policy }, nodeHost)).verdict, 'altered')
})

test('a custody record has exactly its members', () => {
  const json = JSON.parse(JSON.stringify(custody)) as Record<string, JsonValue>
  assert.ok(parseCustodyRecord(json).ok)
  for (const name of Object.keys(json)) {
    const { [name]: _, ...rest } = json
    assert.ok(!parseCustodyRecord(rest).ok, name)
  }
  for (const wrong of [
    { extra: 1 },
    { log_index: -1 },
    { events: [1] },
    { head: {} },
    { boundary: 'certified' },
  ])
    assert.ok(!parseCustodyRecord({ ...json, ...wrong }).ok, JSON.stringify(wrong))
})
