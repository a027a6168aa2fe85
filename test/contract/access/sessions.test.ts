// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { test } from 'node:test'
import { browser, inviteLink, join, member, signInByPasskey } from '../../kit/console.ts'
import { onPostgres } from '../../kit/databases.ts'
import { testService } from '../../kit/service.ts'

test('the session cookie is HttpOnly and SameSite=Strict, and only its hash is stored', async () => {
  await using service = await testService()
  const token = await inviteLink(service, 'ann@acme.example')
  const ann = browser(service)
  const joined = await ann.post('/invitation/accept', { token })
  const [line = ''] = joined.headers.getSetCookie()
  assert.match(line, /^kitseal-console=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/)
  const secret = ann.cookies.get('kitseal-console') ?? ''
  const stored = globSync('kitseal.sqlite*', { cwd: service.dataFolder }).map((name) =>
    readFileSync(path(service.dataFolder, name)),
  )
  assert.ok(onPostgres || stored.length > 0, 'PostgreSQL has its files elsewhere')
  for (const bytes of stored) {
    assert.ok(!bytes.includes(secret))
    assert.ok(!bytes.includes(token))
  }
  assert.ok(!service.log().includes(secret) && !service.log().includes(token))
})

test('with https the cookie is Secure with a __Host- prefix', async () => {
  await using service = await testService({ KITSEAL_ISSUER: 'https://kits.example' })
  const token = await inviteLink(service, 'ann@acme.example')
  const user = browser(service)
  const joined = await user.post('/invitation/accept', { token }, { origin: 'https://kits.example' })
  assert.equal(joined.status, 200, joined.text)
  assert.match(
    joined.headers.getSetCookie()[0] ?? '',
    /^__Host-kitseal-console=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test('a session ends after its idle timeout and after its maximum lifetime', async () => {
  let now = Date.now()
  await using service = await testService(
    { KITSEAL_SESSION_IDLE_MINUTES: '30', KITSEAL_SESSION_HOURS: '2' },
    { now: () => now },
  )
  const idle = await member(service)
  const busy = await member(service, 'member')
  for (let minutes = 0; minutes < 110; minutes += 20) {
    assert.equal((await busy.get('/me')).status, 200, `after ${minutes} minutes`)
    now += 20 * 60_000
  }
  assert.equal((await idle.get('/me')).status, 401)
  assert.equal((await busy.get('/me')).status, 401)
})

test('background polling does not extend the session', async () => {
  let now = Date.now()
  await using service = await testService({ KITSEAL_SESSION_IDLE_MINUTES: '30' }, { now: () => now })
  const user = await member(service)
  for (let round = 0; round < 2; round += 1) {
    now += 20 * 60_000
    const { status } = await user.get('/me', { 'x-console-background': '1' })
    assert.equal(status, round === 0 ? 200 : 401)
  }
})

test('the session secret rotates, and the previous one works until the new one is used', async () => {
  let now = Date.now()
  await using service = await testService({}, { now: () => now })
  const user = await member(service)
  const first = user.cookies.get('kitseal-console') ?? ''
  now += 15 * 60_000
  await user.get('/me')
  const second = user.cookies.get('kitseal-console') ?? ''
  assert.notEqual(second, first)

  // The response with the new secret was lost: the old secret still works and is rotated again.
  const lost = browser(service)
  lost.cookies.set('kitseal-console', first)
  now += 61_000
  assert.equal((await lost.get('/me')).status, 200)
  const third = lost.cookies.get('kitseal-console') ?? ''
  assert.notEqual(third, first)
  assert.equal((await lost.get('/me')).status, 200)
})

test('reusing a replaced secret ends the session', async () => {
  let now = Date.now()
  await using service = await testService({}, { now: () => now })
  const user = await member(service)
  const old = user.cookies.get('kitseal-console') ?? ''
  now += 15 * 60_000
  await user.get('/me')
  await user.get('/me')
  const attacker = browser(service)
  attacker.cookies.set('kitseal-console', old)
  assert.equal(
    (await attacker.get('/me')).status,
    200,
    'within the grace period it may be a request in flight',
  )
  now += 61_000
  attacker.cookies.set('kitseal-console', old)
  for (const each of [attacker, user]) {
    const ended = await each.get('/me')
    assert.deepEqual([ended.status, ended.json['code']], [401, 'session_stolen'])
    assert.equal((await each.get('/me')).json['code'], 'session_required')
  }
})

test('signing in again ends the previous session of the browser', async () => {
  await using service = await testService()
  const ann = browser(service)
  await join(ann, await inviteLink(service, 'ann@acme.example'))
  const before = new Map(ann.cookies)
  await signInByPasskey(ann)
  assert.notDeepEqual(ann.cookies, before)
  const old = browser(service)
  old.cookies = before
  assert.equal((await old.get('/me')).status, 401)
})

test('signing out ends one, other or all sessions at once', async () => {
  await using service = await testService()
  const ann = browser(service)
  await join(ann, await inviteLink(service, 'ann@acme.example'))
  const others = [
    browser(service, ann.authenticator),
    browser(service, ann.authenticator),
    browser(service, ann.authenticator),
  ]
  for (const other of others) await signInByPasskey(other)
  const listed = (await ann.get('/sessions')).json['sessions'] as readonly {
    session_id: string
    current: boolean
  }[]
  assert.equal(listed.length, 4)
  assert.equal(listed.filter(({ current }) => current).length, 1)

  const [one, two, three] = others as [typeof ann, typeof ann, typeof ann]
  const kept = new Map(one.cookies)
  assert.equal((await one.post('/sign-out')).status, 204)
  assert.equal(one.cookies.size, 0)
  one.cookies = kept
  assert.equal((await one.get('/me')).status, 401, 'a copied cookie no longer works')

  const { session_id } = ((await two.get('/sessions')).json['sessions'] as typeof listed).find(
    (each) => each.current,
  )!
  assert.equal((await ann.send('DELETE', `/sessions/${session_id}`)).status, 204)
  assert.equal((await ann.send('DELETE', `/sessions/${session_id}`)).status, 404)
  assert.equal((await two.get('/me')).status, 401)
  assert.equal((await ann.post('/sessions/end-others')).status, 204)
  assert.equal((await three.get('/me')).status, 401)
  assert.equal((await ann.get('/me')).status, 200)
  await signInByPasskey(three)
  assert.equal((await ann.post('/sign-out-everywhere')).status, 204)
  assert.equal((await three.get('/me')).status, 401)
})

test("a member cannot end another member's session", async () => {
  await using service = await testService()
  const [ann, bob] = [await member(service), await member(service, 'member')]
  const [own] = (await ann.get('/sessions')).json['sessions'] as readonly { session_id: string }[]
  assert.equal((await bob.send('DELETE', `/sessions/${own?.session_id}`)).status, 404)
  assert.equal((await ann.get('/me')).status, 200)
})

test('changes are accepted from console pages only', async () => {
  await using service = await testService()
  const user = await member(service)
  const send = (headers: Record<string, string>) =>
    user.send('PATCH', '/workspace', { name: 'Taken over' }, headers)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${user.origin}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'x-console-request': '' },
  ]) {
    const response = await send(headers)
    assert.deepEqual(
      [response.status, response.json['code']],
      [403, 'cross_site_refused'],
      JSON.stringify(headers),
    )
  }
  // Like a form on another site, which cannot set headers.
  const form = await user.send('POST', '/sign-out', undefined, {
    origin: 'https://evil.example',
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal(form.status, 403)
  const plain = await user.send('POST', '/v1/keys', undefined, { 'content-type': 'text/plain' })
  assert.equal(plain.status, 415)
  const workspace = (await user.get('/me')).json['workspace'] as { name: string }
  assert.equal(workspace.name, 'default')
  assert.equal((await send({})).status, 200)
})

test('API keys are not accepted by the console', async () => {
  await using service = await testService()
  const user = await member(service)
  const key = service.service.firstApiKey ?? ''
  assert.equal((await browser(service).get('/me', { 'x-api-key': key })).status, 401)
  assert.equal((await user.get('/me', { 'x-api-key': key })).status, 401)
  assert.equal((await user.get('/me', { 'x-api-key': 'ks_wrong' })).status, 401)
})
