import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCheckpoint } from '@kitseal/kit/internal'
import { testClock } from '../../kit/clock.ts'
import { sameStore } from '../../kit/service.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { clientOf, form, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOON = Date.parse('2026-03-04T12:00:00Z')
const LIMITED = {
  KITSEAL_RATE_LIMIT: '1000000',
  KITSEAL_TRUST_PROXY: '127.0.0.1',
  TEST_OPEN_INTAKE_JOBS: '{"perAddress":3,"inAll":5}',
}

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
  await using open = await testService({ KITSEAL_RATE_LIMIT: 'off' })
  for (let count = 0; count < 6; count += 1) assert.equal((await job(open, '192.0.2.1')).status, 202)
})

test('a kit of open intake ends after its days, without erasure record or leaf, and kits of workspaces stay', async () => {
  const clock = testClock()
  await using service = await testService({ KITSEAL_OPEN_INTAKE_TTL_DAYS: '7' }, clock)
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  await acme.ended(id)
  const { jobId, kitId } = await service.issue()
  const path = `/v1/kits/${kitId}`
  const [manifest, receipt] = [await service.call(`${path}/manifest`), await service.call(`${path}/receipt`)]
  /** Heads of audit logs become leaves meanwhile. */
  const erasures = async () => {
    const { size } = parseCheckpoint((await service.call('/log/checkpoint')).bytes)
    const { bytes } = await service.call(`/log/tile/entries/000.p/${size}`)
    assert.equal(bytes.toString().split('"kind":"receipt"').length - 1, 2)
    return bytes.toString().split('"kind":"erasure"').length - 1
  }
  const status = async () => (await service.call(`/v1/intake/jobs/${jobId}`)).json['status']
  clock.advance({ days: 6, hours: 23 })
  await service.service.runDue()
  assert.equal(await status(), 'ISSUED')
  clock.advance({ hours: 2 })
  await service.service.runDue()
  assert.equal(await status(), 'EXPIRED')
  clock.advance({ days: 365 })
  await service.service.runDue()
  assert.equal(
    (await acme.get(`/v1/submissions/${id}`)).json['status'],
    'PASS',
    'the kit of the workspace stays',
  )
  assert.equal(await erasures(), 0)

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
