import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { utf8 } from '../kit/src/encoding/bytes.ts'
import { parseCertificates } from '../kit/src/time/certificate.ts'
import { parseTimeStamp } from '../kit/src/time/time-stamp.ts'
import { verifyTimeStamp } from '../kit/src/time/verify-time-stamp.ts'
import { nodeHost } from '../kit/node/internal.ts'
import { mutationsOf } from './time-stamp-mutations.ts'
import { DATA as data, Openssl, ours, pkijsAccepts, skipWithoutOpenssl } from './time-stamp-peers.ts'
import { FORMAT_PAGE } from './sample-in-words.ts'
import { readVectorFile, vectors, VECTORS_FOLDER } from './stored-vectors.ts'

const PLAIN = await readVectorFile('valid/a-time-stamp-by-ecdsa-with-p-256-is-accepted.tsr')
const skip = skipWithoutOpenssl

test('reading a time-stamp does not change its bytes', async () => {
  const response = Buffer.from(PLAIN)
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

const NOT_IN_PKIJS = new Set([
  'a-time-stamp-with-certificates-that-cannot-be-read-is-accepted',
  'a-time-stamp-with-certificates-that-do-not-belong-to-it-is-accepted',
  // It uses the list, which is not current.
  'a-time-stamp-with-a-revocation-list-is-accepted',
])

const withRoots = vectors.flatMap((vector) =>
  vector.kind === 'time-stamp' && vector.roots !== undefined ? [vector] : [],
)

test(
  'OpenSSL gives the same result for every time-stamp of the vectors, except those that the format lists',
  { skip },
  async () => {
    using openssl = new Openssl(data)
    assert.ok(withRoots.length > 150)
    const [accepted, rejected] = listedDifferences()
    const wrong: string[] = []
    for (const { name, file, roots, expected } of withRoots) {
      const isOurs = expected.code === null
      const isTheirs = openssl.accepts(await readVectorFile(file), path.join(VECTORS_FOLDER, roots))
      const listed = (isOurs ? accepted : rejected)!.some((pattern) => pattern.test(name))
      if (listed !== (isOurs !== isTheirs)) wrong.push(`${name}: openssl ${isTheirs ? 'accepts' : 'rejects'}`)
    }
    assert.deepEqual(wrong, [])
  },
)

/** The vectors that only we accept, and those that only OpenSSL accepts. */
function listedDifferences(): readonly (readonly RegExp[])[] {
  const [, section = ''] =
    /### Differences from `openssl[^\n]*\n([^]*?)\n## /.exec(readFileSync(FORMAT_PAGE, 'utf8')) ?? []
  return section
    .split('Accepted by OpenSSL, and not here:')
    .map((part) =>
      [...part.matchAll(/`(a-time-stamp-[^`]+)`/g)].map(
        ([, pattern = '']) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`),
      ),
    )
}

test('PKI.js accepts every time-stamp of the vectors that leads to the root', async () => {
  const wrong: string[] = []
  for (const { name, file, roots, expected } of withRoots) {
    if (roots !== 'roots/root.pem' || expected.code !== null || NOT_IN_PKIJS.has(name)) continue
    if (!(await pkijsAccepts(await readVectorFile(file), data))) wrong.push(name)
  }
  assert.deepEqual(wrong, [])
})

test('OpenSSL and PKI.js accept every mutated time-stamp that we accept', { skip }, async () => {
  using openssl = new Openssl(data)
  let count = 0
  for (const mutated of mutationsOf(PLAIN, 300)) {
    if ((await ours(mutated, data))?.is !== 'trusted') continue
    count++
    assert.ok(openssl.accepts(mutated), `openssl rejects ${Buffer.from(mutated).toString('hex')}`)
    assert.ok(await pkijsAccepts(mutated, data), `pkijs rejects ${Buffer.from(mutated).toString('hex')}`)
  }
  assert.ok(count < 30, `${count} of 300 mutations were accepted`)
})
