import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, inviteLink, member } from '../../kit/console.ts'
import {
  type Provider,
  enterBySso,
  problemOf,
  provider,
  signInBySso as signIn,
} from '../../kit/sign-in-provider.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const place = async (provides: Provider): Promise<TestService> => testService(provides.settings)

test('a member signs in with an email address verified by the provider', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  await member(service, 'viewer', undefined, 'ann@acme.example')
  const shown = (await browser(service).get('/public')).json['console'] as { oidc: { name: string } }
  assert.equal(shown.oidc.name, new URL(idp.issuer).host)
  idp.claims = { email: 'Ann@Acme.example' }
  const ann = browser(service)
  assert.deepEqual((await enterBySso(ann)).json, { return_to: '/console/keys' })
  const back = await signIn(ann)
  assert.deepEqual([back.status, back.headers.get('location')], [303, `${ann.origin}/console/keys`])
  const { member: self, session } = (await ann.get('/me')).json as Record<string, Record<string, string>>
  assert.deepEqual(
    [self?.['email'], self?.['role'], session?.['method']],
    ['ann@acme.example', 'viewer', 'oidc'],
  )
  const moved = await ann.send('PATCH', '/me', { email: 'owner@acme.example' })
  assert.deepEqual([moved.status, moved.json['code']], [409, 'email_fixed'])
  assert.equal((await ann.send('PATCH', '/me', { name: 'Ann' })).status, 200)
})

test('a verified email address accepts its open invitation, once', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  const token = await inviteLink(service, 'bob@acme.example', { role: 'member' })
  idp.claims = { email: 'bob@acme.example' }
  const bob = browser(service)
  await enterBySso(bob)
  assert.equal(((await bob.get('/me')).json['member'] as { role: string }).role, 'member')
  assert.equal(
    (await browser(service).post('/invitation', { token })).status,
    404,
    'the link can be used once',
  )
})

test('single sign-on switches between the workspaces of its address, with the role in each', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  const email = 'ann@acme.example'
  const [beta, gamma] = [await workspaceClient(service), await workspaceClient(service)]
  const first = await member(service, 'viewer', undefined, email)
  await member(service, 'viewer', beta.workspaceId, email)
  await member(service, 'owner', gamma.workspaceId, email)
  const stranger = await workspaceClient(service)
  await member(service, 'owner', stranger.workspaceId, 'eve@acme.example')
  idp.claims = { email }
  const ann = browser(service)
  await enterBySso(ann, gamma.workspaceId)
  const me = async () =>
    (await ann.get('/me')).json as {
      workspace: { workspace_id: string }
      workspaces: readonly { workspace_id: string; role: string }[]
      session: { session_id: string; ends_at: string }
      member: { role: string }
    }
  const before = await me()
  assert.equal(before.workspace.workspace_id, gamma.workspaceId)
  const others = [beta.workspaceId, gamma.workspaceId]
  assert.equal(before.workspaces.length, 3)
  assert.ok(others.every((id) => before.workspaces.some(({ workspace_id }) => workspace_id === id)))

  const oldCookies = new Map(ann.cookies)
  const switched = await ann.post('/switch', { workspace_id: beta.workspaceId })
  assert.equal(switched.status, 200, switched.text)
  const now = await me()
  assert.deepEqual(
    [now.workspace.workspace_id, now.member.role],
    [beta.workspaceId, 'viewer'],
    'the role there',
  )
  assert.notEqual(now.session.session_id, before.session.session_id)
  assert.equal(now.session.ends_at, before.session.ends_at, 'switching does not extend a session')
  assert.equal((await ann.post('/v1/keys', { label: 'x', scopes: ['read'] })).status, 403)
  const replay = browser(service)
  replay.cookies = oldCookies
  assert.equal((await replay.get('/me')).status, 401, 'the session before has ended')
  for (const [client, action] of [
    [beta, 'session.started'],
    [gamma, 'session.ended'],
  ] as const)
    assert.match((await client.get(`/v1/audit?action=${action}`)).bytes.toString(), /ses_/, action)

  assert.equal((await ann.post('/switch', { workspace_id: stranger.workspaceId })).status, 404)
  const owner = await member(service, 'owner', gamma.workspaceId, 'bob@acme.example')
  const { members } = (await owner.get('/members')).json as {
    members: readonly { member_id: string; email: string }[]
  }
  const removed = members.find((each) => each.email === email)?.member_id
  assert.equal((await owner.send('DELETE', `/members/${removed}`)).status, 204)
  assert.equal((await me()).workspaces.length, 2)
  const refused = await ann.post('/switch', { workspace_id: gamma.workspaceId })
  assert.deepEqual([refused.status, refused.json['code']], [404, 'member_not_found'])
  assert.equal((await me()).workspace.workspace_id, beta.workspaceId, 'still signed in')

  // A link proves one membership, not the address.
  assert.equal(((await first.get('/me')).json['workspaces'] as readonly unknown[]).length, 1)
  assert.equal((await first.post('/switch', { workspace_id: beta.workspaceId })).status, 404)
})

test('a stranger or an unverified address cannot sign in', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  await member(service, 'owner', undefined, 'ann@acme.example')
  for (const [claims, problem] of [
    [{ email: 'eve@acme.example' }, 'oidc_not_a_member'],
    [{ email: 'ann@acme.example', email_verified: false }, 'oidc_email_unverified'],
    [{}, 'oidc_email_unverified'],
    [{ email: 'ann@acme.example', nonce: 'another' }, 'oidc_refused'],
    [{ email: 'ann@acme.example', aud: 'another client' }, 'oidc_refused'],
  ] as const) {
    idp.claims = claims
    const user = browser(service)
    assert.equal(problemOf(await signIn(user)), problem, JSON.stringify(claims))
    assert.equal((await user.get('/me')).status, 401)
  }
})

test('an unsolicited, foreign or expired callback does not sign in', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  await member(service, 'owner', undefined, 'ann@acme.example')
  idp.claims = { email: 'ann@acme.example' }
  const swapped = browser(service)
  assert.equal(
    problemOf(await signIn(swapped, '/console', (url) => url.searchParams.set('state', 'another'))),
    'oidc_refused',
  )
  const wrong = browser(service)
  assert.equal(
    problemOf(await signIn(wrong, '/console', (url) => url.searchParams.set('code', 'x'))),
    'oidc_refused',
  )

  // A link with an attacker's code, opened by a victim who started no sign-in.
  const attacker = browser(service)
  let link = ''
  await signIn(attacker, '/console', (url) => {
    link = url.pathname.replace('/console/api', '') + url.search
    url.searchParams.set('state', 'kept for the victim')
  })
  const victim = browser(service)
  assert.equal(problemOf(await victim.get(link)), 'oidc_refused')
  assert.equal((await victim.get('/me')).status, 401)

  const ann = browser(service)
  let callback = ''
  await signIn(ann, '/console', (url) => (callback = url.pathname.replace('/console/api', '') + url.search))
  assert.equal(problemOf(await ann.get(callback)), 'oidc_refused', 'a second time')
})

test('sign-in redirects to console pages only', async () => {
  await using idp = await provider()
  await using service = await place(idp)
  await member(service, 'owner', undefined, 'ann@acme.example')
  idp.claims = { email: 'ann@acme.example' }
  await enterBySso(browser(service))
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/console/../v1',
    '/consoles',
    '/console\\evil',
  ]) {
    const user = browser(service)
    const back = await signIn(user, to)
    assert.equal(back.headers.get('location'), `${user.origin}/console`, to)
  }
})

test('an unavailable provider is reported, and tried again next time', async () => {
  const idp = await provider()
  await idp[Symbol.asyncDispose]()
  await using service = await place(idp)
  const answer = await browser(service).get('/oidc/start')
  assert.deepEqual([answer.status, problemOf(answer)], [303, 'oidc_unavailable'])
})

test('without a provider its routes are 404', async () => {
  await using service = await testService()
  assert.equal((await browser(service).get('/oidc/start')).status, 404)
  assert.equal((await browser(service).get('/oidc/callback?code=x&state=y')).status, 404)
})
