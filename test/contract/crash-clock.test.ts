import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../kit/service.ts'
import { form, workspaceClient } from '../kit/workspace.ts'

const HOUR = 3_600_000

test('jobs are issued and verify after the clock jumps back an hour', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using service = await testService({}, clock)
  const client = await workspaceClient(service)
  const first = await service.issue()
  clock.time -= HOUR
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': 'sent in the past' }))).status, 202)
  const job = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'past' })
  assert.equal(job.status, 202)
  const waiting = (await client.get(`/v1/submissions/${id}`)).json['status']
  assert.ok(waiting !== 'FAIL', 'a changed clock does not fail evidence')
  clock.time += HOUR + 60_000
  const ended = await client.ended(id)
  assert.equal(ended['status'], 'PASS')
  for (const kitId of [first.kitId, String(ended['kit_id'])]) {
    const receipt = (await client.get(`/v1/kits/${kitId}/receipt`)).bytes.toString()
    assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  }
})

test('with a clock an hour behind, kits are issued once the key is active', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using service = await testService({}, clock)
  clock.time += 2 * HOUR
  await service.issue()
  clock.time -= HOUR
  const { kitId } = await service.issue()
  const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).bytes.toString()
  assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
})

test('rate limits recover after the clock jumps back', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using service = await testService({ KITSEAL_RATE_LIMIT: '2' }, clock)
  const send = async (): Promise<number> =>
    (await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'a' })).status
  assert.deepEqual([await send(), await send(), await send()], [202, 202, 429])
  clock.time -= HOUR
  await send()
  clock.time += 61_000
  assert.equal(await send(), 202)
})
