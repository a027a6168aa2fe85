import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, inviteLink, join, member, signInByPasskey } from '../../kit/console.ts'
import { type CreationOptions, type RequestOptions, softwareAuthenticator } from '../../kit/passkeys.ts'
import { testService } from '../../kit/service.ts'

test('an invitation link registers a passkey that can then sign in', async () => {
  await using service = await testService()
  const token = await inviteLink(service, 'Ann@Acme.example')
  const ann = browser(service)
  const shown = await ann.post('/invitation', { token })
  assert.deepEqual(
    [shown.status, shown.json['email'], shown.json['role'], shown.json['purpose']],
    [200, 'ann@acme.example', 'owner', 'join'],
  )
  const joined = await join(ann, token)
  assert.equal(joined.status, 200, joined.text)
  assert.equal((joined.json['member'] as { role: string }).role, 'owner')
  assert.equal((await ann.get('/me')).status, 200)

  const later = browser(service, ann.authenticator)
  assert.equal((await later.get('/me')).status, 401)
  const signedIn = await signInByPasskey(later)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.deepEqual((await later.get('/me')).json['member'], joined.json['member'])
})

test('an invitation works once, expires, and is replaced by a newer one', async () => {
  let now = Date.now()
  await using service = await testService({}, { now: () => now })
  const used = await inviteLink(service, 'ann@acme.example')
  assert.equal((await join(browser(service), used)).status, 200)
  for (const path of ['/invitation', '/invitation/options', '/invitation/accept'])
    assert.equal(
      (await browser(service).post(path, { token: used })).json['code'],
      'invitation_invalid',
      path,
    )

  const older = await inviteLink(service, 'bob@acme.example')
  const newer = await inviteLink(service, 'bob@acme.example')
  assert.equal((await browser(service).post('/invitation', { token: older })).status, 404)
  assert.equal((await browser(service).post('/invitation', { token: newer })).status, 200)
  now += 7 * 86_400_000 + 600_000
  assert.equal((await browser(service).post('/invitation/accept', { token: newer })).status, 404)
})

test('concurrent uses of one invitation sign in once', async () => {
  await using service = await testService()
  const token = await inviteLink(service, 'ann@acme.example')
  const responses = await Promise.all(
    [1, 2, 3].map(() => browser(service).post('/invitation/accept', { token })),
  )
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 404, 404])
})

test('a new link for a member adds a passkey and keeps the role', async () => {
  await using service = await testService()
  const ann = browser(service)
  await join(ann, await inviteLink(service, 'ann@acme.example'))
  const token = await inviteLink(service, 'ann@acme.example', { role: 'viewer' })
  const device = browser(service)
  const shown = await device.post('/invitation', { token })
  assert.deepEqual([shown.json['purpose'], shown.json['role']], ['sign_in', 'owner'])
  const joined = await join(device, token)
  assert.equal(joined.json['passkeys'], 2)
  assert.deepEqual(joined.json['member'], (await ann.get('/me')).json['member'])
})

test('registration rejects passkeys of other origins, users or ceremonies', async () => {
  await using service = await testService()
  const token = await inviteLink(service, 'ann@acme.example')
  const ann = browser(service)
  const getOptions = async () => (await ann.post('/invitation/options', { token })).json
  const answer = async (change: (options: CreationOptions) => object) => {
    const { ceremony, options } = await getOptions()
    return ann.post('/invitation/accept', { token, ceremony, response: change(options as CreationOptions) })
  }
  const phished = await answer((options) => ann.authenticator.create(options, 'https://evil.example'))
  assert.deepEqual([phished.status, phished.json['code']], [400, 'passkey_refused'])
  const other = await answer((options) =>
    ann.authenticator.create({ ...options, rp: { id: 'evil.example' } }),
  )
  assert.equal(other.json['code'], 'passkey_refused')
  const stale = await answer((options) => ann.authenticator.create({ ...options, challenge: 'c29tZXRoaW5n' }))
  assert.equal(stale.json['code'], 'passkey_refused')
  const unverified = await answer((options) =>
    softwareAuthenticator(ann.origin, { verifiesUser: false }).create(options),
  )
  assert.equal(unverified.json['code'], 'passkey_refused')
  const nonsense = await answer(() => ({ id: 'x' }))
  assert.equal(nonsense.json['code'], 'passkey_refused')

  // Started with one invitation, completed with another.
  const { ceremony, options } = await getOptions()
  const second = await inviteLink(service, 'bob@acme.example')
  const response = ann.authenticator.create(options as CreationOptions)
  const swapped = await ann.post('/invitation/accept', { token: second, ceremony, response })
  assert.equal(swapped.json['code'], 'passkey_refused')
  assert.equal((await ann.get('/me')).status, 401)
  assert.equal((await join(ann, token)).status, 200)
})

test('a sign-in works once, in time, and with a known passkey', async () => {
  let now = Date.now()
  await using service = await testService({}, { now: () => now })
  const ann = browser(service)
  await join(ann, await inviteLink(service, 'ann@acme.example'))
  const offered = await ann.post('/sign-in/options')
  const options = offered.json['options'] as RequestOptions
  const { ceremony } = offered.json
  const response = ann.authenticator.get(options)
  assert.equal((await browser(service).post('/sign-in', { ceremony, response })).status, 200)
  const again = await browser(service).post('/sign-in', { ceremony, response })
  assert.deepEqual([again.status, again.json['code']], [409, 'ceremony_over'])

  const late = await ann.post('/sign-in/options')
  now += 301_000
  const answer = {
    ceremony: late.json['ceremony'],
    response: ann.authenticator.get(late.json['options'] as RequestOptions),
  }
  assert.equal((await ann.post('/sign-in', answer)).json['code'], 'ceremony_over')

  const stranger = softwareAuthenticator(ann.origin)
  stranger.create({ challenge: 'eA', rp: { id: 'localhost' }, user: { id: 'eA' } })
  const unknown = await signInByPasskey(browser(service, stranger))
  assert.deepEqual([unknown.status, unknown.json['code']], [401, 'sign_in_failed'])

  const forged = await ann.post('/sign-in/options')
  const signed = ann.authenticator.get(forged.json['options'] as RequestOptions)
  const broken = { ...signed, response: { ...signed.response, signature: 'MEUCIQ' } }
  const refused = await browser(service).post('/sign-in', {
    ceremony: forged.json['ceremony'],
    response: broken,
  })
  assert.deepEqual([refused.status, refused.json['code']], [401, 'sign_in_failed'])
  assert.equal((await signInByPasskey(ann)).status, 200)
})

test('sign-in attempts are rate limited by address', async () => {
  const now = Date.now()
  await using service = await testService({ KITSEAL_RATE_LIMIT: '1000' }, { now: () => now })
  const statuses = new Map<number, number>()
  for (let round = 0; round < 40; round += 1) {
    const { status, headers } = await browser(service).post('/sign-in/options')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 429) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  assert.ok((statuses.get(429) ?? 0) >= 5, JSON.stringify([...statuses]))
  assert.equal((await browser(service).get('/public')).status, 200)
})

test('issuer and signing keys are public', async () => {
  await using service = await testService()
  const { status, json } = await browser(service).get('/public')
  assert.equal(status, 200)
  assert.equal(json['issuer'], service.base)
  const [key] = json['keys'] as readonly Record<string, unknown>[]
  assert.deepEqual([key?.['status'], key?.['until']], ['active', null])
  assert.deepEqual(json['console'], {
    url: `${service.base.replace('127.0.0.1', 'localhost')}/console`,
    passkeys: true,
    oidc: null,
  })
})

test('passkeys can be added, renamed and removed, except the last one', async () => {
  await using service = await testService()
  const ann = browser(service)
  await join(ann, await inviteLink(service, 'ann@acme.example'))
  const [first] = (await ann.get('/passkeys')).json['passkeys'] as readonly { passkey_id: string }[]
  const last = await ann.send('DELETE', `/passkeys/${first?.passkey_id}`)
  assert.deepEqual([last.status, last.json['code']], [409, 'last_passkey'])

  const { ceremony, options } = (await ann.post('/passkeys/options')).json
  assert.throws(() => ann.authenticator.create(options as CreationOptions), /InvalidStateError/)
  const device = softwareAuthenticator(ann.origin)
  const response = device.create(options as CreationOptions)
  const added = await ann.post('/passkeys', { ceremony, response, label: 'Security key' })
  assert.equal(added.status, 201, added.text)
  const { passkey_id } = added.json['passkey'] as { passkey_id: string }
  const named = await ann.send('PATCH', `/passkeys/${passkey_id}`, { label: 'Blue key' })
  assert.equal((named.json['passkey'] as { label: string }).label, 'Blue key')
  assert.equal((await signInByPasskey(browser(service, device))).status, 200)

  const bob = await member(service, 'member', undefined, 'bob@acme.example')
  assert.equal((await bob.send('DELETE', `/passkeys/${passkey_id}`)).status, 404)
  assert.equal((await ann.send('DELETE', `/passkeys/${passkey_id}`)).status, 204)
  assert.equal((await signInByPasskey(browser(service, device))).status, 401)
})
