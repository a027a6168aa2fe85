import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answered,
  type Browser,
  browser,
  inviteLink,
  join,
  member,
  signInByPasskey,
} from '../../kit/console.ts'
import {
  enterBySso,
  isAsked,
  offered,
  provider,
  signInBySso,
  workspaceOf,
} from '../../kit/sign-in-provider.ts'
import type { CreationOptions } from '../../kit/passkeys.ts'
import { testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

const ANN = 'ann@acme.example'

/** Ann signs in with SSO to Acme. Eve owns another workspace of the same service. */
async function scene() {
  const idp = await provider()
  let ahead = 0
  const service = await testService(idp.settings, { now: () => Date.now() + ahead })
  const [acme, eves] = [
    (await workspaceClient(service)).workspaceId,
    (await workspaceClient(service)).workspaceId,
  ]
  await inviteLink(service, ANN, { workspaceId: acme, role: 'member' })
  idp.claims = { email: ANN }
  const ann = browser(service)
  await enterBySso(ann, acme)
  const eve = await member(service, 'owner', eves, 'eve@evil.example')
  return {
    idp,
    service,
    acme,
    eves,
    ann,
    eve,
    aSecondLater: () => void (ahead += 1000),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await idp[Symbol.asyncDispose]()
    },
  }
}

const tokenOf = ({ json, text }: Answered): string => {
  assert.ok(typeof json['link'] === 'string', text)
  return json['link'].slice(json['link'].indexOf('#') + 1)
}

const SSO_REQUIRED = [409, 'sso_required']
const codeOf = ({ status, json }: Answered) => [status, json['code']]

const me = async (user: Browser) => (await user.get('/me')).json as { member: { email: string } }

test('an owner of another workspace cannot catch the next sign-in of a person with single sign-on', async () => {
  await using at = await scene()
  const token = tokenOf(await at.eve.post('/invitations', { email: ANN, role: 'member' }))
  const trap = browser(at.service)
  assert.equal((await trap.post('/invitation', { token })).json['sso_required'], true)
  assert.deepEqual(codeOf(await trap.post('/invitation/accept', { token })), SSO_REQUIRED)
  assert.deepEqual(codeOf(await trap.post('/invitation/options', { token })), SSO_REQUIRED)
  assert.equal((await trap.get('/me')).status, 401)
  const again = browser(at.service)
  assert.ok(isAsked(await signInBySso(again)), 'the invitation is new')
  assert.deepEqual(
    (await offered(again)).map(({ workspace_id, is }) => [workspace_id, is]).toSorted(),
    [
      [at.acme, 'member'],
      [at.eves, 'invited'],
    ].toSorted(),
  )
  assert.equal((await again.post('/oidc/choose', { workspace_id: at.acme })).status, 200)
  assert.equal(await workspaceOf(again), at.acme)
})

test('an address that single sign-on has proved is taken in no other way', async () => {
  await using at = await scene()
  const { eve } = at
  assert.deepEqual(codeOf(await eve.send('PATCH', '/me', { email: 'Ann@Acme.example' })), SSO_REQUIRED)
  const token = tokenOf(await eve.post('/invitations', { email: 'mallory@evil.example', role: 'owner' }))
  const renamed = await browser(at.service).post('/invitation/accept', { token, email: ANN })
  assert.deepEqual(codeOf(renamed), SSO_REQUIRED)
  assert.equal((await browser(at.service).post('/invitation/accept', { token })).status, 200, 'as invited')

  // A passkey of Ann does not move her membership to an address that the provider did not verify.
  const { ceremony, options } = (await at.ann.post('/passkeys/options')).json
  const response = at.ann.authenticator.create(options as CreationOptions)
  assert.equal((await at.ann.post('/passkeys', { ceremony, response })).status, 201)
  assert.equal((await signInByPasskey(at.ann)).status, 200)
  assert.deepEqual(codeOf(await at.ann.send('PATCH', '/me', { email: 'x@acme.example' })), [
    409,
    'email_fixed',
  ])
})

test('a link of the operator does not sign in a person with single sign-on', async () => {
  await using at = await scene()
  const token = await inviteLink(at.service, ANN, { workspaceId: at.acme })
  assert.deepEqual(codeOf(await browser(at.service).post('/invitation/accept', { token })), SSO_REQUIRED)
})

test('a person who proves an address is alone in the membership that a link opened before', async () => {
  await using at = await scene()
  const email = 'bob@acme.example'
  const trap = browser(at.service)
  assert.equal(
    (await join(trap, tokenOf(await at.eve.post('/invitations', { email, role: 'owner' })))).status,
    200,
  )
  at.idp.claims = { email }
  const bob = browser(at.service)
  assert.ok(isAsked(await signInBySso(bob)), 'even if there is no other workspace')
  assert.deepEqual(
    (await offered(bob)).map(({ is }) => is),
    ['linked'],
  )
  assert.equal((await trap.get('/me')).status, 200, 'nothing happens before Bob chooses')
  assert.equal((await bob.post('/oidc/choose', { workspace_id: at.eves })).status, 200)
  assert.equal(await workspaceOf(bob), at.eves)
  assert.equal((await trap.get('/me')).status, 401, 'the session has ended')
  assert.deepEqual(codeOf(await signInByPasskey(trap)), [401, 'sign_in_failed'])
  assert.equal((await bob.get('/me')).status, 200)
})

test('a session of single sign-on that switches is alone in the other membership, too', async () => {
  await using at = await scene()
  const email = 'bob@acme.example'
  const trap = browser(at.service)
  await trap.post('/invitation/accept', {
    token: tokenOf(await at.eve.post('/invitations', { email, role: 'viewer' })),
  })
  await inviteLink(at.service, email, { workspaceId: at.acme })
  at.idp.claims = { email }
  const bob = browser(at.service)
  await enterBySso(bob, at.acme)
  assert.equal((await bob.post('/switch', { workspace_id: at.eves })).status, 200)
  assert.equal((await trap.get('/me')).status, 401)
})

test('signing in with several workspaces asks which one, and remembers it', async () => {
  await using at = await scene()
  const other = (await workspaceClient(at.service)).workspaceId
  await inviteLink(at.service, ANN, { workspaceId: other })
  at.aSecondLater()
  const ann = browser(at.service)
  assert.ok(isAsked(await signInBySso(ann)))
  assert.equal((await ann.get('/me')).status, 401, 'not signed in before the choice')
  const strange = await ann.post('/oidc/choose', { workspace_id: at.eves })
  assert.deepEqual(codeOf(strange), [404, 'member_not_found'])
  assert.deepEqual(codeOf(await ann.get('/oidc/choices')), [409, 'ceremony_over'], 'one answer')
  await enterBySso(ann, other)
  for (const chosen of [other, at.acme]) {
    at.aSecondLater()
    assert.equal((await ann.post('/switch', { workspace_id: chosen })).status, 200)
    at.aSecondLater()
    const next = browser(at.service)
    assert.ok(!isAsked(await signInBySso(next)))
    assert.equal(await workspaceOf(next), chosen)
  }
  const start = await ann.get('/oidc/start?ask=workspace')
  assert.equal(start.status, 303)
})

test('an invitation that is accepted while someone else is signed in signs that one out', async () => {
  await using at = await scene()
  const before = new Map(at.ann.cookies)
  const token = tokenOf(await at.eve.post('/invitations', { email: 'new@evil.example', role: 'viewer' }))
  assert.equal((await at.ann.post('/invitation/accept', { token })).status, 200)
  assert.equal((await me(at.ann)).member.email, 'new@evil.example')
  at.ann.cookies = before
  assert.equal((await at.ann.get('/me')).status, 401)
})
