// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  fromUtf8,
  leafBytes,
  leafHash,
  parseCheckpoint,
  parseJwks,
  parseEntryBundle,
  parseLeaf,
  parsePolicy,
  parseStrictJson,
  parseTlogProof,
  type Receipt,
  receiptLeaf,
  rootFromProof,
  rootFromTiles,
  tilePath,
  trustKeys,
  verifyKit,
  verifyNote,
} from '@kitseal/kit/internal'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { type TestService, testService } from '../../kit/service.ts'

const { digest } = nodeHost
const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Reads the checkpoint and every tile as a monitor does, and verifies them. */
async function readLog(service: TestService) {
  const checkpoint = parseCheckpoint((await service.call('/log/checkpoint')).bytes)
  const [log] = parsePolicy((await service.call('/log/policy')).bytes, digest).logs
  assert.ok(log !== undefined)
  assert.deepEqual(await verifyNote(checkpoint, [log.key], nodeHost), [log.key], 'signed by the log')
  const read = async (level: number, index: number, width: number): Promise<Uint8Array> =>
    (await service.call(`/log/${tilePath({ level, index, width })}`)).bytes
  assert.ok(equal(await rootFromTiles(checkpoint.size, read, digest), checkpoint.root))
  return checkpoint
}

async function proofOf(service: TestService, kitId: string) {
  return parseTlogProof((await service.call(`/v1/kits/${kitId}/log-proof`)).bytes)
}

test('every kit and every key is a leaf, and the proof of a kit leads to a signed checkpoint', async () => {
  await using service = await testService()
  const kits = [await service.issue(), await service.issue(), await service.issue()]
  for (const { kitId } of kits) {
    const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).json as unknown as Receipt
    const { index, hashes, checkpoint } = await proofOf(service, kitId)
    const leaf = leafHash(leafBytes(receiptLeaf(receipt, digest)), digest)
    const root = rootFromProof(leaf, index, checkpoint.size, hashes, digest)
    assert.ok(root !== undefined && equal(root, checkpoint.root))
  }
  const { size, origin } = await readLog(service)
  assert.equal(origin, `${new URL(service.base).host}/log`)
  const entries = parseEntryBundle((await service.call(`/log/tile/entries/000.p/${size}`)).bytes)
  // The head of an audit log can be there as well, from any time on.
  const kinds = entries.map((entry) => parseLeaf(entry).kind).filter((kind) => kind !== 'audit')
  assert.deepEqual(kinds, ['key', 'receipt', 'receipt', 'receipt'])
  const text = entries.map((entry) => fromUtf8(entry)).join('')
  for (const secret of ['acme', 'first kit', ...kits.flatMap(({ jobId, kitId }) => [jobId, kitId])])
    assert.ok(!text.includes(secret), `the log does not reveal ${secret}`)
})

test('a key is added to the log before its first receipt, and its end is logged too', async () => {
  await using service = await testService()
  await service.issue()
  const { signingKeys } = service.service
  await signingKeys.rotate()
  const { kitId } = await service.issue()
  const [retired] = await signingKeys.list()
  await signingKeys.revoke(retired?.kid ?? '')
  const { index } = await proofOf(service, kitId)
  const { size } = await readLog(service)
  const entries = parseEntryBundle((await service.call(`/log/tile/entries/000.p/${size}`)).bytes).map(
    parseLeaf,
  )
  const events = entries.map((leaf) => (leaf.kind === 'key' ? leaf.event : leaf.kind))
  const ofKeys = events.filter((event) => event !== 'audit')
  assert.deepEqual(ofKeys.slice(0, 5), ['added', 'receipt', 'retired', 'added', 'receipt'])
  assert.equal(index, events.lastIndexOf('receipt'))
})

test('tiles that the log does not have are 404, and those that it has never change', async () => {
  await using service = await testService()
  await proofOf(service, (await service.issue()).kitId)
  const { size } = await readLog(service)
  const one = await service.call(`/log/tile/0/000.p/${size}`)
  assert.equal(one.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(one.headers.get('access-control-allow-origin'), '*')
  for (const path of [
    `0/000.p/${size + 1}`,
    '0/000',
    '0/001.p/1',
    '1/000.p/1',
    '0/0',
    'entries/000',
    'x/000',
    '0/000.p/0',
  ])
    assert.equal((await service.call(`/log/tile/${path}`)).status, 404, path)
  assert.equal((await service.call('/v1/kits/kit_none/log-proof')).status, 404)
})

test('an issued kit contains its log proof and verifies with the policy of the service, and kit.zip never changes', async () => {
  await using service = await testService()
  const { kitId } = await service.issue()
  const kit = (await service.call(`/v1/kits/${kitId}/download`)).bytes
  const file = join(service.dataFolder, 'kit.zip')
  writeFileSync(file, kit)
  const policy = parsePolicy((await service.call('/log/policy')).bytes, digest)
  const keys = parseJwks(parseStrictJson((await service.call('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  const verify = async (logPolicy: typeof policy) =>
    verifyKit(await openKit(file), { ...trustKeys(keys.value), logPolicy }, nodeHost)
  const report = await verify(policy)
  assert.deepEqual(report.errors, [])
  const results = new Map(report.checks.map(({ check, result }) => [check as string, result]))
  assert.deepEqual([results.get('receipt_is_logged'), results.get('log_is_witnessed')], ['pass', 'not_run'])

  await using other = await testService()
  await other.issue()
  const foreign = parsePolicy((await other.call('/log/policy')).bytes, digest)
  assert.equal((await verify(foreign)).status, 'FAIL', 'the log of another issuer')

  await service.issue()
  assert.ok(equal((await service.call(`/v1/kits/${kitId}/download`)).bytes, kit), 'the log has grown')
})
