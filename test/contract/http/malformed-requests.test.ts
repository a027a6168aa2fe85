import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { rawRequest } from '../../kit/raw-http.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { workspaceClient } from '../../kit/workspace.ts'

let service: TestService

before(async () => {
  service = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: '5' })
})
after(() => service[Symbol.asyncDispose]())

const JOB = '{"tenant_id":"acme","scope_label":"label"}'
const POST = 'POST /v1/intake/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const CHUNKS = `${JOB.length.toString(16)}\r\n${JOB}\r\n0\r\n\r\n`

const MALFORMED: Readonly<Record<string, string>> = {
  'two hosts': 'GET /healthz HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\n\r\n',
  'an invalid host': 'GET /healthz HTTP/1.1\r\nHost: a.example/path@b\r\n\r\n',
  'two media types': `${POST}Content-Type: text/plain\r\nContent-Length: ${JOB.length}\r\n\r\n${JOB}`,
  'an unsupported transfer coding': `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`,
  'chunks in HTTP/1.0': `${POST.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  'an asterisk instead of a path': 'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n',
}
for (const [what, bytes] of Object.entries(MALFORMED)) {
  test(`${what} is 400 and closes the connection`, async () => {
    const response = await rawRequest(service.base, bytes)
    assert.deepEqual([response.status, response.json['code']], [400, 'request_malformed'])
  })
}

for (const host of ['a.example', 'a_b.example:8080', '127.0.0.1', '[::1]:80', '']) {
  test(`"${host}" is accepted as Host`, async () => {
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    assert.equal((await rawRequest(service.base, request)).status, 200)
  })
}

test('an absolute URL as request target works like its path', async () => {
  assert.equal((await send('GET http://x/healthz HTTP/1.1')).status, 200)
  assert.equal((await send('PUT https://x/healthz HTTP/1.1')).headers['allow'], 'GET, HEAD')
  assert.equal((await send('GET http://x/console/api/none HTTP/1.1')).json['code'], 'route_not_found')
})

test('an ID of any length reaches its route', async () => {
  for (const [path, code] of [
    ['/v1/intake/jobs/ID', 'job_not_found'],
    ['/v1/kits/ID/manifest', 'kit_not_found'],
  ] as const)
    assert.equal((await service.call(path.replace('ID', 'a'.repeat(5000)))).json['code'], code)
})

test('garbage after a request does not replace its response', async () => {
  const request = `${POST}Content-Length: ${JOB.length}\r\n\r\n${JOB}`
  assert.deepEqual(await statuses(`${request}junk\r\n\r\n`), [202, 400])
  assert.deepEqual(await statuses(`${request}${request}junk\r\n\r\n`), [202, 202, 400])
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  assert.deepEqual(await statuses(`${last}junk\r\n\r\n`), [202])
})

test('a new draft has the same Retry-After as a poll', async () => {
  const { post, workspaceId: tenant_id } = await workspaceClient(service)
  const draft = await post('/v1/intake/jobs', { ...JSON.parse(JOB), tenant_id, status: 'DRAFT' })
  assert.equal(draft.status, 202)
  const poll = await service.call(`/v1/intake/jobs/${String(draft.json['job_id'])}`)
  assert.equal(draft.headers.get('retry-after'), poll.headers.get('retry-after'))
})

const send = (line: string) =>
  rawRequest(service.base, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)

/** The statuses of all responses on one connection. */
async function statuses(bytes: string): Promise<readonly number[]> {
  const { hostname, port } = new URL(service.base)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
}
