import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CutProxy, cutProxy } from '../../../test/kit/proxy.ts'
import { newDatabase, type RunningPostgres, sharedPostgres } from '../../../test/kit/postgres.ts'
import { testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'

let server: RunningPostgres
before(async () => {
  server = await sharedPostgres()
})
after(() => server[Symbol.asyncDispose]())

/** A new database behind a proxy. */
async function proxied(): Promise<CutProxy & { readonly databaseUrl: string }> {
  const url = new URL(await newDatabase(server.url))
  const proxy = await cutProxy(`http://${url.host}`)
  url.host = new URL(proxy.url).host
  return { ...proxy, databaseUrl: url.href }
}

test('while the database does not answer, requests get 503 after its timeouts; acknowledged work is not lost', async () => {
  await using proxy = await proxied()
  await using service = await testService({
    KITSEAL_DATABASE_URL: proxy.databaseUrl,
    TEST_LEASE_SECONDS: '2',
  })
  const client = await workspaceClient(service)
  const open = await client.submission()
  const waiting = await client.submission()
  assert.equal((await client.upload(waiting, form({ 'a.txt': 'acknowledged' }))).status, 202)
  proxy.swallow()

  const refused = [
    ...(await Promise.all([
      service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'x' }),
      service.call('/v1/intake/jobs/job_AAAAAAAAAAAAAAAAAAAAAA'),
      client.upload(open, form({ 'a.txt': 'not acknowledged' })),
    ])),
    await client.get('/v1/credits'),
    await client.post('/v1/submissions', { label: 'x' }),
    await service.call('/readyz'),
  ]
  for (const response of refused) {
    assert.equal(response.status, 503, response.bytes.toString())
    assert.equal(response.json['code'], 'store_unavailable')
    assert.match(String(response.headers.get('retry-after')), /^\d+$/)
  }
  assert.match(String(refused.at(-1)?.json['message']), /^Not ready: database/)
  assert.match(await service.metrics(), /^kitseal_http_in_flight /m)
  proxy.mend()
  await until(async () => (await service.call('/readyz')).status === 200)
  assert.equal((await client.ended(waiting))['status'], 'PASS')
  assert.equal((await client.upload(open, form({ 'a.txt': 'now' }))).status, 202)
  assert.equal((await client.ended(open))['status'], 'PASS')
  assert.deepEqual(await client.credits(), { available: 8, held: 0 })
})
