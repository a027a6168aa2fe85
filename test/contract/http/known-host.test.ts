import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rawRequest } from '../../kit/raw-http.ts'
import { type TestService, testService } from '../../kit/service.ts'

let service: TestService
before(async () => {
  service = await testService({ KITSEAL_ISSUER: 'https://kits.example:8443/x' })
})
after(() => service[Symbol.asyncDispose]())

const answerTo = async (path: string, host: string): Promise<readonly unknown[]> => {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const { status, json } = await rawRequest(service.base, request)
  return [status, json['code']]
}

for (const host of [
  'kits.example',
  'KITS.example:8443',
  'kits.example.:1',
  'localhost:1',
  'a.localhost',
  '192.0.2.1',
  '[::1]:8080',
])
  test(`a request for ${host} is served`, async () => {
    assert.deepEqual(await answerTo('/.well-known/jwks.json', host), [200, undefined])
  })

for (const host of [
  'evil.example',
  'kits.example.evil.example',
  'evilkits.example',
  'localhost.evil.example',
  '1.2.3.4.evil.example',
  '',
])
  test(`a request for "${host}" gets 421, wherever it goes, and health checks are answered`, async () => {
    assert.deepEqual(await answerTo('/.well-known/jwks.json', host), [421, 'host_unknown'])
    assert.deepEqual(await answerTo('/nowhere', host), [421, 'host_unknown'])
    assert.deepEqual(await answerTo('/healthz', host), [200, undefined])
    assert.deepEqual(await answerTo('/readyz', host), [200, undefined])
  })
