import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofOf, testLogKey, testWitness } from '../../test/make-log.ts'
import { nodeHost } from '../../node/internal.ts'
import { fromUtf8, utf8 } from '../encoding/bytes.ts'
import { leafBytes } from '../log/leaf.ts'
import { vkey } from '../log/note.ts'
import { parsePolicy } from '../log/tlog-policy.ts'
import { AUDIT_VERSION, auditEventHash, type AuditHead, auditLeaf, auditLine, auditTag } from './audit-log.ts'
import { type AuditOptions, verifyAuditLog } from './verify-audit-log.ts'

const { digest } = nodeHost
const SECRET = 'a random secret'
const log = testLogKey('issuer.example/log')
const witness = testWitness('witness.example')
const policy = parsePolicy(utf8(`log ${vkey(log.key)}\nwitness w ${vkey(witness.key)}\nquorum w\n`), digest)

function headOf(head: Pick<AuditHead, 'audit_tag' | 'count' | 'head'>, witnesses = [witness]): AuditHead {
  const proof = proofOf(leafBytes(auditLeaf(head)), { index: 2, size: 5, log, witnesses })
  return { audit_version: AUDIT_VERSION, ...head, log_proof: fromUtf8(proof) ?? '' }
}

/** An export: its lines, and the head after each event. */
function exported(count: number, workspace = 'wsp_a') {
  const audit_tag = auditTag(workspace, SECRET, digest)
  let prev = audit_tag
  const events: string[] = []
  const heads: AuditHead[] = []
  for (let seq = 1; seq <= count; seq += 1) {
    const event = {
      seq,
      prev,
      at: `2026-01-31T12:00:0${seq}.000Z`,
      actor: 'member',
      key_id: null,
      member_id: 'mem_a',
      action: 'submission.sealed',
      subject: `sub_${seq}`,
      details: { files: seq, label: 'Zürich \u{fffd}' },
    }
    prev = auditEventHash(event, digest)
    events.push(auditLine({ ...event, hash: prev }))
    heads.push(headOf({ audit_tag, count: seq, head: prev }))
  }
  return { events, heads, lines: [...events, auditLine(heads.at(-1)!)] }
}

const verify = (lines: readonly string[], options: AuditOptions = { policy }) =>
  verifyAuditLog([utf8(lines.join(''))], options, nodeHost)
const codesOf = async (lines: readonly string[], options?: AuditOptions) => {
  const { errors, status } = await verify(lines, options)
  assert.equal(status, 'FAIL')
  return [...new Set(errors.map((error) => error.split(':')[0]))]
}

test('an export with a witnessed head is verified, also in small chunks', async () => {
  const { lines } = exported(4)
  const report = await verify(lines)
  assert.deepEqual([report.status, report.verdict, report.events], ['PASS', 'verified', 4])
  assert.deepEqual(
    report.checks.map(({ result }) => result),
    ['pass', 'pass', 'pass', 'pass'],
  )
  const bytes = utf8(lines.join(''))
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.subarray(at * 7, at * 7 + 7),
  )
  assert.equal((await verifyAuditLog(chunks, { policy }, nodeHost)).status, 'PASS')
})

test('without a policy, a complete export is not confirmed', async () => {
  const report = await verify(exported(3).lines, {})
  assert.deepEqual([report.status, report.verdict, report.errors], ['FAIL', 'log_unconfirmed', []])
})

test('a head without its witness, or in another log, does not meet the policy', async () => {
  const { events, heads } = exported(3)
  const { audit_tag, count, head } = heads[2]!
  const unwitnessed = headOf({ audit_tag, count, head }, [])
  assert.deepEqual(await codesOf([...events, auditLine(unwitnessed)]), ['log_quorum_not_met'])
  const other = proofOf(leafBytes(auditLeaf({ audit_tag, count, head })), {
    index: 0,
    size: 1,
    log: testLogKey('other.example/log'),
  })
  const elsewhere = { ...unwitnessed, log_proof: fromUtf8(other) ?? '' }
  assert.deepEqual(await codesOf([...events, auditLine(elsewhere)]), ['log_unknown'])
})

test('every removed, repeated or moved line is found', async () => {
  const { lines } = exported(5)
  for (const at of lines.keys()) {
    assert.equal((await verify(lines.toSpliced(at, 1))).verdict, 'altered', `without line ${at + 1}`)
    assert.equal(
      (await verify(lines.toSpliced(at, 0, lines[at]!))).verdict,
      'altered',
      `line ${at + 1} twice`,
    )
    for (const to of lines.keys()) {
      if (to === at) continue
      const moved = lines.toSpliced(at, 1).toSpliced(to, 0, lines[at]!)
      assert.equal((await verify(moved)).verdict, 'altered', `line ${at + 1} moved to ${to + 1}`)
    }
  }
})

test('every truncation is found', async () => {
  const text = utf8(exported(3).lines.join(''))
  for (let length = 0; length < text.length; length += 1) {
    const { status } = await verifyAuditLog([text.subarray(0, length)], { policy }, nodeHost)
    assert.equal(status, 'FAIL', `${length} bytes`)
  }
})

test('every changed byte is found', async () => {
  const text = utf8(exported(2).lines.join(''))
  for (const [at, byte] of text.entries())
    for (const changed of [byte ^ 1, 0x0a]) {
      if (changed === byte) continue
      const bytes = text.slice()
      bytes[at] = changed
      const { status } = await verifyAuditLog([bytes], { policy }, nodeHost)
      assert.equal(status, 'FAIL', `byte ${at} as ${changed}`)
    }
})

test('events that were rewritten with new hashes do not lead to the logged head', async () => {
  const { lines } = exported(4)
  const forged = exported(4, 'wsp_b').events
  assert.deepEqual(await codesOf([...forged, lines.at(-1)!]), ['audit_head_mismatch'])
  const kept = auditTag('wsp_a', SECRET, digest)
  const rehashed: string[] = []
  let prev = kept
  for (const line of lines.slice(0, 4)) {
    const { hash: _, ...event } = JSON.parse(line) as Parameters<typeof auditEventHash>[0] & { hash: string }
    const changed = { ...event, prev, subject: event.seq === 2 ? 'sub_other' : event.subject }
    prev = auditEventHash(changed, digest)
    rehashed.push(auditLine({ ...changed, hash: prev }))
  }
  assert.deepEqual(await codesOf([...rehashed, lines.at(-1)!]), ['audit_head_mismatch'])
  const forgedHead = { ...(JSON.parse(lines[4]!) as AuditHead), head: prev }
  assert.deepEqual(await codesOf([...rehashed, auditLine(forgedHead)]), ['log_proof_mismatch'])
})

test('the secret in the head must lead from the workspace to its audit tag', async () => {
  const { events, heads } = exported(2)
  const named = (workspace_id: string, audit_secret: string) => [
    ...events,
    auditLine({ ...heads[1]!, workspace_id, audit_secret }),
  ]
  assert.equal((await verify(named('wsp_a', SECRET))).status, 'PASS')
  assert.deepEqual(await codesOf(named('wsp_b', SECRET)), ['audit_head_mismatch'])
  assert.deepEqual(await codesOf(named('wsp_a', 'another')), ['audit_head_mismatch'])
})

test('an older export is found with a newer head from elsewhere', async () => {
  const { events, heads } = exported(4)
  const older = [...events.slice(0, 3), auditLine(heads[2]!)]
  assert.equal((await verify(older)).status, 'PASS')
  assert.deepEqual(await codesOf(older, { policy, head: heads[3]! }), ['audit_head_mismatch'])
  const newer = [...events, auditLine(heads[3]!)]
  assert.equal((await verify(newer, { policy, head: heads[2]! })).status, 'PASS')
  assert.equal((await verify(events, { policy, head: heads[3]! })).status, 'PASS')
  assert.equal((await verify(events.slice(0, 3), { policy, head: heads[3]! })).status, 'FAIL')
})

test('an empty file and other files are FAIL with a reason', async () => {
  assert.deepEqual(await codesOf([]), ['audit_head_missing'])
  assert.deepEqual(await codesOf(['[]\n']), ['audit_line_malformed', 'audit_head_missing'])
  assert.deepEqual(await codesOf(['{"__proto__":1}\n']), ['audit_line_malformed', 'audit_head_missing'])
})
