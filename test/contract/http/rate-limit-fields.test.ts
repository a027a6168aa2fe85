import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const fields = ({ headers }: { readonly headers: Headers }) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
]

test('RateLimit says what is left, and agrees with Retry-After when nothing is', async () => {
  let now = Date.now()
  await using service = await testService({ KITSEAL_RATE_LIMIT: 'intake=3,verify=600' }, { now: () => now })
  const create = () => service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'one' })
  const policy = '"intake";q=3;w=60'
  assert.deepEqual(fields(await create()), [policy, '"intake";r=2;t=20'])
  assert.deepEqual(fields(await create()), [policy, '"intake";r=1;t=40'])
  assert.deepEqual(fields(await create()), [policy, '"intake";r=0;t=20'])
  const refused = await create()
  assert.equal(refused.status, 429)
  assert.deepEqual(fields(refused), [policy, '"intake";r=0;t=20'])
  assert.equal(refused.headers.get('retry-after'), '20')
  now += 20_000
  assert.deepEqual(fields(await create()), [policy, '"intake";r=0;t=20'])
  assert.deepEqual(fields(await service.call('/.well-known/jwks.json')), [null, null])
  const acme = await workspaceClient(service)
  assert.match(String(fields(await acme.get('/v1/credits'))[1]), /^"workspace";r=\d+;t=\d+$/)
})
