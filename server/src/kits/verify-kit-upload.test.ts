import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { rawRequest } from '../../../test/kit/raw-http.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'

let service: TestService
let kit: Buffer

before(async () => {
  // No upload of these tests reaches the timeout.
  service = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: '300' })
  const { kitId } = await service.issue()
  kit = (await service.call(`/v1/kits/${kitId}/download`)).bytes
})
after(() => service[Symbol.asyncDispose]())

test('an upload may take longer than the request timeout as long as data arrives', async () => {
  const requestTimeoutMs = 100
  await using place = await kitsUnderTest({ requestTimeoutMs })
  const issued = await place.issue()
  const zip = (await place.app.inject(`/v1/kits/${issued.kit.kit_id}/download`)).rawPayload
  await place.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = place.app.server.address() as AddressInfo
  const upload = startUpload(zip.length, {}, `http://127.0.0.1:${port}`)
  const response = responseTo(upload)
  upload.write(zip.subarray(0, 1000))
  // A longer pause only makes the request later, so this does not depend on the load of the machine.
  await pause(5 * requestTimeoutMs)
  upload.end(zip.subarray(1000))
  const { status, body } = await response
  assert.deepEqual([status, body['status']], [200, 'PASS'])
})

test('an upload that stalls is 408', async () => {
  await using impatient = await testService({ TEST_REQUEST_TIMEOUT_SECONDS: '1' })
  const upload = startUpload(kit.length, {}, impatient.base)
  upload.write(kit.subarray(0, 1000))
  const { status, body } = await responseTo(upload)
  assert.deepEqual([status, body['code']], [408, 'request_timeout'])
  upload.destroy()
})

test('slow uploads of one address take half of the places, and do not block another address', async () => {
  const slow = Array.from({ length: 12 }, startSlowUpload)
  // Ten wait for data, so the first response is that of one too many.
  const first = await Promise.race(slow.map(responseTo))
  assert.deepEqual([first.status, first.body['code']], [503, 'overloaded'])
  const other = startUpload(kit.length, {}, service.base, '127.0.0.2')
  other.end(kit)
  assert.equal((await responseTo(other)).body['status'], 'PASS')
  for (const upload of slow) upload.destroy()
  // The next test needs a free place, which the service has once it has noticed the end of an upload.
  await until(async () => {
    const again = startUpload(kit.length)
    again.end(kit)
    return responseTo(again).then(
      ({ status }) => status === 200,
      () => false,
    )
  })
})

test('a kit whose Content-Length is too large is 413 before any of it is sent', async () => {
  const answer = await rawRequest(
    service.base,
    'POST /v1/verify/kit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/zip\r\nContent-Length: 2000000000\r\nConnection: close\r\n\r\n',
  )
  assert.deepEqual([answer.status, answer.json['code']], [413, 'body_too_large'])
})

test('Content-Encoding is case-insensitive', async () => {
  const upload = startUpload(kit.length, { 'content-encoding': 'Identity' })
  upload.end(kit)
  assert.equal((await responseTo(upload)).body['status'], 'PASS')
})

function startUpload(
  length: number,
  more: Readonly<Record<string, string>> = {},
  base = service.base,
  localAddress = '127.0.0.1',
): ClientRequest {
  const headers = { 'content-type': 'application/zip', 'content-length': length, ...more }
  return request(`${base}/v1/verify/kit`, { method: 'POST', headers, agent: false, localAddress })
}

function startSlowUpload(): ClientRequest {
  const upload = startUpload(kit.length)
  upload.on('error', () => {})
  upload.write(kit.subarray(0, 1000))
  return upload
}

async function responseTo(
  upload: ClientRequest,
): Promise<{ readonly status: number | undefined; readonly body: Readonly<Record<string, unknown>> }> {
  upload.on('error', () => {})
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: (await json(response)) as Record<string, unknown> }
}
