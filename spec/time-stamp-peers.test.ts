import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8 } from '../kit/src/encoding/utf8.ts'
import { parseCertificates } from '../kit/src/time/parse-certificates.ts'
import { parseTimeStamp } from '../kit/src/time/time-stamp.ts'
import { verifyTimeStamp } from '../kit/src/time/verify-time-stamp.ts'
import { nodeHost } from '../kit/node/index.ts'
import { DATA } from './making/cases/time-stamps.ts'
import { makeTimeStamp } from './making/time/time-stamp.ts'
import { mutationsOf } from './time-stamp-mutations.ts'
import { Openssl, ours, pkijsAccepts, skipWithoutOpenssl } from './time-stamp-peers.ts'
import { readVectorFile, vectors } from './stored-vectors.ts'

const data = utf8(DATA)
const skip = skipWithoutOpenssl

test('reading a time-stamp does not change its bytes', async () => {
  const response = Buffer.from(makeTimeStamp(data))
  const before = response.toString('hex')
  assert.equal((await ours(response, data))?.is, 'trusted')
  assert.equal(response.toString('hex'), before)
})

test('a time-stamp of a real authority, openssl ts, is accepted', { skip }, async () => {
  using openssl = new Openssl(data)
  const { response, root } = openssl.stamp()
  const timeStamp = parseTimeStamp(response)
  assert.equal(timeStamp.accuracyMs, 1500)
  const status = await verifyTimeStamp(timeStamp, data, parseCertificates(utf8(root)), nodeHost)
  assert.equal(status.is, 'trusted', JSON.stringify(status))
  assert.equal(status.authority, 'OpenSSL authority')
})

// OpenSSL verifies time-stamps as PKCS #7, which has no RSASSA-PSS with ordinary RSA keys.
const NOT_IN_OPENSSL = new Set([
  'a-time-stamp-by-rsa-pss-is-accepted',
  // The last second of a certificate belongs to its validity in RFC 5280, but not in OpenSSL.
  'a-time-stamp-made-in-the-last-second-of-its-certificate-is-accepted',
  // We skip what nobody signed. OpenSSL and PKI.js read it first.
  'a-time-stamp-with-certificates-that-cannot-be-read-is-accepted',
  // One of them has the issuer and the serial number of the right one. OpenSSL and PKI.js take the first one.
  'a-time-stamp-with-certificates-that-do-not-belong-to-it-is-accepted',
])
const NOT_IN_PKIJS = new Set([
  'a-time-stamp-with-certificates-that-cannot-be-read-is-accepted',
  'a-time-stamp-with-certificates-that-do-not-belong-to-it-is-accepted',
  // It uses the list, which is not current.
  'a-time-stamp-with-a-revocation-list-is-accepted',
])

test(
  'OpenSSL and PKI.js accept every time-stamp of the vectors that leads to the root',
  { skip },
  async () => {
    using openssl = new Openssl(data)
    const accepted = vectors.filter(
      (vector) =>
        vector.kind === 'time-stamp' && vector.roots === 'roots/root.pem' && vector.expected.code === null,
    )
    assert.ok(accepted.length > 30)
    const wrong: string[] = []
    for (const { name, file } of accepted) {
      const response = await readVectorFile(file)
      if (!NOT_IN_OPENSSL.has(name) && !openssl.accepts(response)) wrong.push(`openssl: ${name}`)
      if (!NOT_IN_PKIJS.has(name) && !(await pkijsAccepts(response, data))) wrong.push(`pkijs: ${name}`)
    }
    assert.deepEqual(wrong, [])
  },
)

test('OpenSSL and PKI.js accept every mutated time-stamp that we accept', { skip }, async () => {
  using openssl = new Openssl(data)
  let count = 0
  for (const mutated of mutationsOf(makeTimeStamp(data), 300)) {
    if ((await ours(mutated, data))?.is !== 'trusted') continue
    count++
    assert.ok(openssl.accepts(mutated), `openssl rejects ${Buffer.from(mutated).toString('hex')}`)
    assert.ok(await pkijsAccepts(mutated, data), `pkijs rejects ${Buffer.from(mutated).toString('hex')}`)
  }
  assert.ok(count < 30, `${count} of 300 mutations were accepted`)
})
