import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AUDIENCE, type Provider, startProvider } from '../../kit/ci-provider.ts'
import { type Browser, member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { clientOf, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 86_400_000
const ADMIN = ['submit', 'read', 'admin']

let now = Date.now()
let service: TestService
let acme: WorkspaceClient
let owner: Browser
let provider: Provider
before(async () => {
  provider = await startProvider()
  service = await testService({ KITSEAL_FEDERATION_ALLOW: '127.0.0.1' }, { now: () => now })
  acme = await workspaceClient(service)
  owner = await member(service, 'owner', acme.workspaceId)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await provider.stop()
})

interface Key {
  readonly key_id: string
  readonly expires_at: string | null
  readonly created_by: string | null
  readonly created_by_name: string | null
  readonly status: string
}
interface Made {
  readonly key: Key
  readonly client: WorkspaceClient
}

const using = (text: unknown): WorkspaceClient => clientOf(service, acme.workspaceId, String(text))

async function makeKey(by: Pick<WorkspaceClient, 'post'>, body: object = {}): Promise<Made> {
  const made = await by.post('/v1/keys', { label: 'made', scopes: ADMIN, ...body })
  assert.equal(made.status, 201)
  return { key: made.json['key'] as Key, client: using(made.json['api_key']) }
}

const works = async ({ client }: Made): Promise<boolean> => (await client.get('/v1/me')).status === 200

const send = (method: string, path: string, { key }: WorkspaceClient, body?: object) =>
  service.call(path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const revoke = async ({ key }: Made): Promise<void> =>
  assert.equal((await send('DELETE', `/v1/keys/${key.key_id}`, acme)).status, 204)

const federation = () => ({
  label: 'CI',
  issuer: provider.issuer,
  audience: AUDIENCE,
  claims: [{ claim: 'repository', equals: 'acme/evidence' }],
  scopes: ADMIN,
})

async function federate(by: Pick<WorkspaceClient, 'post'>): Promise<Record<string, unknown>> {
  const made = await by.post('/v1/federation', federation())
  assert.equal(made.status, 201)
  return made.json
}

async function exchange(federation_id: unknown) {
  const subject_token = await provider.token()
  now = Math.max(now, Date.now())
  return service.post('/v1/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    federation_id,
  })
}

test('what a CI token makes ends with the token, also by rotation and by changing a federation', async () => {
  now = Date.now()
  const forever = await makeKey(acme)
  const trusted = await federate(acme)
  const token = using((await exchange(trusted['federation_id'])).json['access_token'])
  const { expires_at } = (await token.get('/v1/me')).json
  const made = await makeKey(token, { expires_days: 30 })
  assert.equal(made.key.expires_at, expires_at)
  const rotated = await token.post(`/v1/keys/${forever.key.key_id}/rotate`, {})
  assert.equal((rotated.json['key'] as Key).expires_at, expires_at)
  assert.equal((await federate(token))['expires_at'], expires_at)
  const other = await federate(acme)
  assert.equal(other['expires_at'], null)
  const path = `/v1/federation/${String(other['federation_id'])}`
  assert.equal((await send('PUT', path, token, federation())).json['expires_at'], expires_at)

  now += 15 * 60_000
  assert.equal(await works(made), false)
  assert.equal(await works({ ...made, client: using(rotated.json['api_key']) }), false)
  now = Date.now()
})

test('a federation that has ended gives no tokens, and its last tokens end with it', async () => {
  now = Date.now() - DAY_MS + 5 * 60_000
  const short = await makeKey(acme, { expires_days: 1 })
  const { federation_id } = await federate(short.client)
  now = Date.now()
  const last = await exchange(federation_id)
  assert.ok(Number(last.json['expires_in']) <= 300)
  now += 5 * 60_000
  assert.match(String((await exchange(federation_id)).json['message']), /no federation/)
  assert.equal((await using(last.json['access_token']).get('/v1/me')).status, 401)
})

test('revoking a key deletes the federations that it made', async () => {
  now = Date.now()
  const short = await makeKey(acme)
  const { federation_id } = await federate(short.client)
  const token = await exchange(federation_id)
  assert.equal(token.status, 200)
  await revoke(short)
  assert.equal((await using(token.json['access_token']).get('/v1/me')).status, 401)
  assert.match(String((await exchange(federation_id)).json['message']), /no federation/)
  assert.equal((await acme.get(`/v1/federation/${String(federation_id)}`)).status, 404)
})

test('revoking a key ends the keys that it made, and those that these made', async () => {
  now = Date.now()
  const parent = await makeKey(acme)
  const child = await makeKey(parent.client)
  const grandchild = await makeKey(child.client)
  const sibling = await makeKey(acme)
  await revoke(parent)
  assert.deepEqual(await Promise.all([child, grandchild, sibling].map(works)), [false, false, true])
  const { data } = (await acme.get('/v1/keys')).json as { data: readonly Key[] }
  assert.equal(data.find(({ key_id }) => key_id === grandchild.key.key_id)?.status, 'revoked')
  const { data: events } = (await acme.get('/v1/audit')).json as { data: readonly Record<string, unknown>[] }
  const event = events.find(({ subject, action }) => action === 'key.revoked' && subject === child.key.key_id)
  assert.deepEqual(event?.['details'], { ended_with: parent.key.key_id })
})

test('a key that expires makes keys that expire with it, and does not prolong itself by rotation', async () => {
  now = Date.now()
  const parent = await makeKey(acme, { expires_days: 2 })
  const child = await makeKey(parent.client)
  assert.equal(child.key.expires_at, parent.key.expires_at)
  assert.notEqual((await makeKey(parent.client, { expires_days: 1 })).key.expires_at, parent.key.expires_at)
  now += DAY_MS
  const rotated = await parent.client.post(`/v1/keys/${parent.key.key_id}/rotate`, { grace_hours: 0 })
  const next = rotated.json['key'] as Key
  assert.deepEqual([next.expires_at, next.created_by], [parent.key.expires_at, parent.key.created_by])
  assert.equal(await works(child), true, 'what it made belongs to the key that replaced it')
  await revoke({ key: next, client: using(rotated.json['api_key']) })
  assert.equal(await works(child), false)
  now = Date.now()
})

test('deleting a federation ends what its tokens made', async () => {
  now = Date.now()
  const { federation_id } = await federate(acme)
  const made = await makeKey(using((await exchange(federation_id)).json['access_token']))
  assert.equal(await works(made), true)
  await send('DELETE', `/v1/federation/${String(federation_id)}`, acme)
  assert.equal(await works(made), false)
})

test('a person can extend a key or a federation, which then no longer ends with its maker', async () => {
  now = Date.now()
  const parent = await makeKey(acme, { expires_days: 1 })
  const child = await makeKey(parent.client)
  const federated = await federate(parent.client)
  const path = `/keys/${child.key.key_id}`
  for (const key of [acme, parent.client])
    assert.equal((await send('PATCH', `/console/api${path}`, key, { expires_days: null })).status, 401)
  const viewer = await member(service, 'member', acme.workspaceId)
  assert.equal((await viewer.send('PATCH', path, { expires_days: null })).status, 403)
  const extended = await owner.send('PATCH', path, { expires_days: 90 })
  const { member_id } = (await owner.get('/me')).json['member'] as { member_id: string }
  assert.equal(extended.status, 204, extended.text)
  const saved = await owner.send('PUT', `/v1/federation/${String(federated['federation_id'])}`, federation())
  assert.deepEqual([saved.json['expires_at'], saved.json['created_by']], [null, member_id])
  await revoke(parent)
  assert.equal(await works(child), true)
  const { data } = (await acme.get('/v1/keys')).json as { data: readonly Key[] }
  const row = data.find(({ key_id }) => key_id === child.key.key_id)
  assert.equal(row?.expires_at, new Date(now + 90 * DAY_MS).toISOString())
  assert.deepEqual([row?.created_by, row?.created_by_name], [member_id, 'owner@acme.example'])
  await revoke(child)
  assert.equal((await owner.send('PATCH', path, { expires_days: 90 })).status, 404, 'a revoked key stays so')
})

test('a key says who made it', async () => {
  now = Date.now()
  const byPerson = await owner.post('/v1/keys', { label: 'by a person', scopes: ADMIN })
  const first = byPerson.json['key'] as Key
  assert.match(String(first.created_by), /^mem_/)
  const second = await makeKey(using(byPerson.json['api_key']))
  assert.deepEqual([second.key.created_by, second.key.created_by_name], [first.key_id, 'by a person'])
  const { data } = (await acme.get('/v1/keys')).json as { data: readonly Key[] }
  assert.ok(data.some(({ created_by, created_by_name: name }) => created_by === 'operator' && name === null))
})
