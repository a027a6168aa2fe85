// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../../test/kit/console.ts'
import { administer, form, workspaceClient } from '../../../test/kit/workspace.ts'
import { testService } from '../../../test/kit/service.ts'
import { openStore } from '../open-store.ts'
import { expireKits } from './expire-kits.ts'
import { referencedAfter } from './referenced-objects.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('a kit past its retention is EXPIRED and loses its content, keeps manifest and receipt, and is in the audit log', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await administer(service, (admin) => admin.plans.create('short', { retentionDays: 30 }))
  const acme = await workspaceClient(service, { plan: 'short' })
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  const { kit_id: kitId, job_id: jobId } = await acme.ended(id)
  const path = `/v1/kits/${String(kitId)}`
  const [manifest, receipt] = [await acme.get(`${path}/manifest`), await acme.get(`${path}/receipt`)]
  const withKey = { headers: { 'x-api-key': acme.key } }
  assert.ok((await referencedAfter(store.db, '', 100)).length > 0)

  const expire = (laterMs: number) =>
    expireKits({ ...store, clock: { now: () => Date.now() + laterMs }, log: { error: assert.fail } })
  assert.equal(await expire(29 * DAY_MS), 0)
  assert.equal(await expire(31 * DAY_MS), 1)
  assert.equal(await expire(31 * DAY_MS), 0)
  assert.deepEqual(await referencedAfter(store.db, '', 100), [], 'its objects are unreferenced')

  assert.equal((await service.call(`/v1/intake/jobs/${String(jobId)}`)).json['status'], 'EXPIRED')
  const gone = await service.call(`${path}/download`, withKey)
  assert.deepEqual([gone.status, gone.json['code']], [410, 'kit_expired'])
  assert.deepEqual((await service.call(`${path}/manifest`, withKey)).bytes, manifest.bytes)
  assert.deepEqual((await service.call(`${path}/receipt`)).bytes, receipt.bytes)
  const verified = await service.post('/v1/verify/receipt', receipt.bytes.toString(), withKey.headers)
  const { status, manifest_hash_valid, artifact_hashes_valid, ed25519_signature_valid, errors } =
    verified.json
  assert.deepEqual([status, manifest_hash_valid, artifact_hashes_valid], ['FAIL', true, false])
  assert.equal(ed25519_signature_valid, true, 'the signature is still checked')
  assert.ok((errors as readonly string[]).includes('artifact_missing: data/policy.txt is missing'))
  assert.ok((errors as readonly string[]).every((error) => error.startsWith('artifact_missing: ')))

  const submission = (await acme.get(`/v1/submissions/${id}`)).json
  assert.equal(submission['status'], 'EXPIRED')
  assert.equal(submission['credits_charged'], 1)
  assert.equal((await acme.get(`/v1/submissions/${id}`)).headers.get('retry-after'), null)
  assert.deepEqual(Object.keys(submission['deliverables'] as object).toSorted(), [
    'manifest.json',
    'receipt.json',
  ])
  const list = (await acme.get(`/v1/submissions/${id}/deliverables`)).json
  assert.equal(list['status'], 'EXPIRED')
  const ann = await member(service, 'owner', acme.workspaceId)
  const detail = (await ann.get(`/v1/submissions/${id}`)).json
  assert.equal(detail['stage'], 'expired')
  const found = async (query: string) =>
    ((await ann.get(`/v1/submissions?status=${query}`)).json['data'] as readonly object[]).length
  assert.deepEqual([await found('EXPIRED'), await found('PASS'), await found('FAIL')], [1, 0, 0])
  const events = (await acme.get('/v1/audit')).json['data'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    events.filter(({ action }) => action === 'kit.expired').map(({ subject }) => subject),
    [kitId],
  )
  const auditEvents = await store.db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'kit.expired')
    .execute()
  assert.deepEqual(
    [auditEvents.length, auditEvents[0]?.subject, auditEvents[0]?.actor],
    [1, kitId, 'service'],
  )
})

test('kits of a plan without retention and kits without a workspace do not expire', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await service.issue()
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  await acme.ended(id)
  const clock = { now: () => Date.now() + 36_500 * DAY_MS }
  assert.equal(await expireKits({ ...store, clock, log: { error: assert.fail } }), 0)
})
