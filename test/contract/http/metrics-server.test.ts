import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Config, startService } from '@kitseal/server'
import { testService } from '../../kit/service.ts'

test('metrics have an address of their own, where nothing else is served, and are not on the public port', async () => {
  await using service = await testService()
  const url = service.service.metricsUrl ?? ''
  const response = await fetch(url)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=/)
  const text = await response.text()
  for (const name of ['http_in_flight', 'jobs_waiting', 'process_resident_memory_bytes'])
    assert.match(text, new RegExp(`^kitseal_${name} `, 'm'))
  assert.equal((await fetch(new URL('/metrics', service.base))).status, 404)
  for (const path of ['/', '/healthz', '/metrics/x', '/v1/submissions'])
    assert.equal((await fetch(new URL(path, url))).status, 404, path)
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
  await service.service.stop()
  await assert.rejects(fetch(url))
})

test('a worker serves metrics too', async () => {
  await using worker = await testService({ KITSEAL_ROLE: 'worker' })
  assert.match(await worker.metrics(), /^kitseal_jobs_waiting /m)
})

test('a node whose default address is taken runs without metrics and warns; one that was told the address does not start', async () => {
  await using service = await testService()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const lines: string[] = []
  const start = (isGiven: boolean) => {
    const metrics: Config['metrics'] = { is: 'on', host: '127.0.0.1', port, isGiven }
    return startService({ ...service.config, metrics }, { log: { write: (text) => lines.push(text) } })
  }
  const node = await start(false)
  assert.equal(node.metricsUrl, undefined)
  assert.equal((await fetch(`${node.address}/healthz`)).status, 200)
  await node.stop()
  assert.match(lines.join(''), /cannot serve metrics on 127\.0\.0\.1 port \d+ .*: set KITSEAL_METRICS_LISTEN/)
  await assert.rejects(
    start(true),
    /cannot serve metrics on .* Choose another address with --metrics-listen\.$/,
  )
  other.close()
})

test('metrics can be off', async () => {
  await using service = await testService({ KITSEAL_METRICS_LISTEN: 'off' })
  assert.equal(service.service.metricsUrl, undefined)
})
