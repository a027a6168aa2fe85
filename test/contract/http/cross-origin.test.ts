import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '@kitseal/server'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const APP = 'https://app.example'
const OTHER = 'https://other.example'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService({ KITSEAL_CORS_ORIGINS: `${APP}, http://localhost:3000` })
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const preflight = (path: string, origin: string, method = 'GET') =>
  fetch(service.base + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'x-api-key',
    },
  })
const allowed = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin')

test('any website may read public data, also errors, and without credentials', async () => {
  const { kitId } = await service.issue()
  for (const path of [
    `/v1/kits/${kitId}/receipt`,
    `/v1/kits/${kitId}/download`,
    '/v1/kits/kit_unknown/receipt',
    '/v1/intake/jobs/job_unknown',
    '/.well-known/jwks.json',
    '/log/checkpoint',
    '/openapi.json',
    '/schemas/Receipt.json',
  ]) {
    const response = await service.call(path, { headers: { origin: OTHER } })
    assert.equal(allowed(response), '*', path)
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Repr-Digest, Retry-After/)
  }
})

test('a preflight to public data names the methods, and lets no API key through', async () => {
  const response = await preflight('/v1/verify/receipt', OTHER, 'POST')
  assert.deepEqual([response.status, allowed(response)], [204, '*'])
  assert.equal(response.headers.get('access-control-allow-methods'), 'POST')
  const headers = response.headers.get('access-control-allow-headers') ?? ''
  assert.match(headers, /Content-Type/)
  assert.doesNotMatch(headers, /X-API-Key|Authorization/)
  assert.match(response.headers.get('vary') ?? '', /Origin/)
})

test('a listed website may use the API with an API key', async () => {
  const asked = await preflight('/v1/submissions', APP, 'POST')
  assert.deepEqual([asked.status, allowed(asked)], [204, APP])
  assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD, POST')
  assert.match(asked.headers.get('access-control-allow-headers') ?? '', /X-API-Key/)
  assert.equal(asked.headers.get('access-control-allow-credentials'), null)
  const response = await acme.get('/v1/submissions', { origin: APP })
  assert.deepEqual([allowed(response), response.headers.get('vary')], [APP, 'Origin'])
  const refused = await service.call('/v1/submissions', { headers: { origin: 'http://localhost:3000' } })
  assert.deepEqual([refused.status, allowed(refused)], [401, 'http://localhost:3000'])
})

test('a website that is not listed may not: neither null, nor a similar name, nor another scheme', async () => {
  for (const origin of [
    OTHER,
    'null',
    'http://app.example',
    `${APP}.evil.example`,
    'https://APP.example',
    '*',
  ]) {
    const asked = await preflight('/v1/submissions', origin, 'POST')
    assert.deepEqual([asked.status, allowed(asked)], [405, null], origin)
    const response = await acme.get('/v1/submissions', { origin })
    assert.deepEqual(
      [response.status, allowed(response), response.headers.get('vary')],
      [200, null, 'Origin'],
    )
  }
})

test('the console and the pages are for no other website', async () => {
  for (const path of ['/console/api/me', '/docs']) {
    const response = await fetch(service.base + path, { headers: { origin: APP } })
    assert.equal(allowed(response), null, path)
    assert.equal(allowed(await preflight(path, APP)), null, path)
  }
})

test('without a list, no website may use the API with an API key', async () => {
  await using closed = await testService()
  const response = await fetch(`${closed.base}/v1/submissions`, { headers: { origin: APP } })
  assert.deepEqual([allowed(response), response.headers.get('vary')], [null, null])
})

const isValid = (origins: string): boolean => readConfig({ KITSEAL_CORS_ORIGINS: origins }).ok

test('the list takes origins alone', () => {
  for (const right of ['', 'https://a.example,http://localhost:3000']) assert.ok(isValid(right), right)
  for (const wrong of [
    '*',
    'null',
    'a.example',
    'https://a.example/',
    'https://a.example/x',
    'HTTPS://A.example',
  ])
    assert.ok(!isValid(wrong), wrong)
})

test('downloads have the SHA-256 of the whole file, also with HEAD and with a range', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'any content' }))
  const kitId = String((await acme.ended(id))['kit_id'])
  for (const path of [
    `/v1/kits/${kitId}/download`,
    `/v1/kits/${kitId}/manifest`,
    `/v1/kits/${kitId}/receipt`,
    `/v1/submissions/${id}/deliverables/binder.pdf`,
    `/v1/submissions/${id}/deliverables/reports/intake_report.json`,
  ]) {
    const whole = await acme.get(path)
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(whole.bytes)))
    const digest = `sha-256=:${hash.toString('base64')}:`
    assert.equal(whole.headers.get('repr-digest'), digest, path)
    const headers = { 'x-api-key': acme.key }
    const head = await service.call(path, { method: 'HEAD', headers })
    assert.equal(head.headers.get('repr-digest'), digest, path)
    const part = await fetch(service.base + path, { headers: { ...headers, range: 'bytes=0-9' } })
    assert.equal(part.headers.get('repr-digest'), digest, path)
  }
  const outside = await acme.get(`/v1/kits/${kitId}/download`, { range: 'bytes=999999999-' })
  assert.deepEqual([outside.status, outside.headers.get('repr-digest')], [416, null])
})
