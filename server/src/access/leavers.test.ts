// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Browser, browser, inviteLink, member } from '../../../test/kit/console.ts'
import type { ApiKeyId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { administer, form, workspaceClient } from '../../../test/kit/workspace.ts'
import { testService } from '../../../test/kit/service.ts'

const [ANN, BOB] = ['ann@acme.example', 'bob@acme.example']

/** Ann and Bob own a workspace. */
async function scene() {
  const service = await testService()
  const acme = await workspaceClient(service, { credits: 5 })
  const ann = await member(service, 'owner', acme.workspaceId, ANN)
  const bob = await member(service, 'owner', acme.workspaceId, BOB)
  const bobId = ((await bob.get('/me')).json['member'] as { member_id: string }).member_id
  return { service, acme, ann, bob, bobId, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const tokenOf = ({ json, text }: Answered): string => {
  assert.ok(typeof json['link'] === 'string', text)
  return json['link'].slice(json['link'].indexOf('#') + 1)
}

async function newKey(user: Browser, label: string, headers: Record<string, string> = {}) {
  const { status, json, text } = await user.post('/v1/keys', { label, scopes: ['read', 'admin'] }, headers)
  assert.equal(status, 201, text)
  const { key, api_key } = json as { key: { key_id: string }; api_key: string }
  const answers = async (): Promise<number> =>
    (await fetch(`${user.origin}/v1/me`, { headers: { 'x-api-key': api_key } })).status
  return { id: key.key_id, apiKey: api_key, answers }
}

const CI = {
  label: 'CI',
  issuer: 'https://ci.example',
  audience: 'https://kits.example',
  claims: [{ claim: 'repository', equals: 'acme/evidence' }],
  scopes: ['submit'],
}

const leavingOf = async (user: Browser, id: string) =>
  (await user.get(`/members/${id}/leaving`)).json as Record<string, readonly Record<string, unknown>[]>

test('an invitation that a removed owner made, or that is for them, does not let them back in', async () => {
  await using at = await scene()
  const second = tokenOf(await at.bob.post('/invitations', { email: 'bob@home.example', role: 'owner' }))
  const own = await inviteLink(at.service, BOB, { workspaceId: at.acme.workspaceId })
  const others = tokenOf(await at.ann.post('/invitations', { email: 'eva@acme.example', role: 'viewer' }))
  assert.equal((await at.ann.send('DELETE', `/members/${at.bobId}`)).status, 204)
  assert.equal((await at.bob.get('/me')).status, 401, 'signed out at once')
  for (const token of [second, own])
    assert.equal((await browser(at.service).post('/invitation/accept', { token })).status, 404)
  assert.equal((await browser(at.service).post('/invitation/accept', { token: others })).status, 200)
  const events = (await at.acme.get('/v1/audit?action=invitation.revoked')).bytes.toString()
  assert.match(events, /bob@home\.example/)
})

test('an owner who becomes a member can no longer let an owner in', async () => {
  await using at = await scene()
  const token = tokenOf(await at.bob.post('/invitations', { email: 'bob@home.example', role: 'owner' }))
  assert.equal((await at.ann.send('PATCH', `/members/${at.bobId}`, { role: 'member' })).status, 200)
  assert.equal((await browser(at.service).post('/invitation/accept', { token })).status, 404)
})

test('the keys and federations of a removed member end, and what these made, except those that are kept', async () => {
  await using at = await scene()
  const [ended, kept, anns] = [
    await newKey(at.bob, 'Old'),
    await newKey(at.bob, 'Build'),
    await newKey(at.ann, 'Ann'),
  ]
  const grandchild = await newKey(browser(at.service), 'Grandchild', { 'x-api-key': ended.apiKey })
  const federation = (await at.bob.post('/v1/federation', CI)).json['federation_id'] as string
  const keptFederation = (await at.bob.post('/v1/federation', CI)).json['federation_id'] as string
  const listed = await leavingOf(at.ann, at.bobId)
  assert.deepEqual(listed['keys']?.map(({ label }) => label).toSorted(), ['Build', 'Old'])
  assert.equal(listed['federations']?.length, 2)
  const keep = `${kept.id},${keptFederation},${grandchild.id}`
  assert.equal((await at.ann.send('DELETE', `/members/${at.bobId}?keep=${keep}`)).status, 204)
  assert.deepEqual(
    await Promise.all([ended, grandchild, kept, anns].map((key) => key.answers())),
    [401, 401, 200, 200],
  )
  const { data } = (await at.ann.get('/v1/federation')).json as { data: readonly Record<string, string>[] }
  assert.deepEqual(
    data.map(({ federation_id }) => federation_id),
    [keptFederation],
  )
  assert.ok(!data.some(({ federation_id }) => federation_id === federation))
  const annId = ((await at.ann.get('/me')).json['member'] as { member_id: string }).member_id
  const next = await leavingOf(at.ann, annId)
  assert.deepEqual(
    next['keys']?.map(({ label }) => label).toSorted(),
    ['Ann', 'Build'],
    'Ann answers for it now',
  )
})

test('shares and requests of a removed member stay, and are listed before', async () => {
  await using at = await scene()
  const id = await at.acme.submission({ label: 'Access review' })
  await at.acme.upload(id, form({ 'a.txt': 'a' }))
  const { kit_id } = await at.acme.ended(id)
  const expires_at = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '')
  const share = await at.bob.post('/v1/shares', { kit_id, expires_at })
  assert.equal(share.status, 201, share.text)
  const asked = { title: 'Quarter', items: [{ id: 'a', title: 'A' }] }
  const request = await at.bob.post('/v1/requests', asked)
  assert.equal(request.status, 201, request.text)
  await at.ann.post('/v1/requests', { ...asked, title: "Ann's" })
  const { shares, requests } = await leavingOf(at.ann, at.bobId)
  assert.deepEqual(
    shares?.map(({ label }) => label),
    ['Access review'],
  )
  assert.deepEqual(
    requests?.map(({ title }) => title),
    ['Quarter'],
  )
  assert.equal((await at.ann.send('DELETE', `/members/${at.bobId}`)).status, 204)
  const { share_id } = share.json as { share_id: string }
  assert.equal((await at.ann.get(`/v1/shares/${share_id}`)).json['status'], 'active')
})

test('a request of a removed member that was under way makes nothing', async () => {
  await using at = await scene()
  const { id } = await newKey(at.ann, 'Ann')
  assert.equal((await at.ann.send('DELETE', `/members/${at.bobId}`)).status, 204)
  const actor = { is: 'member', memberId: at.bobId as MemberId } as const
  const { workspaceId } = at.acme
  await administer(at.service, async ({ keys, invitations }) => {
    const email = 'bob@home.example'
    for (const make of [
      () => keys.create(workspaceId as WorkspaceId, { label: 'Late' }, actor),
      () => keys.extend(id as ApiKeyId, undefined, actor),
      () => invitations.invite({ workspaceId: workspaceId as WorkspaceId, email, role: 'owner' }, actor),
    ])
      await assert.rejects(make(), { code: 'session_required' })
  })
})
