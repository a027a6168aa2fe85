import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { kitsUnderTest, notPassed } from '../../test/test-kits.ts'
import { WorkerCrashed } from '../runtime/worker-pool.ts'

type Place = Awaited<ReturnType<typeof kitsUnderTest>>

test('an unchanged kit is PASS', async () => {
  await using place = await kitsUnderTest()
  const response = await send(place, await download(place))
  assert.equal(response.statusCode, 200)
  const { boundary, checks, signer, log, ...rest } = response.json()
  assert.match(log.text, /^in the log of .*, entry \d+ of \d+; no witness has confirmed it$/)
  assert.equal(typeof boundary, 'string')
  assert.deepEqual(notPassed(checks), ['log_is_witnessed: not_run'], 'which needs a policy')
  assert.equal(signer.trust, 'jwks')
  assert.deepEqual(rest, {
    status: 'PASS',
    verdict: 'verified',
    manifest_hash_valid: true,
    artifact_hashes_valid: true,
    receipt_canonical_hash_valid: true,
    ed25519_signature_valid: true,
    kid_matched: true,
    errors: [],
    error_messages: [],
  })
})

test('a kit with any changed byte is FAIL, in a large file, too', async () => {
  await using place = await kitsUnderTest({ startPage: randomBytes(300_000) })
  const zip = await download(place)
  assert.equal((await send(place, zip)).json().status, 'PASS')
  for (const at of [0, 40, zip.length >> 1, zip.length - 30, zip.length - 1]) {
    const changed = Buffer.from(zip)
    changed[at] = (changed[at] ?? 0) ^ 0x40
    assert.equal((await send(place, changed)).json().status, 'FAIL', `byte ${at}`)
  }
})

test('a kit of another issuer is FAIL, and its sender not confirmed', async () => {
  await using place = await kitsUnderTest()
  await using elsewhere = await kitsUnderTest({ sealedAs: 'https://other.example' })
  const { status, verdict, errors } = (await send(place, await download(elsewhere))).json()
  assert.deepEqual([status, verdict], ['FAIL', 'sender_unconfirmed'])
  assert.ok(errors.some((error: string) => error.startsWith('key_not_in_jwks: ')))
})

test('a kit that names this issuer and is signed with another key is FAIL: the signer is unknown', async () => {
  await using place = await kitsUnderTest()
  await using elsewhere = await kitsUnderTest()
  const { status, verdict, kid_matched, errors } = (await send(place, await download(elsewhere))).json()
  assert.equal(status, 'FAIL')
  assert.equal(verdict, 'signer_unknown')
  assert.equal(kid_matched, false)
  assert.ok(errors.some((error: string) => error.startsWith('key_not_in_jwks: ')))
})

test('a file that is not a ZIP is FAIL with kit_unreadable and no server paths', async () => {
  await using place = await kitsUnderTest()
  const zip = await download(place)
  for (const body of [
    Buffer.from('not a zip'),
    Buffer.alloc(50_000),
    zip.subarray(0, 5000),
    Buffer.concat([zip, zip]),
  ]) {
    const response = await send(place, body)
    assert.equal(response.statusCode, 200)
    assert.equal(response.json().status, 'FAIL')
    assert.ok(response.json().errors.some((error: string) => error.startsWith('kit_unreadable: ')))
    assert.doesNotMatch(response.body, new RegExp(place.folder))
  }
})

test('another media type is 415', async () => {
  await using place = await kitsUnderTest()
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }, {}]) {
    const response = await place.app.inject({
      method: 'POST',
      url: '/v1/verify/kit',
      headers,
      payload: Buffer.from('{}'),
    })
    assert.equal(response.statusCode, 415)
    assert.match(response.json().message, /application\/zip/)
  }
})

test('a kit over the limit is 413, with or without Content-Length', async () => {
  await using place = await kitsUnderTest()
  assert.equal((await send(place, Buffer.alloc(1_000_001))).statusCode, 413)
  await place.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = place.app.server.address() as AddressInfo
  const headers = { 'content-type': 'application/zip', 'transfer-encoding': 'chunked' }
  const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/verify/kit', headers })
  sending.on('error', () => {})
  sending.end(Buffer.alloc(1_500_000))
  const [response] = await once(sending, 'response')
  assert.equal(response.statusCode, 413)
  response.resume()
  assert.deepEqual(await readdir(join(place.folder, 'uploads')), [])
})

test('an upload is an unlinked file, so nothing is left behind', async () => {
  await using place = await kitsUnderTest()
  await send(place, await download(place))
  assert.deepEqual(await readdir(join(place.folder, 'uploads')), [])
})

for (const [cause, what] of [
  ['timeout', 'takes too long'],
  ['memory', 'needs too much memory'],
] as const)
  test(`a kit that ${what} is FAIL, and the service keeps working`, async () => {
    await using place = await kitsUnderTest({
      verifyUploaded: () => Promise.reject(new WorkerCrashed(cause)),
    })
    const answer = (await send(place, await download(place))).json<{ status: string; errors: string[] }>()
    assert.equal(answer.status, 'FAIL')
    assert.match(answer.errors[0] ?? '', new RegExp(`^kit_unreadable: verification ${what}`))
  })

async function download(place: Place): Promise<Buffer> {
  const { kit } = await place.issue()
  return (await place.app.inject(`/v1/kits/${kit.kit_id}/download`)).rawPayload
}

function send(place: Place, payload: Buffer) {
  const headers = { 'content-type': 'application/zip' }
  return place.app.inject({ method: 'POST', url: '/v1/verify/kit', headers, payload })
}
