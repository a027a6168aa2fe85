import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'
import {
  administer,
  clientOf,
  form,
  type WorkspaceClient,
  workspaceClient,
  type WorkspaceId,
} from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

interface Created {
  readonly key: { readonly key_id: string; readonly scopes: readonly string[]; readonly status: string }
  readonly api_key: string
}

const create = async (body: object, client = acme): Promise<Created> => {
  const made = await client.post('/v1/keys', body)
  assert.equal(made.status, 201, made.bytes.toString())
  assert.equal(made.headers.get('cache-control'), 'no-store')
  return made.json as unknown as Created
}
const using = (text: string): WorkspaceClient => clientOf(service, acme.workspaceId, text)
const revoke = (client: WorkspaceClient, id: string) =>
  service.call(`/v1/keys/${id}`, { method: 'DELETE', headers: { 'x-api-key': client.key } })

test('a key has the scopes that it was created with, by default submit and read', async () => {
  const { key, api_key } = await create({ label: 'ci' })
  assert.deepEqual(key.scopes, ['submit', 'read'])
  assert.equal((await using(api_key).get('/v1/submissions')).status, 200)
  const refused = await using(api_key).get('/v1/keys')
  assert.deepEqual([refused.status, refused.json['code']], [403, 'scope_missing'])
  assert.match(String(refused.json['message']), /does not have the scope `admin`\. It has: submit, read\./)

  const upload = await create({ label: 'upload only', scopes: ['submit'], expires_days: 1 })
  assert.equal(upload.key.status, 'ending')
  const id = await using(upload.api_key).submission()
  assert.equal((await using(upload.api_key).get(`/v1/submissions/${id}`)).status, 403)
  assert.equal((await using(api_key).get(`/v1/submissions/${id}`)).status, 200)
})

test('a key cannot create or rotate a key with scopes that it does not have', async () => {
  const admin = using((await create({ label: 'admin only', scopes: ['admin'] })).api_key)
  const full = await create({ label: 'full', scopes: ['submit', 'read', 'requests', 'shares', 'admin'] })
  assert.equal((await admin.post('/v1/keys', { label: 'more' })).json['code'], 'scope_missing')
  const rotated = await admin.post(`/v1/keys/${full.key.key_id}/rotate`, {})
  assert.equal(rotated.json['code'], 'scope_missing')
  await create({ label: 'same', scopes: ['admin'] }, admin)
  assert.equal((await revoke(admin, full.key.key_id)).status, 204)
  assert.equal((await using(full.api_key).get('/v1/credits')).status, 401)
})

test('rotation keeps the scopes, and the list shows no secret', async () => {
  const old = await create({ label: 'nightly', scopes: ['read'] })
  const rotated = await acme.post(`/v1/keys/${old.key.key_id}/rotate`, { grace_hours: 0 })
  const next = rotated.json as unknown as Created
  assert.deepEqual(next.key.scopes, ['read'])
  assert.equal((await using(old.api_key).get('/v1/credits')).status, 401)
  assert.equal((await using(next.api_key).get('/v1/credits')).status, 200)
  const list = await acme.get('/v1/keys')
  for (const secret of [old.api_key, next.api_key]) assert.ok(!list.bytes.includes(secret))
})

test('invalid requests for a key are 400, and unknown keys 404', async () => {
  for (const body of [
    { label: 'a', scopes: [] },
    { label: 'a', scopes: ['everything'] },
    { label: 'a', scopes: ['read', 'read'] },
    { label: 'a', expires_days: 0 },
    { scopes: ['read'] },
  ])
    assert.equal((await acme.post('/v1/keys', body)).json['code'], 'body_invalid', JSON.stringify(body))
  assert.equal((await revoke(acme, 'key_unknown')).json['code'], 'key_not_found')
  assert.equal((await acme.post('/v1/keys/key_unknown/rotate', {})).json['code'], 'key_not_found')
})

test('keys of the operator have every scope, unless scopes are named', async () => {
  const [all, some] = await administer(service, async ({ keys }) => {
    const make = (scopes?: readonly ('read' | 'submit')[]) =>
      keys.create(acme.workspaceId as WorkspaceId, { label: 'cli', scopes }, { is: 'operator' })
    return [await make(), await make(['read'])] as const
  })
  assert.equal((await using(all.text).get('/v1/keys')).status, 200)
  assert.equal((await using(some.text).get('/v1/keys')).status, 403)
})

test('polls and uploads need a key that is valid now, and a submission of its workspace', async () => {
  const { key, api_key } = await create({ label: 'ci' })
  const other = await workspaceClient(service)
  const [id, foreign] = [await acme.submission(), await other.submission()]
  const ask = async (submission: string): Promise<readonly unknown[]> => {
    const poll = await using(api_key).get(`/v1/submissions/${submission}`)
    const upload = await using(api_key).upload(submission, form({ 'a.txt': 'evidence' }, { final: 'false' }))
    return [poll, upload].flatMap(({ status, json }) => [status, json['code']])
  }
  const notFound = [404, 'submission_not_found', 404, 'submission_not_found']
  assert.deepEqual(await ask(id), [200, undefined, 202, undefined])
  assert.deepEqual(await ask(foreign), notFound)
  assert.deepEqual(await ask('sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA'), notFound)
  assert.deepEqual(await ask('nothing'), notFound)
  await revoke(acme, key.key_id)
  for (const submission of [id, foreign, 'nothing'])
    assert.deepEqual(await ask(submission), [401, 'api_key_invalid', 401, 'api_key_invalid'])
})
