import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit'
import { startWitness } from '../../test/start-witness.ts'
import { witnessedLog } from '../../test/witnessed-log.ts'
import { addressLimit } from './address-limit.ts'
import { BODY_LIMIT_BYTES } from './witness-server.ts'

const log = witnessedLog('issuer.example/log')

test('the start page has the vkey', async () => {
  await using witness = await startWitness([log.signer.key])
  assert.equal(await (await fetch(witness.url)).text(), `kitseal witness\n${vkey(witness.key)}\n`)
})

test('other paths return 404, other methods 405', async () => {
  await using witness = await startWitness([log.signer.key])
  const status = async (path: string, method: string): Promise<number> =>
    (await fetch(witness.url + path, { method })).status
  assert.equal(await status('/add-checkpoint', 'GET'), 405)
  assert.equal(await status('/', 'POST'), 405)
  assert.equal(await status('/', 'HEAD'), 200)
  assert.equal(await status('/add-checkpoint/', 'POST'), 404)
  assert.equal(await status('/add-checkpoint?x=1', 'POST'), 404)
})

test('a body above the limit returns 413, with or without a stated length', async () => {
  await using witness = await startWitness([log.signer.key])
  const large = new Uint8Array(BODY_LIMIT_BYTES + 1)
  assert.equal((await witness.post(large)).status, 413)
  const streamed = { method: 'POST', body: new Blob([large]).stream(), duplex: 'half' } as RequestInit
  const unstated = await fetch(`${witness.url}/add-checkpoint`, streamed)
  assert.equal(unstated.status, 413)
  assert.equal((await witness.post(new Uint8Array(BODY_LIMIT_BYTES))).status, 400)
})

test('a compressed body returns 415', async () => {
  await using witness = await startWitness([log.signer.key])
  const headers = { 'content-encoding': 'gzip' }
  const { status } = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body: 'x', headers })
  assert.equal(status, 415)
})

test('a request that does not end is cut off, and the witness continues', async () => {
  await using witness = await startWitness([log.signer.key], { requestTimeoutMs: 200 })
  const socket = connect(Number(new URL(witness.url).port), '127.0.0.1')
  socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 100\r\n\r\nold 0\n')
  let received = ''
  for await (const chunk of socket.setEncoding('utf8')) received += chunk
  assert.match(received, /^HTTP\/1\.1 408 /)
  assert.equal((await witness.post(await log.body(0, 7))).status, 200)
  assert.deepEqual(witness.failures, [])
})

test('a client that goes away in the middle of a request does no harm', async () => {
  await using witness = await startWitness([log.signer.key])
  const socket = connect(Number(new URL(witness.url).port), '127.0.0.1')
  socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 100\r\n\r\nold 0\n', () =>
    socket.destroy(),
  )
  await new Promise((closed) => socket.once('close', closed))
  assert.equal((await witness.post(await log.body(0, 7))).status, 200)
  assert.deepEqual(witness.failures, [])
})

test('too many requests from one address return 429', async () => {
  await using witness = await startWitness([log.signer.key], { requestsPerSecond: 1 })
  const statuses: number[] = []
  for (let count = 0; count < 8; count++) statuses.push((await fetch(witness.url)).status)
  assert.deepEqual(statuses.slice(0, 5), [200, 200, 200, 200, 200])
  assert.ok(statuses.includes(429))
})

test('addresses are limited separately, IPv6 by its /64, and recover', () => {
  let now = 0
  const isAllowed = addressLimit(1, () => now)
  const count = (address: string): number =>
    Array.from({ length: 9 }, () => isAllowed(address)).filter(Boolean).length
  assert.equal(count('192.0.2.1'), 5)
  assert.equal(count('192.0.2.2'), 5)
  assert.equal(count('2001:db8::1'), 5)
  assert.equal(count('2001:db8:0:0:1:2:3:4'), 0)
  assert.equal(count('2001:db8:0:1::1'), 5)
  now = 2000
  assert.equal(count('192.0.2.1'), 2)
  const unlimited = addressLimit(0, () => now)
  assert.ok(Array.from({ length: 1000 }, () => unlimited('192.0.2.1')).every(Boolean))
})
