import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openPool, type Pool } from './postgres-pool.ts'
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

test('while the database does not answer, requests get 503 without waiting for its timeouts; acknowledged work is not lost', async () => {
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
  const causes = () =>
    service.log().match(/"msg":"request refused".*|.*the database has stopped answering.*/g)
  // Lines of the log are written together, a moment later.
  await until(async () => causes() !== null)
  assert.ok(
    causes()?.every((line) => !/timeout exceeded|Query read timeout/.test(line)),
    service.log(),
  )

  proxy.mend()
  await until(async () => (await service.call('/readyz')).status === 200)
  assert.equal((await client.ended(waiting))['status'], 'PASS')
  assert.equal((await client.upload(open, form({ 'a.txt': 'now' }))).status, 202)
  assert.equal((await client.ended(open))['status'], 'PASS')
  assert.deepEqual(await client.credits(), { available: 8, held: 0 })
})

test('a slow statement is not taken for a database that does not answer', async () => {
  await using proxy = await proxied()
  const pool = openPool({ url: proxy.databaseUrl, connections: 2 })
  const slow = query(pool, 'select pg_sleep(1.5) as slept')
  await pause(1200)
  assert.equal((await query(pool, 'select 1 as one')).rows.length, 1)
  assert.equal((await slow).rows.length, 1)
  await pool.end()
})

test('calls in progress fail when the database stops answering, and the pool works again when it answers', async () => {
  await using proxy = await proxied()
  const pool = openPool({ url: proxy.databaseUrl, connections: 2 })
  const connection = await pool.connect()
  await connection.query('begin')
  proxy.swallow()
  const calls = [connection.query('select 1'), query(pool, 'select 1'), query(pool, 'select 1')]
  for (const result of await Promise.allSettled(calls)) {
    assert.equal(result.status, 'rejected')
    assert.equal((result.reason as Error).name, 'DatabaseSilent')
  }
  connection.release()
  await assert.rejects(query(pool, 'select 1'), { name: 'DatabaseSilent' })
  proxy.mend()
  await until(async () => (await query(pool, 'select 1').catch(() => undefined)) !== undefined)
  await pool.end()
})

async function query(pool: Pool, text: string) {
  const connection = await pool.connect()
  try {
    return await connection.query(text)
  } finally {
    connection.release()
  }
}
