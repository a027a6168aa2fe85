import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../../node/internal.ts'
import { keySetOf, makeKit, testSigner } from '../../test/make-kit.ts'
import { type NoteSigner, proofOf, testLogKey, testWitness } from '../../test/make-log.ts'
import {
  leafBytes,
  LOG_PROOF_PATH,
  type LogPolicy,
  parsePolicy,
  receiptLeaf,
  storedKit,
  type Trust,
  trustKeys,
  utf8,
  type VerificationReport,
  verifyKit,
  vkey,
} from '../internal.ts'

const log = testLogKey('issuer.example/log')
const otherLog = testLogKey('other.example/log')
const witnesses = ['w1.example', 'w2.example', 'w3.example'].map(testWitness)
const TIME = Date.UTC(2026, 2, 4, 5, 6, 8) / 1000

function policyOf(quorum: string, { key } = log, count = 3): LogPolicy {
  const named = witnesses.slice(0, count).map((witness, at) => `witness w${at + 1} ${vkey(witness.key)}\n`)
  return parsePolicy(utf8(`log ${vkey(key)}\n${named.join('')}${quorum}\n`), nodeHost.digest)
}

/** A kit with the cosignatures of these witnesses, or without a log proof. */
async function verify(
  trust: Partial<Trust>,
  cosigners: readonly NoteSigner[] | undefined = [],
  { signer = log, hasProof = true } = {},
): Promise<VerificationReport> {
  const { contents, sealed } = await makeKit()
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const proof = proofOf(leaf, { index: 2, size: 5, log: signer, witnesses: cosigners, time: TIME })
  const files = hasProof ? new Map(contents).set(LOG_PROOF_PATH, proof) : new Map(contents)
  const listed = [...files].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  const open = async function* (path: string): AsyncGenerator<Uint8Array> {
    yield files.get(path)!
  }
  const keys = trustKeys(keySetOf(testSigner()))
  return verifyKit(storedKit(listed, open, nodeHost), { ...keys, ...trust }, nodeHost)
}

const two = 'group g 2 w1 w2 w3\nquorum g'
const ISSUER = 'https://issuer.example'

for (const [what, text, trust, cosigners] of [
  [
    'a quorum',
    `in the log of ${ISSUER} since 2026-03-04 05:06:08 UTC, seen by 2 of 3 witnesses`,
    { logPolicy: policyOf(two) },
    witnesses.slice(1),
  ],
  [
    'fewer witnesses than the policy asks for',
    `in the log of ${ISSUER}, entry 3 of 5, but only seen by 1 of 3 witnesses`,
    { logPolicy: policyOf(two) },
    witnesses.slice(2),
  ],
  [
    'no witness',
    `in the log of ${ISSUER}, entry 3 of 5; no witness has confirmed it`,
    { logPolicy: policyOf(two) },
    [],
  ],
  [
    'a policy without a quorum',
    `in the log of ${ISSUER}, entry 3 of 5, seen by 1 of 1 witness`,
    { logPolicy: policyOf('quorum none', log, 1) },
    witnesses.slice(0, 1),
  ],
  [
    'a policy without witnesses',
    `in the log of ${ISSUER}, entry 3 of 5; no witness has confirmed it`,
    { logPolicy: policyOf('quorum none', log, 0) },
    [],
  ],
  [
    'witnesses that the policy does not name',
    `in the log of ${ISSUER}, entry 3 of 5; witnesses were not checked, because you have named none`,
    { logPolicy: policyOf('quorum none', log, 0) },
    witnesses,
  ],
  [
    'no policy',
    'not confirmed: the log proof names the log issuer.example/log, but its signature and its witnesses were not checked, because no policy was given',
    {},
    witnesses,
  ],
  [
    'another log',
    'not confirmed: the log proof names the log issuer.example/log, which your policy does not name',
    { logPolicy: policyOf('quorum none', otherLog) },
    [],
  ],
] as const) {
  test(`one line says what the log adds, with ${what}`, async () => {
    const { log: report } = await verify(trust, cosigners)
    assert.equal(report?.text, text)
    assert.deepEqual([report.origin, report.index, report.size], ['issuer.example/log', 2, 5])
  })
}

test("on the issuer's own page, the words say who names the witnesses", async () => {
  const policy = policyOf('quorum none')
  const trust = { logs: [{ issuer: ISSUER, policy, isIssuers: true }] }
  const { log: report, status, checks } = await verify(trust, witnesses)
  assert.equal(status, 'PASS')
  assert.equal(checks.at(-1)?.result, 'not_run', 'there is no policy of the reader to meet')
  assert.equal(
    report?.text,
    `in the log of ${ISSUER}, entry 3 of 5, seen by 3 of 3 witnesses that the issuer names`,
  )
})

test('the report has the time of the quorum and the witnesses that cosigned', async () => {
  const { log: report } = await verify({ logPolicy: policyOf(two) }, witnesses.slice(1))
  assert.equal(report?.since, '2026-03-04T05:06:08.000Z')
  assert.deepEqual(report.witnesses, { cosigned: ['w2', 'w3'], total: 3 })
})

test('a log that is not named after the issuer is named by its origin', async () => {
  const { log: report } = await verify({ logPolicy: policyOf('quorum none', otherLog) }, [], {
    signer: otherLog,
  })
  assert.equal(report?.text, 'in the log other.example/log, entry 3 of 5; no witness has confirmed it')
})

const pinned = (signer = log, more = {}) => ({
  logs: [{ issuer: ISSUER, policy: policyOf('quorum none', signer, 0), ...more }],
})

test('a pinned log confirms its own proofs, and rejects those of another key', async () => {
  assert.equal((await verify(pinned())).verdict, 'verified')
  const { status, errors } = await verify(pinned(otherLog))
  assert.equal(status, 'FAIL')
  assert.match(errors.join('\n'), /^log_unknown: /)
})

test('a pinned log counts only for kits of its issuer, and not beside a given policy', async () => {
  const policy = policyOf('quorum none', otherLog)
  assert.equal((await verify({ logs: [{ issuer: 'https://other.example', policy }] })).status, 'PASS')
  const given = { ...pinned(otherLog), logPolicy: policyOf('quorum none') }
  assert.equal((await verify(given)).status, 'PASS')
})

test("under a pinned log, a kit whose log proof was removed fails, unless the policy is the issuer's own", async () => {
  const { status, errors, log: report } = await verify(pinned(), [], { hasProof: false })
  assert.equal(status, 'FAIL')
  assert.match(errors.join('\n'), /^log_proof_missing: /)
  assert.equal(report?.text, 'not shown to be in a log: the kit has no log proof')
  const optional = await verify(pinned(log, { isIssuers: true }), [], { hasProof: false })
  assert.equal(optional.status, 'PASS')
  assert.equal(optional.log, undefined)
})
