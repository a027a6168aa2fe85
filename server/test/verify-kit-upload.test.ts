import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { json } from 'node:stream/consumers'
import { rawRequest } from './raw-http.ts'
import { type TestService, testService } from './test-service.ts'

let service: TestService
let kit: Buffer

before(async () => {
  service = await testService({ KITSEAL_REQUEST_TIMEOUT_SECONDS: '1' })
  const { kitId } = await service.issue()
  kit = (await service.call(`/v1/kits/${kitId}/download`)).bytes
})
after(() => service[Symbol.asyncDispose]())

test('a kit may take longer to arrive than any other request, as long as it goes on arriving', async () => {
  const sending = open(kit.length)
  const answered = answerTo(sending)
  // Node looks every second for requests that are late: 2.4 s are late in any case.
  const step = Math.ceil(kit.length / 8)
  for (let at = 0; at < kit.length; at += step) {
    sending.write(kit.subarray(at, at + step))
    await pause(300)
  }
  sending.end()
  const { status, body } = await answered
  assert.deepEqual([status, body['status']], [200, 'PASS'])
})

test('a kit that falls silent is 408', async () => {
  const sending = open(kit.length)
  sending.write(kit.subarray(0, 1000))
  const { status, body } = await answerTo(sending)
  assert.deepEqual([status, body['code']], [408, 'request_timeout'])
  sending.destroy()
})

test('clients that send slowly keep nobody waiting; more than ten at once are 503', async () => {
  const slow = Array.from({ length: 9 }, () => open(kit.length))
  for (const sending of slow) {
    sending.on('error', () => {})
    sending.write(kit.subarray(0, 1000))
  }
  await Promise.all(slow.map((sending) => once(sending, 'socket')))
  const fine = open(kit.length)
  fine.end(kit)
  assert.equal((await answerTo(fine)).body['status'], 'PASS')
  const more = Array.from({ length: 2 }, () => open(kit.length))
  for (const sending of more) sending.write(kit.subarray(0, 1000))
  const answers = await Promise.all(more.map(answerTo))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [408, 503])
  for (const sending of [...slow, ...more]) sending.destroy()
})

test('a kit that says that it is too large is 413 before any of it is sent', async () => {
  const answer = await rawRequest(
    service.base,
    'POST /v1/verify/kit HTTP/1.1\r\nHost: x\r\nContent-Type: application/zip\r\nContent-Length: 2000000000\r\nConnection: close\r\n\r\n',
  )
  assert.deepEqual([answer.status, answer.json['code']], [413, 'body_too_large'])
})

test('a Content-Encoding is told in any case', async () => {
  const sending = open(kit.length, { 'content-encoding': 'Identity' })
  sending.end(kit)
  assert.equal((await answerTo(sending)).body['status'], 'PASS')
})

function open(length: number, more: Readonly<Record<string, string>> = {}): ClientRequest {
  const headers = { 'content-type': 'application/zip', 'content-length': length, ...more }
  return request(`${service.base}/v1/verify/kit`, { method: 'POST', headers, agent: false })
}

async function answerTo(
  sending: ClientRequest,
): Promise<{ readonly status: number | undefined; readonly body: Readonly<Record<string, unknown>> }> {
  sending.on('error', () => {})
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: (await json(response)) as Record<string, unknown> }
}
