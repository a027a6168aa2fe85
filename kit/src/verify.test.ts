import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { KIT_ID, keySetOf, makeKit, openBytes, testSigner, zipBytes } from '../test/make-kit.ts'
import {
  canonicalJson,
  type JsonValue,
  NO_TRUST,
  parseManifest,
  parseStrictJson,
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

test('an intact kit fails without a trusted key, and the error names the issuer', async () => {
  const { zip } = await makeKit()
  const report = await verifyKit(await openBytes(zip), NO_TRUST, nodeHost)
  assert.equal(report.status, 'FAIL')
  assert.deepEqual(codes(report), ['signer_not_trusted'])
  assert.equal(report.verdict, 'sender_unconfirmed')
  assert.match(report.errors[0]!, /no key of https:\/\/issuer\.example was provided or pinned/)
  assert.equal(report.artifact_hashes_valid, true)
  assert.equal(report.ed25519_signature_valid, false)
  assert.equal(report.kid_matched, false)
})

test('a kit that was re-signed with another key fails, even if it contains that key', async () => {
  const forger = testSigner(66)
  const { zip } = await makeKit({ 'hello.txt': 'forged\n' }, { signer: forger, jwks: keySetOf(forger) })
  const withKeys = await verifyKit(await openBytes(zip), trusted, nodeHost)
  assert.deepEqual(codes(withKeys), ['key_not_in_jwks'])
  const withKid = await verifyKit(await openBytes(zip), { ...NO_TRUST, kids: [signer.kid] }, nodeHost)
  assert.deepEqual(codes(withKid), ['key_id_mismatch'])
})

test('with the keys of the kit, only integrity is checked, and the result is never PASS', async () => {
  const { zip } = await makeKit()
  const report = await verifyKit(await openBytes(zip), { ...NO_TRUST, useKitKeys: true }, nodeHost)
  assert.equal(report.status, 'FAIL')
  assert.equal(report.verdict, 'sender_unconfirmed')
  assert.equal(report.ed25519_signature_valid, true)
  assert.equal(report.signer.trust, 'kit')
  const check = report.checks.find(({ check: name }) => name === 'signer_is_trusted')
  assert.equal(check?.result, 'fail')
  assert.match(check?.why ?? '', /integrity only/)
})

test('a key pinned for one issuer is not trusted for another', async () => {
  const { zip } = await makeKit({}, { issuer: 'https://other.example' })
  const pins = [{ kid: signer.kid, issuer: 'https://issuer.example' }]
  assert.deepEqual(codes(await verifyKit(await openBytes(zip), { ...NO_TRUST, pins }, nodeHost)), [
    'signer_not_trusted',
  ])
  const { zip: own } = await makeKit()
  const report = await verifyKit(await openBytes(own), { ...NO_TRUST, pins }, nodeHost)
  assert.equal(report.status, 'PASS')
  assert.equal(report.signer.trust, 'pinned')
})

test('a receipt issued before its key was created or after it was retired fails', async () => {
  const issuedSeconds = Date.parse('2026-03-04T05:06:07.890Z') / 1000
  const { zip } = await makeKit()
  for (const life of [{ iat: Math.ceil(issuedSeconds) }, { exp: Math.floor(issuedSeconds) }]) {
    const report = await verifyKit(await openBytes(zip), trustKeys(keySetOf(signer, life)), nodeHost)
    assert.deepEqual(codes(report), ['key_outside_life'])
  }
  const alive = { iat: Math.floor(issuedSeconds), exp: Math.ceil(issuedSeconds) }
  assert.equal(
    (await verifyKit(await openBytes(zip), trustKeys(keySetOf(signer, alive)), nodeHost)).status,
    'PASS',
  )
})

test('every failure is listed, not only the first', async () => {
  const { contents } = await makeKit({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  const broken = new Map(contents)
  broken.set('data/a.txt', utf8('A'))
  broken.delete('data/b.txt')
  broken.set('data/added.txt', utf8('added'))
  broken.set('receipt.sig', new Uint8Array(64))
  const report = await verifyContents(broken)
  assert.deepEqual(codes(report), [
    'artifact_hash_mismatch',
    'artifact_missing',
    'artifact_unlisted',
    'envelope_mismatch',
  ])
})

test('changing, removing or adding any member of the receipt fails', async () => {
  const { contents } = await makeKit()
  const receipt = parseStrictJson(contents.get('receipt.json')!) as Record<string, JsonValue>
  const mutations: Record<string, JsonValue>[] = [{ ...receipt, extra: 1 }]
  for (const member of Object.keys(receipt)) {
    const { [member]: value, ...rest } = receipt
    const changed = String(value).replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => (last === '1' ? '2' : '1'))
    mutations.push(
      rest,
      { ...receipt, [member]: changed },
      { ...receipt, [member]: null },
      { ...receipt, [member]: 7 },
    )
  }
  for (const mutation of mutations) {
    const report = await verifyContents(new Map(contents).set('receipt.json', utf8(canonicalJson(mutation))))
    assert.equal(report.status, 'FAIL', JSON.stringify(mutation))
    assert.ok(report.errors.length > 0)
  }
})

test('a kit with two files of the same name on some systems is unreadable', async () => {
  const { contents } = await makeKit({ 'a.txt': 'a' })
  const report = await verifyContents(new Map(contents).set('data/A.txt', utf8('a')))
  assert.deepEqual(codes(report), ['kit_unreadable', 'artifact_unlisted'])
  const twins =
    'data/A.txt and data/a.txt are the same name on systems that ignore case or Unicode normalization'
  assert.equal(report.errors[0], `kit_unreadable: ${twins}`)
  const manifest = parseStrictJson(contents.get('manifest.json')!) as Readonly<Record<string, JsonValue>>
  const [first] = manifest['artifacts'] as readonly Readonly<Record<string, JsonValue>>[]
  const artifacts = [
    { ...first, path: 'data/A.txt' },
    { ...first, path: 'data/a.txt' },
  ]
  const parsed = parseManifest({ ...manifest, artifacts } as JsonValue)
  assert.ok(!parsed.ok)
  assert.match(parsed.problems.join(), /^paths data\/A\.txt and data\/a\.txt are the same name/)
})

test('a file with the right hash but a wrong listed size fails', async () => {
  const { sealed } = await makeKit()
  const { path, sha256, crc32 } = sealed.files.find((file) => file.path === 'data/hello.txt')!
  const lying = await makeKit({ 'hello.txt': 'hello\n' }, { files: [{ path, sha256, crc32, sizeBytes: 5 }] })
  const contents = new Map(lying.contents).set('data/hello.txt', utf8('hello\n'))
  assert.deepEqual(codes(await verifyContents(contents)), ['artifact_size_mismatch'])
})

test('a signed CRC-32 is still compared with the archive', async () => {
  const large = new Uint8Array(1_200_000).fill(7)
  const { sealed, contents, zip } = await makeKit({ 'large.bin': large })
  assert.ok(contents.has('reports/crc32.json'))
  assert.equal((await verifyKit(await openBytes(zip), trusted, nodeHost)).status, 'PASS')
  const files = sealed.files.map((file) =>
    file.path === 'data/large.bin' ? { ...file, crc32: file.crc32 ^ 1 } : file,
  )
  const report = await verifyKit(await openBytes(zipBytes({ ...sealed, files }, contents)), trusted, nodeHost)
  assert.deepEqual(codes(report), ['kit_unreadable'])
  assert.equal(report.artifact_hashes_valid, false)
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

test('everything signed with a revoked key fails once the key is removed from the set', async () => {
  const { sealed, zip } = await makeKit()
  const report = await verifyReceipt(
    sealed.receipt as unknown as JsonValue,
    await openBytes(zip),
    { keys: [] },
    nodeHost,
  )
  assert.deepEqual(codes(report), ['key_not_in_jwks'])
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
