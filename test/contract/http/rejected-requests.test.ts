import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rawRequest } from '../../kit/raw-http.ts'
import { type TestService, testService } from '../../kit/service.ts'

let service: TestService
/** Only for requests that never end: on a busy machine others may take a second too. */
let impatient: TestService

before(async () => {
  service = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: '300' })
  impatient = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: '1' })
})
after(async () => {
  await impatient[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const JOBS = '/v1/intake/jobs'
const VERIFY = '/v1/verify/receipt'
const GOOD = { tenant_id: 'acme', scope_label: 'label' }

const NOT_JSON: Readonly<Record<string, string>> = {
  'an empty body': '',
  'a word': 'hello',
  'half an object': '{"tenant_id":"a"',
  'two objects': '{}{}',
  'a trailing comma': '{"tenant_id":"a","scope_label":"b",}',
  'a comment': '{"tenant_id":"a"/*x*/,"scope_label":"b"}',
  'a duplicate member': '{"tenant_id":"a","scope_label":"b","tenant_id":"c"}',
  'a duplicate member, once escaped': '{"tenant_id":"a","scope_label":"b","tenant\\u005fid":"c"}',
  'a lone surrogate': '{"tenant_id":"a","scope_label":"\\ud800"}',
  'an unsafe number': '{"tenant_id":"a","scope_label":"b","x":9007199254740993}',
  'a byte order mark': '\ufeff{"tenant_id":"a","scope_label":"b"}',
  'deep nesting': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'single quotes': "{'tenant_id':'a','scope_label':'b'}",
}

for (const path of [JOBS, VERIFY]) {
  for (const [what, body] of Object.entries(NOT_JSON)) {
    test(`${what} sent to ${path} is 400 json_malformed`, async () => {
      const response = await service.post(path, body)
      assert.deepEqual([response.status, response.json['code']], [400, 'json_malformed'])
    })
  }
  for (const body of ['null', 'true', '7', '"text"', '[]', '[{}]']) {
    test(`${body} sent to ${path} is 400 body_not_an_object`, async () => {
      const response = await service.post(path, body)
      assert.deepEqual([response.status, response.json['code']], [400, 'body_not_an_object'])
    })
  }
  test(`bytes that are not UTF-8 sent to ${path} are 400`, async () => {
    const body = Buffer.from('7b2274656e616e745f6964223a22ff227d', 'hex')
    const response = await service.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    assert.deepEqual([response.status, response.json['code']], [400, 'json_malformed'])
  })
  for (const type of [
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'multipart/form-data; boundary=x',
    'nonsense',
  ]) {
    test(`${type} sent to ${path} is 415`, async () => {
      const response = await service.post(path, GOOD, { 'content-type': type })
      assert.deepEqual([response.status, response.json['code']], [415, 'media_type_unsupported'])
    })
  }
  test(`a compressed body sent to ${path} is 415`, async () => {
    const response = await service.post(path, GOOD, { 'content-encoding': 'gzip' })
    assert.equal(response.status, 415)
  })
  test(`a body of 200 KB sent to ${path} is 413`, async () => {
    const response = await service.post(path, { ...GOOD, boundary: 'x'.repeat(200_000) })
    assert.deepEqual([response.status, response.json['code']], [413, 'body_too_large'])
  })
  test(`a POST to ${path} without a body is 400`, async () => {
    const response = await service.call(path, { method: 'POST' })
    assert.equal(response.status, 400)
  })
}

const INVALID: readonly (readonly [object, readonly string[]])[] = [
  [{}, ['tenant_id is missing', 'scope_label is missing']],
  [{ tenant_id: 1, scope_label: null }, ['tenant_id must be a string', 'scope_label must be a string']],
  [
    { tenant_id: '', scope_label: 'x'.repeat(201) },
    ['tenant_id must have 1 to 200', 'scope_label must have 1 to 200'],
  ],
  [{ ...GOOD, tenant_id: 'two\nlines' }, ['tenant_id must be one line']],
  [{ ...GOOD, scope_label: 'nul\0' }, ['scope_label must be one line']],
  [{ ...GOOD, status: 'ISSUED' }, ['status must be one of DRAFT, SUBMITTED']],
  [{ ...GOOD, status: null }, ['status must be']],
  [{ ...GOOD, kit_id: 5 }, ['kit_id must be a string or null']],
  [{ ...GOOD, job_id: {} }, ['job_id must be a string']],
  [{ ...GOOD, boundary: [] }, ['boundary must be a string']],
  [
    { ...GOOD, created_at: 'yesterday', updated_at: '2026-02-30T00:00:00Z' },
    ['created_at must be a date-time', 'updated_at must be a date-time'],
  ],
  [{ ...GOOD, created_at: 0 }, ['created_at must be a date-time']],
  [{ ...GOOD, extra: 1, constructor: 2 }, ['"extra" is not allowed', '"constructor" is not allowed']],
  [
    { tenant_id: [], status: 'x', kit_id: 1, y: 0 },
    ['tenant_id must', 'scope_label is missing', 'status must', 'kit_id must', '"y" is not'],
  ],
]

for (const [body, problems] of INVALID) {
  test(`${JSON.stringify(body).slice(0, 70)} is 400 and lists every problem`, async () => {
    const response = await service.post(JOBS, body)
    assert.deepEqual([response.status, response.json['code']], [400, 'body_invalid'])
    for (const problem of problems)
      assert.ok(String(response.json['message']).includes(problem), String(response.json['message']))
  })
}

test('a rejected job writes nothing', async () => {
  const waiting = async () => /kitseal_jobs_waiting (\d+)/.exec(await service.metrics())?.[1]
  await service.post(JOBS, { tenant_id: 'a' })
  assert.equal(await waiting(), '0')
})

const MISSING = [
  'x',
  '..',
  '%2e%2e',
  "'; drop table jobs",
  'job_1lfqisfi_l2JWKqgU1iUb9ifxkSQS',
  'kit_1lfqisfi_l2JWKqgU1iUb9ifxkSQS',
  'a'.repeat(100),
  'a'.repeat(5000),
  '%00',
  '%F0%9F%A7%BE',
]
for (const id of MISSING) {
  for (const path of [`${JOBS}/ID`, '/v1/kits/ID/manifest', '/v1/kits/ID/receipt', '/v1/kits/ID/download']) {
    test(`${path} is 404 for ${id.slice(0, 40)}`, async () => {
      const response = await service.call(path.replace('ID', encodeURI(id).replaceAll('%25', '%')))
      assert.equal(response.status, 404)
      assert.match(String(response.json['code']), /_not_found$/)
    })
  }
}

const METHODS: readonly (readonly [string, string, string])[] = [
  ['GET', JOBS, 'POST'],
  ['DELETE', JOBS, 'POST'],
  ['PUT', `${JOBS}/x`, 'GET, HEAD'],
  ['POST', '/v1/kits/x/manifest', 'GET, HEAD'],
  ['PATCH', '/v1/kits/x/download', 'GET, HEAD'],
  ['GET', VERIFY, 'POST'],
  ['OPTIONS', VERIFY, 'POST'],
  ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
  ['PROPFIND', '/docs', 'GET, HEAD'],
]
for (const [method, path, allowed] of METHODS) {
  test(`${method} ${path} is 405 with Allow: ${allowed}`, async () => {
    const response = await service.call(path, { method })
    assert.deepEqual(
      [response.status, response.json['code'], response.headers.get('allow')],
      [405, 'method_not_allowed', allowed],
    )
  })
}

for (const path of [
  '/v1',
  '/v2/intake/jobs',
  '/v1/intake',
  '/V1/INTAKE/JOBS',
  '/favicon.ico',
  '/v1/kits/x',
  '/schemas/None.json',
]) {
  test(`GET ${path} is 404`, async () => assert.equal((await service.call(path)).status, 404))
}

for (const path of [
  '/.well-known/jwks.json',
  JOBS + '/x',
  '/healthz',
  '/openapi.json',
  '/docs',
  '/nowhere',
]) {
  test(`an invalid key is 401 at ${path}`, async () => {
    for (const key of ['', 'nonsense', 'ks_1_2']) {
      const response = await service.call(path, { headers: { 'x-api-key': key } })
      assert.deepEqual([response.status, response.json['code']], [401, 'api_key_invalid'])
      assert.ok(response.headers.get('www-authenticate'))
    }
  })
}

test('an Idempotency-Key that is too long or not visible ASCII is 400', async () => {
  for (const key of ['a b', 'é', 'x'.repeat(256)]) {
    const response = await service.post(JOBS, GOOD, { 'idempotency-key': key })
    assert.deepEqual([response.status, response.json['code']], [400, 'idempotency_key_malformed'])
  }
})

test('the body of a request without a route is not read', async () => {
  const json = { 'content-type': 'application/json' }
  for (const body of ['{', '', 'x'.repeat(3_000_000)]) {
    const missing = await service.call('/v1/nope', { method: 'POST', headers: json, body })
    assert.deepEqual([missing.status, missing.json['code']], [404, 'route_not_found'])
    const wrongMethod = await service.call(JOBS, { method: 'PUT', headers: json, body })
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'POST'])
  }
})

test('a missing key is reported before the body is read', async () => {
  for (const [type, body] of [
    ['application/json', '{'],
    ['application/json', 'x'.repeat(200_000)],
    ['text/plain', 'x'],
  ] as const) {
    const response = await service.call('/v1/submissions', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    assert.deepEqual([response.status, response.json['code']], [401, 'api_key_required'])
  }
})

const messageFor = async (body: string): Promise<string> =>
  String((await service.post(JOBS, body)).json['message'])

test('an empty body, a byte order mark and a too large body have clear messages', async () => {
  assert.equal(await messageFor(''), 'The body is empty. Send a JSON object.')
  assert.equal(
    await messageFor('\ufeff{}'),
    'The body starts with a byte order mark. Send UTF-8 without one.',
  )
  assert.match(
    await messageFor('x'.repeat(100_000)),
    /^The body is larger than \d+ bytes, the limit of this endpoint\.$/,
  )
})

/** Of each response of the API: not executable, not framed, not sniffed, not cached. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const RAW: Readonly<Record<string, readonly [string, number, string]>> = {
  'invalid percent-encoding': [
    'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    400,
    'url_malformed',
  ],
  'text that is not HTTP': ['hello\r\n\r\n', 400, 'request_malformed'],
  'an unknown method': ['BREW /docs HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'request_malformed'],
  'an HTTP version that does not exist': [
    'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
    400,
    'request_malformed',
  ],
  'no Host': ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'request_malformed'],
  'a header of 40 KB': [
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  'a path of 40 KB': [
    `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  'two lengths': [
    'POST /v1/intake/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    400,
    'request_malformed',
  ],
  'a length and chunks': [
    'POST /v1/intake/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    400,
    'request_malformed',
  ],
  'an unknown expectation': [
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n',
    417,
    'expectation_failed',
  ],
  CONNECT: ['CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'method_not_allowed'],
  'a header line without a colon': [
    'GET / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n',
    400,
    'request_malformed',
  ],
  'headers that never end': ['GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 408, 'request_timeout'],
  'a body that never ends': [
    'POST /v1/intake/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    408,
    'request_timeout',
  ],
}
for (const [what, [bytes, status, code]] of Object.entries(RAW)) {
  test(`${what} is ${status} ${code} with the standard error body`, async () => {
    const { base } = status === 408 ? impatient : service
    const response = await rawRequest(base, bytes)
    assert.deepEqual([response.status, response.json['code']], [status, code])
    assert.deepEqual(Object.keys(response.json), ['error', 'code', 'message', 'request_id', 'boundary'])
    assert.equal(response.headers['x-request-id'], response.json['request_id'])
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      assert.equal(response.headers[name], value, name)
  })
}

test('afterwards the service still works and has logged no errors', async () => {
  const { kitId } = await service.issue()
  assert.equal((await service.call(`/v1/kits/${kitId}/receipt`)).status, 200)
  const errors = service
    .log()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual(errors, [])
})
