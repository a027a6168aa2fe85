// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testClock } from '../../kit/clock.ts'
import type { Checked, CheckedFetch } from '../../kit/http.ts'
import { issuedKit, type TestService, testService } from '../../kit/service.ts'
import { administer, form, workspaceClient } from '../../kit/workspace.ts'

let service: TestService

before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

const operator = { is: 'operator' } as const

test(
  'a hundred concurrent submissions with ten credits issue exactly ten kits',
  { timeout: 120_000 },
  async () => {
    const client = await workspaceClient(service, { credits: 10 })
    const responses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const id = await client.submission({ label: `${index}` })
        return { id, response: await client.upload(id, form({ 'a.txt': `evidence ${index}` })) }
      }),
    )
    const taken = responses.filter(({ response }) => response.status === 202)
    const refused = responses.filter(({ response }) => response.status === 402)
    assert.deepEqual([taken.length, refused.length], [10, 90])
    for (const { response } of refused) assert.equal(response.json['code'], 'credits_exhausted')
    for (const { id } of taken) assert.equal((await client.ended(id))['status'], 'PASS')
    assert.deepEqual(await client.credits(), { available: 0, held: 0 })
    const [first] = refused
    const record = (await client.get(`/v1/submissions/${first?.id}`)).json
    assert.deepEqual([record['status'], record['evidence']], ['PENDING', []])
    await administer(service, (admin) =>
      admin.workspaces.grant(client.workspaceId as never, 1, 'one more', operator),
    )
    assert.equal((await client.upload(first?.id ?? '', form({ 'a.txt': 'again' }))).status, 202)
  },
)

test('the ledger is append-only and adds up to available and held credits', async () => {
  const client = await workspaceClient(service, { credits: 5 })
  const good = await client.submission()
  await client.upload(good, form({ 'a.txt': 'a' }))
  await client.ended(good)
  const bad = await client.submission()
  await client.upload(bad, form({ 'a.pdf': '%PDF-1.7 cut off' }))
  await client.ended(bad)
  const account = (await client.get('/v1/credits')).json
  const ledger = account['data'] as Entry[]
  assert.deepEqual(
    ledger.map(({ kind }) => kind),
    ['release', 'hold', 'capture', 'hold', 'grant'],
  )
  assert.equal(sum(ledger, 'available_change'), account['available'])
  assert.equal(sum(ledger, 'held_change'), account['held'])
  assert.deepEqual([account['available'], account['held']], [4, 0])
  const page = (await client.get('/v1/credits?limit=2')).json
  const rest = (await client.get(`/v1/credits?limit=100&cursor=${String(page['next_cursor'])}`)).json
  assert.deepEqual([...(page['data'] as Entry[]), ...(rest['data'] as Entry[])], ledger)
})

interface Entry {
  readonly kind: string
  readonly available_change: number
  readonly held_change: number
}

const sum = (ledger: readonly Entry[], name: 'available_change' | 'held_change'): number =>
  ledger.reduce((total, entry) => total + entry[name], 0)

test('the audit log has no gaps, names the key of each change, and contains no evidence', async () => {
  const client = await workspaceClient(service)
  const id = await client.submission({ label: 'secret label' })
  await client.upload(id, form({ 'secret-name.txt': 'secret content' }, { final: 'false' }))
  await client.upload(id, form({ 'b.txt': 'b' }))
  await client.ended(id)
  const job = { tenant_id: client.workspaceId, scope_label: 'x' }
  const created = await client.post('/v1/intake/jobs', job)
  await issuedKit((path) => client.get(path), String(created.json['job_id']))
  await administer(service, (admin) => admin.plans.update('default', { ratePerMinute: 29_000 }))
  await administer(service, (admin) => admin.plans.update('default', { ratePerMinute: 30_000 }))
  const trail = await client.get('/v1/audit')
  const events = trail.json['data'] as {
    action: string
    actor: string
    key_id: string
    seq: number
    details: unknown
  }[]
  assert.deepEqual(events.map(({ action, actor }) => `${actor} ${action}`).toReversed(), [
    'operator workspace.created',
    'operator credits.granted',
    'operator key.created',
    'key submission.created',
    'key submission.sealed',
    'service submission.passed',
    'key job.created',
    'service job.issued',
    'operator plan.changed',
    'operator plan.changed',
  ])
  assert.deepEqual(events[1]?.details, { rate_per_minute: 29_000 })
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  for (const event of events) assert.equal(event.key_id !== null, event.actor === 'key')
  assert.ok(events.every(({ key_id }) => key_id === null || client.key.startsWith(`ks_${key_id}_`)))
  assert.doesNotMatch(trail.bytes.toString(), /secret/)
  assert.ok(!trail.bytes.toString().includes(client.key))
})

test('a missing key is 401 on submission routes, an invalid key everywhere', async () => {
  const client = await workspaceClient(service)
  const PATHS = ['/v1/submissions', '/v1/submissions/sub_x', '/v1/credits', '/v1/audit']
  for (const path of PATHS) {
    const response = await service.call(path)
    assert.deepEqual([response.status, response.json['code']], [401, 'api_key_required'], path)
    assert.match(response.headers.get('www-authenticate') ?? '', /X-API-Key/)
  }
  const last = client.key.endsWith('0') ? '1' : '0'
  const WRONG = ['', 'x', 'ks_', client.key.slice(0, -1) + last, `${client.key}0`, client.key.toUpperCase()]
  for (const path of [...PATHS, '/v1/intake/jobs/job_x', '/.well-known/jwks.json', '/healthz']) {
    for (const key of WRONG) {
      const response = await service.call(path, { headers: { 'x-api-key': key } })
      assert.deepEqual([response.status, response.json['code']], [401, 'api_key_invalid'], `${path} ${key}`)
    }
  }
})

test('a revoked key is rejected at the next request', async () => {
  const client = await workspaceClient(service)
  assert.equal((await client.get('/v1/credits')).status, 200)
  const keyId = client.key.slice(3, 29)
  assert.equal(await administer(service, (admin) => admin.keys.revoke(keyId as never, operator)), true)
  const response = await client.get('/v1/credits')
  assert.deepEqual([response.status, response.json['code']], [401, 'api_key_invalid'])
})

test('a rotated key works until its grace period ends, and keys expire', async () => {
  const clock = { time: Date.now(), now: () => clock.time }
  await using timed = await testService({}, clock)
  const client = await workspaceClient(timed)
  const [keyId, HOUR] = [client.key.slice(3, 29), 3_600_000]
  const made = await administer(timed, (admin) => admin.keys.rotate(keyId as never, HOUR, operator))
  const short = await administer(timed, (admin) =>
    admin.keys.create(client.workspaceId as never, { label: 'short', livesMs: 2 * HOUR }, operator),
  )
  const status = async (key = '') => (await withKey(timed.call, '/v1/credits', key)).status
  assert.deepEqual(
    [await status(client.key), await status(made?.text), await status(short.text)],
    [200, 200, 200],
  )
  clock.time += HOUR + 60_000
  assert.deepEqual(
    [await status(client.key), await status(made?.text), await status(short.text)],
    [401, 200, 200],
  )
  clock.time += HOUR
  assert.deepEqual([await status(made?.text), await status(short.text)], [200, 401])
})

const keyIn = ({ json }: Checked) =>
  json['key'] as { readonly key_id: string; readonly expires_at: string | null }

test('rotation keeps the original lifetime of a key', async () => {
  const clock = testClock('2026-01-01T00:00:00.000Z')
  await using own = await testService({}, clock)
  const client = await workspaceClient(own)
  const limited = keyIn(await client.post('/v1/keys', { label: 'a', expires_days: 30 }))
  const endless = keyIn(await client.post('/v1/keys', { label: 'b' }))
  clock.advance({ days: 10 })
  const rotated = async (id: string) => keyIn(await client.post(`/v1/keys/${id}/rotate`, {})).expires_at
  assert.deepEqual(
    [await rotated(limited.key_id), await rotated(endless.key_id)],
    ['2026-02-10T00:00:00.000Z', null],
  )
})

test('the last use of a key is recorded in batches', async () => {
  await using own = await testService()
  const client = await workspaceClient(own)
  const lastUsed = async () => {
    const keys = await administer(own, (admin) => admin.keys.list(client.workspaceId as never))
    return keys[0]?.last_used_at
  }
  for (let round = 0; round < 5; round += 1) await client.get('/v1/credits')
  assert.equal(await lastUsed(), null)
  await own.service.stop()
  assert.match((await lastUsed()) ?? '', /^\d{4}-/)
})

test('a plan without API access is 403, and requests over its rate limit are 429', async () => {
  const now = Date.now()
  await using limited = await testService({ KITSEAL_RATE_LIMIT: '1000' }, { now: () => now })
  await administer(limited, async (admin) => {
    await admin.plans.create('closed', { apiAccess: false })
    await admin.plans.create('slow', { ratePerMinute: 3 })
  })
  const closed = await workspaceClient(limited, { plan: 'closed' })
  for (const path of ['/v1/submissions', '/v1/credits', '/v1/audit']) {
    const response = await closed.get(path)
    assert.deepEqual([response.status, response.json['code']], [403, 'api_access_off'], path)
  }
  const job = { tenant_id: closed.workspaceId, scope_label: 'x' }
  assert.equal((await closed.post('/v1/intake/jobs', job)).status, 403)
  assert.equal((await closed.post('/v1/submissions', { label: 'x' })).status, 403)
  assert.equal((await closed.get('/.well-known/jwks.json')).status, 200, 'public routes stay public')

  const slow = await workspaceClient(limited, { plan: 'slow' })
  const statuses: number[] = []
  for (let round = 0; round < 4; round += 1) statuses.push((await slow.get('/v1/credits')).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.match((await slow.get('/v1/credits')).headers.get('retry-after') ?? '', /^\d+$/)
})

test('a job created with a key belongs to its workspace and is marked as authenticated', async () => {
  const client = await workspaceClient(service)
  const foreign = await client.post('/v1/intake/jobs', { tenant_id: 'someone', scope_label: 'x' })
  assert.deepEqual([foreign.status, foreign.json['code']], [403, 'tenant_not_yours'])
  const own = await client.post('/v1/intake/jobs', { tenant_id: client.workspaceId, scope_label: 'x' })
  assert.equal(own.status, 202)
  const kitId = await issuedKit(service.call, String(own.json['job_id']))
  const kit = (await client.get(`/v1/kits/${kitId}/download`)).bytes.toString()
  assert.match(kit, /"caller_authenticated":true/)
})

const withKey = (call: CheckedFetch, path: string, key: string) =>
  call(path, { headers: { 'x-api-key': key } })
