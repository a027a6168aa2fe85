// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

const JOBS = '/v1/intake/jobs'
const from = (address: string) => ({ 'x-forwarded-for': address })
/** Rate limits do not recover while a test runs. */
const stopped = { now: () => Date.parse('2026-03-01T12:00:00Z') }
const GOOD = { tenant_id: 'acme', scope_label: 'label' }

test('jobs over the rate limit are 429 with Retry-After, and verification has its own limit', async () => {
  await using service = await testService({ KITSEAL_RATE_LIMIT: 'intake=2,verify=3' }, stopped)
  const statuses: number[] = []
  for (let round = 0; round < 3; round += 1) statuses.push((await service.post(JOBS, GOOD)).status)
  assert.deepEqual(statuses, [202, 202, 429])
  const refused = await service.post(JOBS, GOOD)
  assert.equal(refused.json['code'], 'rate_limited')
  assert.ok(
    Number(refused.headers.get('retry-after')) >= 1 && Number(refused.headers.get('retry-after')) <= 30,
  )
  for (let round = 0; round < 3; round += 1)
    assert.equal((await service.post('/v1/verify/receipt', {})).status, 200)
  assert.equal((await service.post('/v1/verify/receipt', {})).status, 429)
  assert.equal((await service.call('/healthz')).status, 200, 'other routes are not limited')
})

test('a service on localhost listens on one address', async () => {
  await using service = await testService({ KITSEAL_HOST: 'localhost' })
  assert.equal(service.service.app.addresses().length, 1)
})

test('X-Forwarded-For is trusted only if configured', async () => {
  await using plain = await testService({ KITSEAL_RATE_LIMIT: '1' }, stopped)
  assert.equal((await plain.post(JOBS, GOOD, from('192.0.2.1'))).status, 202)
  assert.equal((await plain.post(JOBS, GOOD, from('192.0.2.2'))).status, 429)
  await using behind = await testService({ KITSEAL_RATE_LIMIT: '1', KITSEAL_TRUST_PROXY: '1' }, stopped)
  assert.equal((await behind.post(JOBS, GOOD, from('192.0.2.1'))).status, 202)
  assert.equal((await behind.post(JOBS, GOOD, from('192.0.2.2'))).status, 202)
  assert.equal(
    (await behind.post(JOBS, GOOD, from('198.51.100.9, 192.0.2.2'))).status,
    429,
    'only the last address counts',
  )
})

test('without open intake a job without a key is 401, and the rest stays public', async () => {
  await using service = await testService({ KITSEAL_OPEN_INTAKE: 'off' })
  const refused = await service.post(JOBS, GOOD)
  assert.deepEqual([refused.status, refused.json['code']], [401, 'api_key_required'])
  assert.equal((await service.call('/.well-known/jwks.json')).status, 200)
})

test('one Idempotency-Key creates one job, even if sent concurrently', async () => {
  await using service = await testService()
  const key = { 'idempotency-key': 'order-7' }
  const responses = await Promise.all(Array.from({ length: 8 }, () => service.post(JOBS, GOOD, key)))
  assert.deepEqual(new Set(responses.map((response) => response.status)), new Set([202]))
  assert.equal(
    new Set(responses.map((response) => response.bytes.toString())).size,
    1,
    'the same response to the byte',
  )
  assert.equal(
    responses.filter((response) => response.headers.get('idempotency-replayed') === 'true').length,
    7,
  )

  const reordered = await service.post(JOBS, '{"scope_label":"label", "tenant_id":"acme"}', key)
  assert.equal(
    reordered.json['job_id'],
    responses[0]?.json['job_id'],
    'the same object in another order is the same body',
  )
  const other = await service.post(JOBS, { ...GOOD, scope_label: 'other' }, key)
  assert.deepEqual([other.status, other.json['code']], [409, 'idempotency_key_reused'])
  const fresh = await service.post(JOBS, GOOD, { 'idempotency-key': 'order-8' })
  assert.notEqual(fresh.json['job_id'], responses[0]?.json['job_id'])
})

test('a rejected request does not consume its Idempotency-Key', async () => {
  await using service = await testService()
  const key = { 'idempotency-key': 'k' }
  assert.equal((await service.post(JOBS, {}, key)).status, 400)
  assert.equal((await service.post(JOBS, GOOD, key)).status, 202)
})

test('an Idempotency-Key expires after a day', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using service = await testService({}, clock)
  const key = { 'idempotency-key': 'k' }
  const first = await service.post(JOBS, GOOD, key)
  clock.time += 24 * 3_600_000
  const second = await service.post(JOBS, GOOD, key)
  assert.notEqual(second.json['job_id'], first.json['job_id'])
})

test('too many concurrent requests are 503 with Retry-After, but health checks work', async () => {
  await using service = await testService({ KITSEAL_MAX_IN_FLIGHT: '1' })
  const acme = await workspaceClient(service)
  using slow = slowBodies(service, 3)
  assert.equal(
    (await service.call('/.well-known/jwks.json')).status,
    200,
    'a body that has not arrived does not count',
  )
  const stream = new AbortController()
  await fetch(`${service.base}/v1/events/stream`, {
    headers: { 'x-api-key': acme.key },
    signal: stream.signal,
  })
  let busy = await service.call('/.well-known/jwks.json')
  while (busy.status === 200) busy = await service.call('/.well-known/jwks.json')
  assert.deepEqual([busy.status, busy.json['code']], [503, 'overloaded'])
  assert.ok(Number(busy.headers.get('retry-after')) > 0)
  assert.equal((await service.call('/healthz')).status, 200)
  stream.abort()
  slow[Symbol.dispose]()
  while (busy.status === 503) busy = await service.call('/.well-known/jwks.json')
  assert.equal(busy.status, 200, 'an aborted request no longer counts')
})

test('an address has a limited number of requests in flight, and others are served', async () => {
  await using service = await testService({ KITSEAL_MAX_IN_FLIGHT: '30', TEST_IN_FLIGHT_PER_ADDRESS: '3' })
  const get = (localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${service.base}/.well-known/jwks.json`, { localAddress }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on('error', reject)
        .end()
    })
  using slow = slowBodies(service, 3)
  while ((await get('127.0.0.1')) === 200);
  assert.equal(await get('127.0.0.1'), 429)
  assert.equal(await get('127.0.0.2'), 200)
  slow[Symbol.dispose]()
  while ((await get('127.0.0.1')) === 429);
})

/** Requests that send one byte of their body, from 127.0.0.1. */
function slowBodies({ base }: TestService, count: number): Disposable {
  const { hostname, port } = new URL(base)
  const sockets = Array.from({ length: count }, () =>
    connect({ port: Number(port), host: hostname, localAddress: '127.0.0.1' }),
  )
  for (const socket of sockets)
    socket
      .on('error', () => {})
      .write(
        'POST /v1/intake/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
      )
  return { [Symbol.dispose]: () => sockets.forEach((socket) => socket.destroy()) }
}

test('jobs over the queue limit are 503 overloaded', async () => {
  await using service = await testService({ TEST_MAX_QUEUE: '1' })
  const responses = await Promise.all(Array.from({ length: 30 }, () => service.post(JOBS, GOOD)))
  const refused = responses.filter((response) => response.status === 503)
  assert.ok(refused.length > 0 && refused.length < 30, `${refused.length} of 30 were rejected`)
  assert.equal(refused[0]?.json['code'], 'overloaded')
})

test('with a full queue, retries and drafts still work', async () => {
  // An API node without a worker.
  await using service = await testService({ TEST_MAX_QUEUE: '1', KITSEAL_ROLE: 'api' })
  const once = { 'idempotency-key': 'first' }
  const first = await service.post(JOBS, GOOD, once)
  assert.equal(first.status, 202)
  let other = await service.post(JOBS, GOOD)
  while (other.status !== 503) other = await service.post(JOBS, GOOD)
  assert.equal(other.json['code'], 'overloaded')
  assert.deepEqual((await service.post(JOBS, GOOD, once)).json, first.json)
  const { post, workspaceId: tenant_id } = await workspaceClient(service)
  assert.equal((await post(JOBS, { ...GOOD, tenant_id, status: 'DRAFT' })).status, 202)
})

test('who fills the queue is refused with Retry-After before the others are', async () => {
  await using service = await testService({ TEST_MAX_QUEUE: '10', KITSEAL_ROLE: 'api' })
  const client = await workspaceClient(service)
  const submitted = async (): Promise<number> => {
    const { status } = await client.upload(await client.submission(), form({ 'a.txt': 'evidence' }))
    return status
  }
  let job = await service.post(JOBS, GOOD)
  let accepted = 0
  for (; job.status === 202; job = await service.post(JOBS, GOOD)) accepted += 1
  assert.deepEqual([job.status, job.headers.get('retry-after')], [503, '5'])
  assert.ok(accepted < 10, 'jobs without a workspace take up nine tenths of the queue')
  assert.equal(await submitted(), 202)
  while ((await submitted()) === 202);
})

test('the service is ready, and not ready without its object store', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using service = await testService({ KITSEAL_OBJECTS: undefined }, clock)
  assert.deepEqual((await service.call('/healthz')).json, { status: 'ok' })
  assert.deepEqual((await service.call('/readyz')).json, { status: 'ready' })
  rmSync(join(service.dataFolder, 'objects'), { recursive: true })
  clock.time += 1000
  const gone = await service.call('/readyz')
  assert.deepEqual([gone.status, gone.json['code']], [503, 'store_unavailable'])
  assert.match(String(gone.json['message']), /^Not ready: objects/)
  assert.equal((await service.call('/healthz')).status, 200)
})

test('metrics count requests by route and jobs by result', async () => {
  await using service = await testService()
  await service.issue()
  await service.call('/v1/kits/kit_unknown/receipt')
  const text = await service.metrics()
  assert.match(
    text,
    /kitseal_http_request_duration_seconds_count\{method="POST",route="\/v1\/intake\/jobs",status="202"\} 1/,
  )
  assert.match(text, /_bucket\{le="\+Inf",method="GET",route="\/v1\/kits\/:kit_id\/receipt",status="404"\} 1/)
  assert.match(text, /kitseal_job_attempts_total\{result="issued"\} 1/)
  assert.match(text, /kitseal_jobs_waiting 0/)
  assert.match(text, /kitseal_process_cpu_seconds_total/)
})

test('each request is logged as one JSON line without keys, bodies or capability IDs', async () => {
  const service = await testService()
  const { jobId } = await service.issue({ tenant_id: 'SECRET-TENANT', scope_label: 'SECRET-LABEL' })
  const polled = await service.call(`${JOBS}/${jobId}`, { headers: { 'x-api-key': 'ks_SECRET-KEY' } })
  await service[Symbol.asyncDispose]()
  const lines = service
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const line = lines.find((each) => each['request_id'] === polled.headers.get('x-request-id'))
  assert.deepEqual(
    [line?.['method'], line?.['route'], line?.['status']],
    ['GET', '/v1/intake/jobs/:job_id', 401],
  )
  assert.ok(!Number.isNaN(Date.parse(String(line?.['time']))))
  assert.doesNotMatch(service.log(), /SECRET/)
  for (const each of lines.filter((one) => one['msg'] === 'answered'))
    assert.doesNotMatch(JSON.stringify(each), /(job|kit)_[\w-]{10}/)
})

test('every response has security headers, and pages run only their own scripts', async () => {
  await using service = await testService({ KITSEAL_ISSUER: 'https://kits.example' })
  for (const path of [
    '/healthz',
    '/nowhere',
    '/%zz',
    '/.well-known/jwks.json',
    '/docs',
    '/verify',
    '/openapi.json',
  ]) {
    const { headers } = await service.call(path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none';.*frame-ancestors 'none'/,
      path,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d+/, path)
    assert.ok(headers.get('cache-control'), path)
    assert.equal(headers.get('x-powered-by') ?? headers.get('server'), null, path)
  }
})
