import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Checked } from '../../kit/http.ts'
import { AUDIENCE, close, listen, type Provider, startProvider } from '../../kit/ci-provider.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { clientOf, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const RULES = [
  { claim: 'repository', equals: 'acme/evidence' },
  { claim: 'ref', prefix: 'refs/heads/' },
]

let now = Date.now()
let service: TestService
let acme: WorkspaceClient
let provider: Provider
before(async () => {
  provider = await startProvider()
  service = await testService({ KITSEAL_FEDERATION_ALLOW: '127.0.0.1' }, { now: () => now })
  acme = await workspaceClient(service)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await provider.stop()
})

test('a CI job exchanges its token for one that lives 15 minutes, with the scopes of the federation', async () => {
  const federation_id = await federate()
  const made = await exchange(federation_id, await signedToken())
  assert.equal(made.status, 200, made.bytes.toString())
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const { access_token, token_type, expires_in, scope, workspace_id } = made.json
  assert.deepEqual([token_type, expires_in, scope], ['Bearer', 900, 'submit read'])
  assert.equal(workspace_id, acme.workspaceId)
  const job = clientOf(service, acme.workspaceId, String(access_token))
  assert.equal((await job.get(`/v1/submissions/${await job.submission()}`)).status, 200)
  assert.equal((await job.get('/v1/keys')).json['code'], 'scope_missing')
  const bearer = { headers: { authorization: `Bearer ${String(access_token)}` } }
  assert.equal((await service.call('/v1/credits', bearer)).status, 200)
  assert.ok(!(await acme.get('/v1/keys')).bytes.includes('GitHub'), 'tokens are not in the list of keys')
  const { data: events } = (await acme.get('/v1/audit')).json as { data: readonly Record<string, unknown>[] }
  const created = events.find(({ action }) => action === 'key.created')
  assert.ok(JSON.stringify(created).includes(federation_id))
  assert.ok(!service.log().includes(String(access_token)))

  now += 15 * 60_000 - 1000
  assert.equal((await job.get('/v1/credits')).status, 200)
  now += 2000
  assert.equal((await job.get('/v1/credits')).status, 401)
  now = Date.now()
})

test('a workspace has at most 50 federations', async () => {
  const crowd = await workspaceClient(service)
  const body = { label: 'CI', issuer: 'https://ci.example', claims: RULES }
  for (let count = 0; count < 50; count += 1)
    assert.equal((await crowd.post('/v1/federation', body)).status, 201)
  const tooMany = await crowd.post('/v1/federation', body)
  assert.deepEqual([tooMany.status, tooMany.json['code']], [409, 'federation_limit'])
  const { data: federations } = (await crowd.get('/v1/federation')).json as { data: readonly unknown[] }
  assert.equal(federations.length, 50)
})

test('a token is exchanged once, also by two requests at the same time', async () => {
  const federation_id = await federate()
  const token = await signedToken()
  const both = await Promise.all([exchange(federation_id, token), exchange(federation_id, token)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])
  assert.match(problem(await exchange(federation_id, token)), /exchanged before/)
  const other = await federate()
  assert.match(problem(await exchange(other, token)), /exchanged before/)
})

test('until it expires, a token is exchanged again by the holder of a valid key of the same run, and by nobody else', async () => {
  const federation_id = await federate()
  const token = await signedToken()
  const renew = (actor_token: unknown) =>
    service.post('/v1/token', {
      ...exchangeBody(federation_id, token),
      actor_token,
      actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
  const first = (await exchange(federation_id, token)).json['access_token']
  const second = await renew(first)
  assert.equal(second.status, 200, second.bytes.toString())
  assert.notEqual(second.json['access_token'], first)
  const other = (await exchange(await federate(), await signedToken())).json['access_token']
  for (const wrong of ['x', acme.key, other, `${String(first)}x`])
    assert.match(problem(await renew(wrong)), /exchanged before/)
  now += 8 * 60_000
  assert.equal((await renew(second.json['access_token'])).status, 200)
  now += 7 * 60_000 + 1000
  assert.match(problem(await renew(first)), /exchanged before|expired/)
  now = Date.now()
})

test('a token of another audience, issuer, repository or time is not accepted', async () => {
  const federation_id = await federate()
  const rejects = async (token: string, expected: RegExp, id = federation_id): Promise<void> =>
    assert.match(problem(await exchange(id, token)), expected)
  await rejects(await signedToken('https://other.example'), /audience is not https:\/\/kits\.example/)
  await rejects(
    await signedToken(),
    /claim repository does not match/,
    await federate([{ claim: 'repository', equals: 'acme/evidence2' }]),
  )
  await rejects(
    await signedToken(),
    /claim ref does not match/,
    await federate([{ claim: 'ref', prefix: 'refs/tags/' }]),
  )
  await rejects(
    await signedToken(),
    /claim environment does not match/,
    await federate([{ claim: 'environment', equals: 'undefined' }]),
  )
  await rejects(await signedToken(), /another issuer/, await federate(RULES, 'https://other.example'))
  await rejects(await signedToken(), /no federation/, 'fed_unknown')
  await rejects('not.a.token', /not a JSON Web Token/)

  const token = await signedToken()
  now += 24 * 3_600_000
  await rejects(token, /has expired/)
  now = Date.now() - 3_600_000
  await rejects(token, /issued in the future/)
  now = Date.now()
  assert.equal((await exchange(federation_id, token)).status, 200, 'nothing was used up')
})

test('a forged token is not accepted', async () => {
  const federation_id = await federate()
  const real = await signedToken()
  const [head = '', body = '', signature = ''] = real.split('.')
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const signed = (header: object, key: CryptoKey | Uint8Array, alg = 'RS256'): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg, ...header }).sign(key)
  const jwk: JWK = await exportJWK(publicKey)
  for (const [what, token] of Object.entries({
    'a foreign key': await signed({ kid }, privateKey),
    'a key in the token': await signed({ jwk }, privateKey),
    'an unknown key': await signed({ kid: 'unknown' }, privateKey),
    'a changed claim': [head, encoded({ ...payload, ref: 'refs/heads/other' }), signature].join('.'),
    'no algorithm': `${encoded({ alg: 'none' })}.${body}.`,
    'an HMAC with the public key': await signed({ kid }, Buffer.from(JSON.stringify(jwk)), 'HS256'),
  })) {
    const { status, json } = await exchange(federation_id, token)
    assert.deepEqual([status, json['code']], [401, 'token_rejected'], what)
  }
})

test('a token of a deleted federation stops working at once', async () => {
  const federation_id = await federate()
  const { access_token } = (await exchange(federation_id, await signedToken())).json
  const job = clientOf(service, acme.workspaceId, String(access_token))
  assert.equal((await job.get('/v1/credits')).status, 200)
  const keyId = String(access_token).split('_').slice(1, 3).join('_')
  const rotated = await acme.post(`/v1/keys/${keyId}/rotate`, {})
  assert.equal(rotated.json['code'], 'key_not_found', 'a rotated token would outlive the federation')
  const path = `/v1/federation/${federation_id}`
  const stranger = await workspaceClient(service)
  assert.equal((await send('DELETE', path, undefined, stranger)).json['code'], 'federation_not_found')
  assert.equal((await send('DELETE', path)).status, 204)
  assert.equal((await job.get('/v1/credits')).status, 401)
  assert.match(problem(await exchange(federation_id, await signedToken())), /no federation/)
})

test('federations are listed, changed, and checked when they are created', async () => {
  const federation_id = await federate()
  const changed = await send('PUT', `/v1/federation/${federation_id}`, {
    ...request(RULES, provider.issuer),
    scopes: ['read'],
  })
  assert.deepEqual(changed.json['scopes'], ['read'])
  assert.deepEqual((await acme.get(`/v1/federation/${federation_id}`)).json, changed.json)
  assert.ok((await acme.get('/v1/federation')).bytes.includes(federation_id))
  for (const wrong of [
    { claims: [] },
    { claims: [{ claim: 'sub', prefix: 'repo:acme' }] },
    { claims: [{ claim: 'sub', prefix: 'a/', equals: 'a' }] },
    { claims: [{ claim: 'sub' }] },
    { issuer: 'http://issuer.example' },
    { issuer: 'https://issuer.example/?a' },
    { scopes: ['all'] },
  ]) {
    const body = { ...request(RULES, provider.issuer), ...wrong }
    assert.equal(
      (await acme.post('/v1/federation', body)).json['code'],
      'body_invalid',
      JSON.stringify(wrong),
    )
  }
})

test('keys are not fetched from private addresses that are not allowed, nor from a page that is no key set', async () => {
  for (const issuer of ['http://[::1]:9', 'https://10.0.0.1']) {
    const federation_id = await federate(RULES, issuer)
    const token = await unsigned(issuer)
    const { status, json } = await exchange(federation_id, token)
    assert.deepEqual([status, json['code']], [503, 'issuer_unavailable'])
    assert.match(String(json['message']), /not a public address/)
  }
  await using other = await startPage('<html>')
  const federation_id = await federate(RULES, other.issuer)
  assert.match(problem(await exchange(federation_id, await unsigned(other.issuer))), /did not return JSON/)
})

test('a form of RFC 8693 is read, and a repeated parameter is refused', async () => {
  const federation_id = await federate()
  const form = new URLSearchParams(exchangeBody(federation_id, await signedToken()))
  assert.equal((await postForm(`${form.toString()}&federation_id=x`)).json['code'], 'body_invalid')
  assert.equal((await postForm(form.toString())).status, 200)
  assert.equal((await postForm('grant_type=password')).json['code'], 'body_invalid')
})

const request = (claims: readonly object[], issuer: string) => ({
  label: 'GitHub',
  issuer,
  audience: AUDIENCE,
  claims,
})

/** The clock of the service stands still: it is set to a time after the token was signed. */
async function signedToken(audience?: string): Promise<string> {
  const token = await provider.token(audience)
  now = Date.now()
  return token
}

async function federate(claims: readonly object[] = RULES, issuer = provider.issuer): Promise<string> {
  const made = await acme.post('/v1/federation', request(claims, issuer))
  assert.equal(made.status, 201, made.bytes.toString())
  return String(made.json['federation_id'])
}

const exchangeBody = (federation_id: string, subject_token: string) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  federation_id,
})

const exchange = (id: string, token: string): Promise<Checked> =>
  service.post('/v1/token', exchangeBody(id, token))

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const postForm = (body: string): Promise<Checked> =>
  service.call('/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

const problem = ({ json }: Checked): string => `${String(json['code'])} ${String(json['message'])}`

const send = (method: string, path: string, body?: object, { key } = acme): Promise<Checked> =>
  service.call(path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

async function unsigned(iss: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT({ iss }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
}

async function startPage(text: string): Promise<{ readonly issuer: string } & AsyncDisposable> {
  const server = createServer((_request, response) => response.end(text))
  return { issuer: await listen(server), [Symbol.asyncDispose]: () => close(server) }
}
