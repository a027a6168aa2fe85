import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { KIT_ID, keySetOf, makeKit, openBytes, testSigner } from '../test/make-kit.ts'
import {
  canonicalJson,
  type JsonValue,
  NO_TRUST,
  storedKit,
  type Trust,
  trustKeys,
  utf8,
  type VerificationReport,
  verifyKit,
  verifyReceipt,
  webHost,
} from './internal.ts'

const signer = testSigner()
const trusted = trustKeys(keySetOf(signer))

async function verifyContents(
  contents: ReadonlyMap<string, Uint8Array>,
  trust: Trust = trusted,
): Promise<VerificationReport> {
  const files = [...contents].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  const open = async function* (path: string): AsyncGenerator<Uint8Array> {
    yield contents.get(path)!
  }
  return verifyKit(storedKit(files, open, nodeHost), trust, nodeHost)
}

function codes(report: VerificationReport): readonly string[] {
  return report.errors.map((error) => error.split(':', 1)[0]!)
}

test('a sealed kit passes every check, in Node and with web standards only', async () => {
  const { zip } = await makeKit()
  for (const host of [nodeHost, webHost]) {
    const report = await verifyKit(await openBytes(zip), trusted, host)
    assert.equal(report.status, 'PASS', report.errors.join('\n'))
    assert.deepEqual(report.errors, [])
    assert.ok(report.checks.every(({ result }) => result === 'pass'))
    assert.deepEqual(report.signer, { kid: signer.kid, trust: 'jwks', key_from: { source: 'given' } })
  }
})

test('anything that is not a kit fails with a reason, never with an exception', async () => {
  for (const bytes of [
    new Uint8Array(0),
    utf8('PK'),
    utf8('not a zip'.repeat(100)),
    new Uint8Array(70_000),
  ]) {
    const report = await verifyKit(await openBytes(bytes), trusted, nodeHost)
    assert.equal(report.status, 'FAIL')
    assert.deepEqual(codes(report), ['kit_unreadable'])
    assert.ok(!report.manifest_hash_valid && !report.artifact_hashes_valid && !report.ed25519_signature_valid)
  }
})

test('a receipt is checked against the stored kit', async () => {
  const { sealed, zip, jwks } = await makeKit()
  const receipt = sealed.receipt as unknown as JsonValue
  const report = await verifyReceipt(receipt, await openBytes(zip), jwks, nodeHost)
  assert.equal(report.status, 'PASS', report.errors.join('\n'))
  const unknown = await verifyReceipt(receipt, undefined, jwks, nodeHost)
  assert.deepEqual(codes(unknown), ['artifact_missing'])
  assert.equal(unknown.ed25519_signature_valid, true)
  assert.equal(unknown.artifact_hashes_valid, false)
  const malformed = await verifyReceipt({ kit_id: KIT_ID }, undefined, jwks, nodeHost)
  assert.ok(codes(malformed).includes('receipt_malformed'))
})

test('all failures are listed, however many there are, for every check', async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `${index}.txt`)
  const { contents } = await makeKit(Object.fromEntries(names.map((name) => [name, name])))
  const left = new Map([...contents].filter(([path]) => !path.startsWith('data/')))
  const report = await verifyContents(left, NO_TRUST)
  assert.deepEqual(codes(report), [...names.map(() => 'artifact_missing'), 'signer_not_trusted'])
})

test('a check with too many errors says how many it omits', async () => {
  const { contents } = await makeKit()
  const added = Array.from({ length: 9000 }, (_, index) => `${'a'.repeat(1000)}${index}`)
  const report = await verifyContents(
    new Map([...contents, ...added.map((path) => [path, utf8('')] as const)]),
  )
  assert.ok(report.errors.length < 8500)
  assert.equal(report.errors.at(-1), `artifact_unlisted: and ${9001 - report.errors.length} more`)
})

test('at most twenty unknown members of a manifest are listed', async () => {
  const { contents } = await makeKit()
  const manifest = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]))
  const report = await verifyContents(
    new Map([...contents, ['manifest.json', utf8(canonicalJson(manifest))]]),
  )
  assert.deepEqual(codes(report), Array<string>(20).fill('manifest_malformed'))
})
