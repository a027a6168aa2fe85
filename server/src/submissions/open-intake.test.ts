import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireOpenKits } from '../maintenance/expire-kits.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { openStore } from '../open-store.ts'
import { sameStore } from '../../../test/kit/service.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { clientOf, form, workspaceClient } from '../../../test/kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOON = Date.parse('2026-03-04T12:00:00Z')
const LIMITED = { KITSEAL_OPEN_INTAKE_LIMITS: '3,5', KITSEAL_TRUST_PROXY: '127.0.0.1' }

test('an address creates so many jobs a day without a key, and all addresses together so many, at every node and after a restart', async () => {
  const time = { now: NOON }
  const clock = { now: () => time.now }
  await using service = await testService(LIMITED, clock)
  for (let count = 0; count < 3; count += 1) assert.equal((await job(service, '2001:db8::1')).status, 202)
  const refused = await job(service, '2001:db8::2')
  assert.deepEqual([refused.status, refused.json['code']], [429, 'rate_limited'])
  assert.equal(refused.headers.get('retry-after'), String(12 * 60 * 60))

  await using other = await testService({ ...LIMITED, ...sameStore(service) }, clock)
  assert.equal((await job(other, '2001:db8::3')).status, 429, 'the same /64 at another node')
  assert.equal((await job(other, '192.0.2.1')).status, 202)
  assert.equal((await job(service, '192.0.2.2')).status, 202)
  assert.equal((await job(service, '192.0.2.3')).status, 429, 'all together')

  const acme = await workspaceClient(service)
  const withKey = { tenant_id: acme.workspaceId, scope_label: 'with a key' }
  for (let count = 0; count < 6; count += 1)
    assert.equal(
      (await clientOf(service, acme.workspaceId, acme.key).post('/v1/intake/jobs', withKey)).status,
      202,
    )
  time.now += DAY_MS
  assert.equal((await job(service, '2001:db8::1')).status, 202, 'the next day')
})

test('a retry with the same Idempotency-Key does not count, and "off" means no limit', async () => {
  await using service = await testService(LIMITED)
  const first = await job(service, '192.0.2.1', { 'idempotency-key': 'one' })
  for (let count = 0; count < 5; count += 1)
    assert.deepEqual((await job(service, '192.0.2.1', { 'idempotency-key': 'one' })).json, first.json)
  assert.equal((await job(service, '192.0.2.1')).status, 202)
  await using open = await testService({ KITSEAL_OPEN_INTAKE_LIMITS: 'off' })
  for (let count = 0; count < 6; count += 1) assert.equal((await job(open, '192.0.2.1')).status, 202)
})

test('a kit of open intake ends after its days, without erasure record or leaf, and kits of workspaces stay', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  await acme.ended(id)
  const { jobId, kitId } = await service.issue()
  const path = `/v1/kits/${kitId}`
  const [manifest, receipt] = [await service.call(`${path}/manifest`), await service.call(`${path}/receipt`)]
  const leaves = async () => (await store.db.selectFrom('log_leaves').select('leaf_id').execute()).length
  const before = await leaves()

  const end = (days: number) =>
    expireOpenKits(
      { ...store, clock: { now: () => Date.now() + days * DAY_MS }, log: { error: assert.fail } },
      7,
    )
  assert.equal(await end(6.9), 0)
  assert.equal(await end(7.1), 1)
  assert.equal(await end(365), 0, 'the kit of the workspace stays')
  const objects = await store.db
    .selectFrom('kit_objects')
    .select('sha256')
    .where('kit_id', '=', kitId as KitId)
    .execute()
  assert.deepEqual(objects, [], 'its objects are unreferenced')
  assert.equal(await leaves(), before)

  assert.equal((await service.call(`/v1/intake/jobs/${jobId}`)).json['status'], 'EXPIRED')
  const gone = await service.call(`${path}/download`)
  assert.deepEqual([gone.status, gone.json['code']], [410, 'kit_expired'])
  assert.deepEqual((await service.call(`${path}/manifest`)).bytes, manifest.bytes)
  const kept = await service.call(`${path}/receipt`)
  assert.deepEqual(kept.bytes, receipt.bytes)
  assert.equal(kept.headers.get('link'), null)
  const erasure = await service.call(`${path}/erasure`)
  assert.deepEqual([erasure.status, erasure.json['code']], [404, 'erasure_not_found'])
})

const job = (service: TestService, address: string, headers: Record<string, string> = {}) =>
  service.post(
    '/v1/intake/jobs',
    { tenant_id: 'acme', scope_label: 'flood' },
    { 'x-forwarded-for': address, ...headers },
  )
