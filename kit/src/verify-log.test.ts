import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { keySetOf, makeKit, openBytes, testSigner, zipBytes } from '../test/make-kit.ts'
import { addLogProof, proofOf, testLogKey, testWitness } from '../test/make-log.ts'
import {
  leafBytes,
  LOG_PROOF_PATH,
  type LogPolicy,
  parsePolicy,
  parseReceipt,
  parseStrictJson,
  receiptLeaf,
  storedKit,
  trustKeys,
  utf8,
  verdictAdvice,
  type VerificationReport,
  english,
  verifyKit,
  vkey,
  webHost,
} from './internal.ts'

const log = testLogKey('issuer.example/log')
const witnesses = ['w1.example', 'w2.example'].map(testWitness)
const policy = parsePolicy(
  utf8(
    `log ${vkey(log.key)}\n${witnesses.map(({ key }, at) => `witness w${at} ${vkey(key)}`).join('\n')}\ngroup g all w0 w1\nquorum g\n`,
  ),
  nodeHost.digest,
)

/** The contents of a kit whose log proof has this many cosignatures, or which has none. */
async function contentsWith(cosignatures: number | undefined): Promise<Map<string, Uint8Array>> {
  const { contents } = await makeKit()
  const files = new Map(contents)
  if (cosignatures === undefined) return files
  const receipt = parseReceipt(parseStrictJson(files.get('receipt.json')!))
  assert.ok(receipt.ok)
  const leaf = leafBytes(receiptLeaf(receipt.value, nodeHost.digest))
  const proof = proofOf(leaf, { index: 2, size: 5, log, witnesses: witnesses.slice(0, cosignatures) })
  return files.set(LOG_PROOF_PATH, proof)
}

async function verify(
  contents: ReadonlyMap<string, Uint8Array>,
  logPolicy?: LogPolicy,
  host = nodeHost,
): Promise<VerificationReport> {
  const files = [...contents].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  const open = async function* (path: string): AsyncGenerator<Uint8Array> {
    yield contents.get(path)!
  }
  return verifyKit(storedKit(files, open, host), { ...trustKeys(keySetOf(testSigner())), logPolicy }, host)
}

const logChecks = ({ checks }: VerificationReport): readonly string[] =>
  checks
    .filter(({ check }) => check === 'receipt_is_logged' || check === 'log_is_witnessed')
    .map(({ result }) => result)

test('a kit with its log proof added verifies as an archive, with the proof among the envelope', async () => {
  const { sealed, contents } = await makeKit()
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const proof = proofOf(leaf, { index: 2, size: 5, log, witnesses })
  const logged = addLogProof(sealed, proof, nodeHost)
  assert.deepEqual(
    logged.files.slice(-6).map(({ path }) => path),
    ['jwks.json', 'manifest.json', LOG_PROOF_PATH, 'receipt.canonical.json', 'receipt.json', 'receipt.sig'],
  )
  const zip = zipBytes(logged, new Map(contents).set(LOG_PROOF_PATH, proof))
  const trust = { ...trustKeys(keySetOf(testSigner())), logPolicy: policy }
  assert.equal((await verifyKit(await openBytes(zip), trust, nodeHost)).verdict, 'verified')
  assert.deepEqual(addLogProof(logged, proof, nodeHost), logged, 'a newer proof replaces the other')
})

test('the log proof of another receipt is not added to a kit', async () => {
  const { sealed } = await makeKit()
  const proof = proofOf(utf8('another leaf'), { index: 2, size: 5, log })
  assert.throws(() => addLogProof(sealed, proof, nodeHost), /not for the receipt of this kit/)
})

test('without a policy, a log proof is checked, but not who signed it', async () => {
  const report = await verify(await contentsWith(0))
  assert.equal(report.verdict, 'verified')
  assert.deepEqual(logChecks(report), ['not_run', 'not_run'])
  assert.match(report.log?.text ?? '', /^not confirmed: the log proof names the log issuer\.example\/log/)
})

test('a proof of one’s own making with the name of a famous log is not called logged, with or without a policy', async () => {
  const files = await contentsWith(undefined)
  const receipt = parseReceipt(parseStrictJson(files.get('receipt.json')!))
  assert.ok(receipt.ok)
  const leaf = leafBytes(receiptLeaf(receipt.value, nodeHost.digest))
  const forged = proofOf(leaf, { index: 2, size: 5, log: testLogKey('issuer.example/log', 'forged') })
  files.set(LOG_PROOF_PATH, forged)
  const without = await verify(files)
  assert.equal(without.verdict, 'verified')
  assert.deepEqual(logChecks(without), ['not_run', 'not_run'])
  const why = without.checks.find(({ check }) => check === 'receipt_is_logged')?.why
  assert.match(why ?? '', /no key of issuer\.example\/log is known from outside the kit/)
  const under = await verify(files, policy)
  assert.equal(under.verdict, 'sender_unconfirmed')
  assert.deepEqual(logChecks(under), ['not_run', 'fail'])
})

test('a policy is met by the log and its witnesses, in Node and with web standards only', async () => {
  for (const host of [nodeHost, webHost]) {
    const report = await verify(await contentsWith(2), policy, host)
    assert.equal(report.verdict, 'verified', report.errors.join('\n'))
    assert.deepEqual(logChecks(report), ['pass', 'pass'])
  }
})

test('too few witnesses leave the sender unconfirmed, and the advice says why', async () => {
  const report = await verify(await contentsWith(1), policy)
  assert.deepEqual([report.status, report.verdict], ['FAIL', 'sender_unconfirmed'])
  assert.deepEqual(logChecks(report), ['pass', 'fail'])
  assert.match(report.errors.join('\n'), /^log_quorum_not_met: 1 of 2 witnesses cosigned/)
  assert.match(verdictAdvice(report), /does not meet your policy/)
  assert.notEqual(verdictAdvice(report), english('verdicts.sender_unconfirmed.advice'))
})

test('a policy that names no witnesses is met by the log, and the check of witnesses is not run', async () => {
  const none = { ...policy, witnesses: [], quorum: undefined }
  const report = await verify(await contentsWith(0), none)
  assert.equal(report.verdict, 'verified')
  assert.deepEqual(logChecks(report), ['pass', 'not_run'])
})
