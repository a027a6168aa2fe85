// Only in test:all: chaos.trial.ts has outages of PostgreSQL
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newDatabase, type PostgresServer, postgresServer } from '../../test/postgres-server.ts'
import { serviceProcess } from '../../test/service-process.ts'
import { type TestService, testService } from '../../test/test-service.ts'
import { until } from '../../test/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

let server: PostgresServer
let service: TestService
let client: WorkspaceClient

before(async () => {
  server = await postgresServer()
  // A job in progress during the outage can be claimed again when its lease expires.
  const settings = { KITSEAL_DATABASE_URL: await newDatabase(server.url), KITSEAL_LEASE_SECONDS: '3' }
  service = await testService(settings, 'work in a thread')
  client = await workspaceClient(service)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('while the database is down, requests return 503 with Retry-After; afterwards work continues', async () => {
  const { kitId } = await service.issue()
  const open = await client.submission()
  const waiting = await client.submission()
  await client.upload(waiting, form({ 'a.txt': 'sealed before the outage' }))
  await server.stop()

  const refused = [
    await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'x' }),
    await service.call('/v1/intake/jobs/job_AAAAAAAAAAAAAAAAAAAAAA'),
    await client.get('/v1/credits'),
    await client.post('/v1/submissions', { label: 'x' }),
    await client.upload(open, form({ 'a.txt': 'a' })),
    await service.call('/readyz'),
  ]
  for (const response of refused) {
    assert.equal(response.status, 503, response.bytes.toString())
    assert.equal(response.json['code'], 'store_unavailable')
    assert.match(String(response.headers.get('retry-after')), /^\d+$/)
  }
  assert.equal((await service.call('/healthz')).status, 200)
  assert.match(await service.metrics(), /^kitseal_http_in_flight /m)

  await server.start()
  assert.equal((await client.ended(waiting))['status'], 'PASS')
  await until(async () => (await service.call('/readyz')).status === 200)
  assert.equal((await client.upload(open, form({ 'a.txt': 'a' }))).status, 202)
  assert.equal((await client.ended(open))['status'], 'PASS')
  assert.equal((await service.call(`/v1/kits/${kitId}/receipt`)).status, 200)
  assert.deepEqual(await client.credits(), { available: 8, held: 0 })
})

test('an idle service becomes ready again when the database is back', async () => {
  await server.stop()
  await until(async () => (await notReady()).includes('work'))
  await server.start()
  await until(async () => (await notReady()) === '')
})

test('a service stops cleanly while the database is down', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-outage-'))
  const node = await serviceProcess({
    KITSEAL_DATABASE_URL: await newDatabase(server.url),
    KITSEAL_DATA: folder,
    KITSEAL_LOG_LEVEL: 'silent',
  })
  await server.stop()
  assert.equal(await node.end('SIGTERM'), 0, node.stderr())
  await server.start()
  rmSync(folder, { recursive: true })
})

async function notReady(): Promise<string> {
  const { status, json } = await service.call('/readyz')
  return status === 200 ? '' : String(json['message'])
}
