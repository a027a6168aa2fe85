// Only in test:all: chaos.trial.ts has three nodes and more that fails
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openStore } from '../src/index.ts'
import { newDatabase, type RunningPostgres, sharedPostgres } from './postgres-server.ts'
import type { Checked } from './checked-client.ts'
import { issuedKit, type TestService, testService } from './test-service.ts'
import { until } from './until.ts'
import { administer, clientOf, form, workspaceClient } from './workspace-client.ts'

const operator = { is: 'operator' } as const
let server: RunningPostgres

before(async () => {
  server = await sharedPostgres()
})
after(() => server[Symbol.asyncDispose]())

/** Nodes that share a database and an object store. */
async function nodesOf(
  ...roles: readonly string[]
): Promise<AsyncDisposable & { readonly all: TestService[] }> {
  const url = await newDatabase(server.url)
  const node = (role: string, more: Readonly<Record<string, string>> = {}) =>
    testService({
      KITSEAL_DATABASE_URL: url,
      KITSEAL_ROLE: role,
      KITSEAL_ISSUER: 'https://kits.example',
      KITSEAL_OPEN_INTAKE: 'on',
      ...more,
    })
  const [first = 'all', ...rest] = roles
  const one = await node(first)
  const objects = one.config.objects.is === 's3' ? {} : { KITSEAL_DATA: one.dataFolder }
  const others = await Promise.all(rest.map((role) => node(role, objects)))
  const all = [one, ...others]
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      for (const each of all.toReversed()) await each[Symbol.asyncDispose]()
    },
  }
}

test('four nodes that start together create one signing key, one log and one workspace', async () => {
  const url = await newDatabase(server.url)
  const nodes = await Promise.all([1, 2, 3, 4].map(() => testService({ KITSEAL_DATABASE_URL: url })))
  const [node] = nodes
  assert.ok(node)
  await using store = await openStore(node.config)
  const keys = await store.signingKeys.list()
  assert.deepEqual(
    keys.map(({ state, provider }) => [state, provider]),
    [['active', 'database']],
  )
  assert.equal((await store.db.selectFrom('log').select('origin').execute()).length, 1)
  const privateKeys = await store.db.selectFrom('private_keys').select('reference').execute()
  assert.equal(privateKeys.length, 2, 'the signing key and the key of the log')
  assert.equal((await store.db.selectFrom('workspaces').select('workspace_id').execute()).length, 1)
  assert.equal(nodes.filter(({ service }) => service.firstApiKey !== undefined).length, 1)
  assert.match(node.log(), /the private signing key is stored unencrypted in the database/)
  for (const each of nodes) await each[Symbol.asyncDispose]()
})

test('a job created on an API node wakes a worker, and the API node serves the kit', async () => {
  await using nodes = await nodesOf('api', 'worker')
  const [api, worker] = nodes.all
  assert.ok(api && worker)
  const created = await api.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'x' })
  assert.equal(created.status, 202)
  const kitId = await issuedKit(api.call, String(created.json['job_id']))
  const receipt = await api.call(`/v1/kits/${kitId}/receipt`)
  const verified = await api.post('/v1/verify/receipt', receipt.bytes.toString())
  assert.equal(verified.json['status'], 'PASS')
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await fetch(worker.base + path)).status, 200, path)
  assert.match(await worker.metrics(), /^kitseal_jobs_waiting /m)
  for (const path of ['/v1/intake/jobs/x', `/v1/kits/${kitId}/receipt`, '/.well-known/jwks.json', '/docs'])
    assert.equal((await fetch(worker.base + path)).status, 404, path)
  assert.equal((await fetch(`${api.base}/readyz`)).status, 200)
})

test('nodes reconnect to the database, and jobs still wake workers', async () => {
  await using nodes = await nodesOf('api', 'worker')
  const [api] = nodes.all
  assert.ok(api)
  const client = new pg.Client({ connectionString: api.config.databaseUrl })
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'kitseal' and datname = current_database() and pid <> pg_backend_pid()`,
  )
  await client.end()
  // Requests at that moment may get 503, but no other error.
  const created = await retryWhile503(() =>
    api.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'x' }),
  )
  assert.equal(created.status, 202, created.bytes.toString())
  await until(async () => {
    const { json } = await retryWhile503(() => api.call(`/v1/intake/jobs/${String(created.json['job_id'])}`))
    return json['status'] === 'ISSUED'
  })
})

async function retryWhile503(send: () => Promise<Checked>): Promise<Checked> {
  for (;;) {
    const response = await send()
    if (response.status !== 503) return response
    await sleep(50)
  }
}

test('key rotation, revocation and plan changes reach every node', async () => {
  await using nodes = await nodesOf('all', 'all', 'all')
  const [first] = nodes.all
  assert.ok(first)
  const client = await workspaceClient(first, { credits: 3 })
  const clients = nodes.all.map((node) => clientOf(node, client.workspaceId, client.key))
  await using store = await openStore(first.config)

  const earlier = (await store.signingKeys.list()).map(({ kid }) => kid)
  await store.signingKeys.rotate()
  for (const node of nodes.all) await until(async () => (await kidsAt(node)).length === 2)
  const id = await client.submission()
  await client.upload(id, form({ 'a.txt': 'a' }))
  const { kit_id } = await client.ended(id)
  const receipt = (await client.get(`/v1/kits/${String(kit_id)}/receipt`)).json
  assert.ok(!earlier.includes(String(receipt['public_key_kid'] ?? receipt['kid'])))
  await store.signingKeys.revoke(earlier[0] ?? '')
  for (const node of nodes.all) await until(async () => (await kidsAt(node)).length === 1)

  // Not cached, so the next request sees it.
  await administer(first, (admin) => admin.plans.update('default', { apiAccess: false }))
  for (const each of clients) assert.equal((await each.get('/v1/credits')).status, 403)
  await administer(first, (admin) => admin.plans.update('default', { apiAccess: true }))
  for (const each of clients) assert.equal((await each.get('/v1/credits')).status, 200)
  const keyId = await administer(
    first,
    async (admin) => (await admin.keys.list(client.workspaceId as never))[0]?.key_id,
  )
  await administer(first, (admin) => admin.keys.revoke(keyId as never, operator))
  for (const each of clients) assert.equal((await each.get('/v1/credits')).status, 401)
})

test('one Idempotency-Key sent to all nodes creates one submission', async () => {
  await using nodes = await nodesOf('all', 'api', 'api')
  const [first] = nodes.all
  assert.ok(first)
  const { workspaceId, key } = await workspaceClient(first)
  const clients = nodes.all.map((node) => clientOf(node, workspaceId, key))
  const once = { 'idempotency-key': 'the-same' }
  const responses = await Promise.all(
    [...clients, ...clients, ...clients].map((client) =>
      client.post('/v1/submissions', { label: 'x' }, once),
    ),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201])
  assert.equal(new Set(responses.map(({ json }) => json['submission_id'])).size, 1)
})

test('of concurrent uploads to one submission on several nodes, one is accepted and one credit held', async () => {
  await using nodes = await nodesOf('all', 'api', 'api')
  const [first] = nodes.all
  assert.ok(first)
  const one = await workspaceClient(first, { credits: 5 })
  const clients = nodes.all.map((node) => clientOf(node, one.workspaceId, one.key))
  const id = await one.submission()
  const responses = await Promise.all(
    clients.map((client, at) => client.upload(id, form({ 'a.txt': `from ${at}` }))),
  )
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [202, 409, 409])
  assert.equal((await one.ended(id))['status'], 'PASS')
  assert.deepEqual(await one.credits(), { available: 4, held: 0 })
})

async function kidsAt(node: TestService): Promise<readonly string[]> {
  const { json } = await node.call('/.well-known/jwks.json')
  return (json['keys'] as { readonly kid: string }[]).map(({ kid }) => kid)
}
