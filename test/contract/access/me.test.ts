import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SCOPES } from '../../kit/access-fixture.ts'
import { member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { clientOf, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

test('a key of any scope learns its workspace, its scopes, its expiry and the plan', async () => {
  for (const scope of SCOPES) {
    const made = await acme.post('/v1/keys', { label: `only ${scope}`, scopes: [scope], expires_days: 1 })
    const { key, api_key } = made.json as { key: { key_id: string; expires_at: string }; api_key: string }
    const { status, json } = await clientOf(service, acme.workspaceId, api_key).get('/v1/me')
    assert.equal(status, 200)
    assert.deepEqual(json['actor'], { type: 'key', id: key.key_id, name: `only ${scope}` })
    assert.deepEqual(
      [json['workspace_id'], json['role'], json['scopes'], json['expires_at']],
      [acme.workspaceId, null, [scope], key.expires_at],
    )
    assert.equal((json['plan'] as { name: string }).name, 'default')
  }
})

test('a member learns their role and when the session ends, and nobody else learns anything', async () => {
  const ann = await member(service, 'viewer', acme.workspaceId, 'ann@acme.example')
  const { json } = await ann.get('/v1/me')
  const { type, name } = json['actor'] as { type: string; name: string }
  assert.deepEqual([type, name, json['role'], json['scopes']], ['member', 'ann@acme.example', 'viewer', null])
  assert.ok(Date.parse(String(json['expires_at'])) > Date.now())
  assert.equal((await service.call('/v1/me')).json['code'], 'api_key_required')
})
