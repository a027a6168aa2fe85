import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certify, intermediate, pem, root } from '../../test/forge/time/certificates.ts'
import { makeTimeStamp, type TimeStampPlan } from '../../test/forge/time/time-stamp.ts'
import { nodeHost } from '../node/internal.ts'
import { keySetOf, makeKit, openBytes, testSigner, zipBytes } from '../test/make-kit.ts'
import { addLogProof, proofOf, testLogKey, testWitness } from '../test/make-log.ts'
import {
  leafBytes,
  parseCertificates,
  parsePolicy,
  parseTimeStamp,
  parseTlogProof,
  receiptLeaf,
  TIME_STAMP_PATH,
  type Trust,
  trustKeys,
  utf8,
  verdictAdvice,
  type VerificationReport,
  verifyKit,
  vkey,
} from './internal.ts'

const log = testLogKey('issuer.example/log')
const witnesses = ['w1.example', 'w2.example', 'w3.example'].map(testWitness)
const policy = parsePolicy(
  utf8(
    `log ${vkey(log.key)}\n${witnesses.map(({ key }, at) => `witness w${at} ${vkey(key)}`).join('\n')}\ngroup g 2 w0 w1 w2\nquorum g\n`,
  ),
  nodeHost.digest,
)
const roots = parseCertificates(utf8(pem(root)))
const { sealed, contents } = await makeKit()
const logProof = proofOf(leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest)), {
  index: 2,
  size: 5,
  log,
  witnesses: witnesses.slice(0, 2),
})
const checkpoint = utf8(parseTlogProof(logProof).checkpoint.text)
/** The kit was issued at 05:06:07.890. */
const stamp = (plan: TimeStampPlan = {}): Uint8Array =>
  makeTimeStamp(checkpoint, { time: '20260304050609.25Z', optional: [], ...plan })

async function verify(trust: Partial<Trust>, timeStamp = stamp()): Promise<VerificationReport> {
  const logged = addLogProof(sealed, logProof, nodeHost, timeStamp)
  const files = new Map([...contents, ...logged.generated.map(({ path, bytes }) => [path, bytes] as const)])
  const zip = await openBytes(zipBytes(logged, files))
  return verifyKit(zip, { ...trustKeys(keySetOf(testSigner())), ...trust }, nodeHost)
}

const timeCheck = ({ checks }: VerificationReport): string => {
  const found = checks.find(({ check }) => check === 'time_is_confirmed')
  return `${found?.result}: ${found?.why}`
}

test('a confirmed time says who confirms it', async () => {
  const report = await verify({ logPolicy: policy, timePolicy: { roots } })
  assert.equal(report.verdict, 'verified', report.errors.join('\n'))
  assert.equal(
    timeCheck(report),
    'pass: existed before 2026-03-04 05:06:09.250 UTC (time-stamp by Time authority, seen by 2 of 3 witnesses)',
  )
  assert.equal(
    timeCheck(await verify({ logPolicy: policy })),
    'pass: existed before 2026-03-04 05:06:08 UTC (seen by 2 of 3 witnesses)',
  )
  assert.equal(
    timeCheck(await verify({ timePolicy: { roots } })),
    'pass: existed before 2026-03-04 05:06:09.250 UTC (time-stamp by Time authority)',
  )
})

test('without a policy and roots, a valid time-stamp changes nothing', async () => {
  const report = await verify({})
  assert.equal(report.verdict, 'verified')
  assert.equal(timeCheck(report), 'not_run: no policy was given')
})

test('a name that controls the terminal is shown with replacement characters', async () => {
  const by = certify('a\u001b[31m\u202eb', intermediate, {})
  assert.match(timeCheck(await verify({ timePolicy: { roots } }, stamp({ by }))), /time-stamp by a�\[31m�b\)/)
})

test('a time out of bounds names both times and the limit', async () => {
  const late = await verify({ timePolicy: { roots } }, stamp({ time: '20260306000000Z' }))
  assert.deepEqual(late.errors, [
    'time_out_of_bounds: the receipt says that it was issued at 2026-03-04T05:06:07.890Z, more than 24 h before it was first seen, at 2026-03-06T00:00:00.000Z',
  ])
  assert.equal(late.verdict, 'sender_unconfirmed')
  assert.match(verdictAdvice(late), /policy/)
  const early = await verify(
    { timePolicy: { roots, maxDelaySeconds: 90 } },
    stamp({ time: '20260304050107.889Z' }),
  )
  assert.match(early.errors.join(), /more than 5 min after it was seen, at 2026-03-04T05:01:07\.889Z$/)
})

test('a kit older than the compromise of its key is verified, and the result says why', async () => {
  const { kid } = testSigner()
  const revoked = (since: string): Partial<Trust> =>
    trustKeys({
      keys: [],
      refused: [],
      revoked: [{ kid, revoked_at: '2026-04-01T00:00:00.000Z', compromised_since: since }],
    })
  const older = await verify({ ...revoked('2026-03-05T00:00:00.000Z'), timePolicy: { roots } })
  assert.equal(older.verdict, 'verified', older.errors.join('\n'))
  assert.deepEqual(older.signer, {
    kid,
    trust: 'jwks',
    key_from: { source: 'given' },
    revoked_at: '2026-04-01T00:00:00.000Z',
  })
  assert.equal(
    older.checks.find(({ check }) => check === 'key_was_alive')?.why,
    'the key was compromised at 2026-03-05T00:00:00.000Z, but this receipt is older',
  )
  const newer = await verify({ ...revoked('2026-03-04T05:06:09.250Z'), timePolicy: { roots } })
  assert.equal(newer.verdict, 'key_revoked')
})

test('a time-stamp of another checkpoint is not added to a kit, and a new log proof removes the old one', () => {
  assert.throws(
    () => addLogProof(sealed, logProof, nodeHost, makeTimeStamp(utf8('other'))),
    /not for the checkpoint in the log proof/,
  )
  const logged = addLogProof(sealed, logProof, nodeHost, stamp())
  assert.ok(logged.files.some(({ path }) => path === TIME_STAMP_PATH))
  const again = addLogProof(logged, logProof, nodeHost)
  assert.ok(again.files.every(({ path }) => path !== TIME_STAMP_PATH))
})

test('parsing a time-stamp does not change its bytes, also if they are in a Buffer', () => {
  const bytes = Buffer.from(stamp())
  const before = Uint8Array.from(bytes)
  parseTimeStamp(bytes)
  assert.ok(Buffer.compare(bytes, before) === 0)
})
